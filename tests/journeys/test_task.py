"""Trace a record, play the internals of a task, and inspect a network exchange."""

from playwright.sync_api import expect

from explorer import compile_graph
from explorer.documents import samples
from explorer.explain.task_internals import task_internals
from tests.journeys.screen import Screen

SAMPLE = "01-word-count"


def assert_a_row_of_the_preview_is_traced_on_both_graphs(screen: Screen) -> None:
    """Step by step; a link restores the row and the step."""
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


def test_a_row_is_traced_a_task_is_played_and_an_exchange_shows_its_bytes(screen: Screen) -> None:
    assert_a_row_of_the_preview_is_traced_on_both_graphs(screen)
    screen.page.locator("[data-graph=stream]").press("Escape")
    expect(screen.panel_name).to_have_text("Word count")
    screen.idle()
    done = compile_graph(next(each.path for each in samples() if each.key == SAMPLE))
    vertex = next(one for one in done.job_graph.vertices if one.name == "words -> ones")
    steps = task_internals(done, vertex.id).steps
    screen.tab("Network exchange")
    expect(screen.page.locator(".st-key-exchange-bar")).to_contain_text("Source: licence → words")
    screen.tab("Task internals")
    player = screen.page.locator(".player")
    expect(player.locator(".note")).to_contain_text("SourceOperatorStreamTask")
    screen.click("job", screen.key_of("job", "words -> ones"))
    expect(player.locator(".note")).to_contain_text("words -> ones: a OneInputStreamTask")
    drawn = player.locator(".picture")
    expect(drawn.locator(".box.operator .title")).to_have_text(["words", "ones"])
    expect(drawn.locator(".line.copies text")).to_have_text("CopyingChainingOutput")

    keys = screen.page.keyboard
    player.locator(".words").click()
    for number, step in enumerate(steps[:12], 1):
        expect(player.locator(".count")).to_have_text(f"{number} of {len(steps)}")
        expect(player.locator(".words strong")).to_have_text(step.title)
        expect(player.locator(".words p").first).to_have_text(step.sentence)
        expect(drawn.locator(".box.highlighted")).to_have_count(len(set(step.highlighted.parts)))
        keys.press("ArrowRight")
    keys.press("End")
    expect(player.locator(".words strong")).to_have_text(steps[-1].title)
    keys.press("ArrowLeft")
    expect(player.locator(".words strong")).to_have_text(steps[-2].title)

    screen.click("job", screen.key_of("job", "words -> ones"))
    settings = screen.page.locator(".st-key-form-of-job")
    screen.open_expander(settings, "Job settings")
    screen.open_expander(settings, "More")
    settings.get_by_text("reuse objects").click()
    expect(player.locator(".note")).to_contain_text("objects are reused")
    expect(drawn.locator(".line text").first).to_have_text("ChainingOutput")
    expect(drawn.locator(".line.copies")).to_have_count(0)

    _inspect_an_exchange(screen)


def _inspect_an_exchange(screen: Screen) -> None:
    """Its parts, its key groups, and the bytes of a row."""
    screen.tab("Network exchange")
    screen.click("stream", "e2")
    expect(screen.page.locator(".st-key-exchange-bar")).to_contain_text("→ count -> Sink: counts")
    parts = screen.rows("Parts of the network exchange")
    expect(parts.filter(has_text="ChannelSelectorRecordWriter")).to_have_count(1)
    expect(parts.filter(has_text="KeyGroupStreamPartitioner")).to_have_count(1)

    screen.page.get_by_role("radio", name="Records").click()
    buffers = screen.page.locator("img.x-buffers")
    expect(buffers).to_be_visible()
    table = screen.page.locator("[data-testid=stDataFrame]")
    expect(table).to_be_visible()
    typed = screen.page.get_by_placeholder("Type a row: [word STRING, n LONG]")
    # The table's text for screen readers is there once it is drawn; before, it ignores clicks.
    expect(table.locator("[role=row]").nth(1)).to_be_attached()
    table.click(position={"x": 14, "y": 60})
    expect(screen.page.get_by_text("murmur").first).to_contain_text("key group")
    expect(screen.rows("Bytes of the row").first).to_be_visible()

    typed.fill('["the", 1]')
    typed.press("Enter")
    rows = screen.rows("Bytes of the row")
    expect(rows.first).to_contain_text("00 00 00 0e")
    typed.fill('["the", "1"]')
    typed.press("Enter")
    expect(screen.page.locator(".st-key-exchange-body")).to_contain_text("must be LONG")
