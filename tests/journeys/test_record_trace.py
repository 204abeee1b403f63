"""A row is picked in the preview and traced on both graphs; the link holds it."""

from playwright.sync_api import expect

from tests.journeys.screen import Screen


def test_a_row_of_the_preview_is_traced_on_both_graphs(screen: Screen) -> None:
    screen.click("stream", screen.key_of("stream", "Source: licence"))
    screen.tab("Local run")
    table = screen.page.locator("[data-testid=stDataFrame]").first
    expect(table).to_be_visible()
    follow = screen.page.get_by_role("button", name="Trace this record")
    for _ in range(5):
        # The box before the third row; a table that is not drawn yet ignores clicks.
        table.click(position={"x": 14, "y": 95})
        screen.idle()
        if follow.is_visible():
            break
    follow.click()

    player = screen.page.locator(".player")
    expect(player.locator(".words strong")).to_have_text("Source: licence reads row 3")
    expect(player.locator(".count")).to_have_text("1 of 15")
    screen.wait_for_marks("job", "ghost", set())
    screen.wait_for_marks("job", "now", {"v1"})
    for _ in range(5):
        player.get_by_role("button", name="One step forward").click()
    expect(player.locator(".words p")).to_contain_text("that is key group 55. 55 × 2 / 128")
    screen.wait_for_marks("stream", "now", {screen.key_of("stream", "ones")})
    screen.wait_for_marks("stream", "edge", {"e2"})

    screen.until("location.search.includes('follow-row=3')")
    screen.until("location.search.includes('step=6')")
    screen.open(screen.link)
    expect(screen.page.locator(".player .count")).to_have_text("6 of 15")
    screen.wait_for_marks("stream", "now", {screen.key_of("stream", "ones")})
    screen.page.keyboard.press("Home")
    screen.until("!location.search.includes('step=')")
