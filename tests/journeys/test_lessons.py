"""A class: a lesson is played, chains and IDs are foretold, a teacher's own lesson is uploaded."""

from itertools import pairwise

from playwright.sync_api import Page, expect

from explorer.documents import samples
from tests.journeys.screen import Screen

LESSON = "/?sample=02-a-to-e&tab=Lesson"
OWN = b"""
lesson: Mine
group: chains
pipeline: 03-cut-by-parallelism.yaml
steps:
  - {say: Look at the costly one., look: [costly]}
  - {say: And now?, look: [short -> costly], ask: {fact: chained, edge: [short, costly]}}
"""


def assert_a_lesson_lights_asks_hides_and_explains(screen: Screen) -> None:
    """Three of its steps, the third of which asks."""
    player = screen.page.locator(".lesson")
    expect(player.locator("h4")).to_have_text("Five operators, two tasks")
    screen.wait_for_marks("stream", "chain", {"n1", "n2", "n3", "n4", "n5"})
    screen.wait_for("stream", "picked() === 'n1'")

    player.press("ArrowRight")
    expect(player.locator(".count")).to_have_text("2 of 7")
    player.press("ArrowRight")
    expect(player.locator(".ask strong")).to_have_text("Will C and D chain?")
    screen.wait_for_marks("stream", "edge", {"e2"})
    expect(screen.panel.get_by_text("Not chained")).not_to_be_visible()
    expect(screen.counts).not_to_be_visible()
    screen.wait_for("stream", "marks('e0')?.veil")
    # No line tells the answer: chained or not, all are dotted.
    assert [screen.graph("stream", f"dashes('e{edge}')") for edge in range(4)] == 4 * [[2, 4]]

    screen.idle()
    player.get_by_role("button", name="They chain").click()
    screen.wait_for("stream", "picked() === 'e2'")
    expect(player.locator(".verdict")).to_have_text("Wrong.")
    expect(player.locator(".reason")).to_contain_text("Here: strategy HEAD.")
    expect(screen.panel.get_by_text("Not chained: 1 of 12")).to_be_visible()
    expect(player.locator(".score")).to_have_text("0 of 1 right")
    # The edge that does not chain keeps its dashes while it is highlighted.
    assert screen.graph("stream", "dashes('e2')") == [6, 4]
    assert screen.graph("stream", "dashes('e0')") == []


def gaps_of_five(screen: Screen) -> list[float]:
    """How far the operators 1 to 5 of the StreamGraph are below one another, on the screen."""
    ask = "n => __graphs.stream.at(`n${n}`).y"
    tops = [screen.page.evaluate(ask, number) for number in range(1, 6)]
    return [below - above for above, below in pairwise(tops)]


def test_a_lesson_is_played_and_chains_and_ids_are_predicted_by_clicks(visitor: Screen) -> None:
    screen, page = visitor, visitor.page
    screen.open(LESSON)
    assert_a_lesson_lights_asks_hides_and_explains(screen)
    player = page.locator(".lesson")
    page.get_by_role("radio", name="Predict chains").or_(
        page.get_by_role("button", name="Predict chains")
    ).first.click()
    expect(player.get_by_role("button", name="Reveal")).to_be_visible()
    screen.idle()
    # Partitioners and strategies, which the rules read, are shown; chains are not.
    screen.wait_for("stream", "labels().join() === 'FORWARD,FORWARD,FORWARD,FORWARD'")
    # Chains or not, all operators are equally far apart, also where each chain was one card.
    for name in ("Fold", "Unfold"):
        page.get_by_role("button", name=name, exact=True).click()
        screen.idle()
        screen.wait_for("stream", "keys().length === 5")
        gaps = gaps_of_five(screen)
        assert max(gaps) - min(gaps) < 1
    for key in ("e0", "e2", "e3"):
        at = page.evaluate("(key) => __graphs.stream.at(key)", key)
        page.mouse.click(at["x"], at["y"])
    screen.wait_for_marks("stream", "edge", {"e0", "e2", "e3"})
    expect(player.get_by_role("button", name="C → D")).to_have_attribute("aria-pressed", "true")
    player.get_by_role("button", name="Reveal").click()
    expect(player.locator(".verdict")).to_have_text("2 of 4 right.")
    expect(player.locator(".reasons")).to_contain_text("CH04 fails.")
    gaps = gaps_of_five(screen)
    assert max(gaps) > 1.3 * min(gaps)

    page.get_by_role("radio", name="Predict IDs").or_(
        page.get_by_role("button", name="Predict IDs")
    ).first.click()
    expect(player.locator("h4")).to_have_text("Predict the IDs")
    screen.idle()
    for key in ("n1", "n2"):
        at = page.evaluate("(key) => __graphs.stream.at(key)", key)
        page.mouse.click(at["x"], at["y"])
    screen.wait_for_marks("stream", "chain", {"n1", "n2"})
    player.get_by_role("button", name="Reveal").click()
    expect(player.locator(".reasons")).to_contain_text("it has 0 chained outputs, and had 1")
    expect(player.locator(".verdict")).to_contain_text(" of 5 right.")


def assert_a_word_has_its_definition_and_a_teachers_lesson_its_errors(screen: Screen) -> None:
    """And a document without a lesson has none."""
    meaning = screen.page.get_by_role("tooltip")
    screen.panel.get_by_text("slots", exact=True).hover(position={"x": 8, "y": 12})
    expect(meaning).to_have_text(
        "slotA share of a task manager; it takes one subtask of each task of a group."
    )
    screen.page.mouse.move(700, 400)
    expect(meaning).to_have_count(0)
    screen.page.get_by_role("columnheader", name="chain index").hover()
    expect(meaning).to_contain_text("Operators that run in one task")

    page = screen.page
    screen.upload("bad.lesson.yaml", OWN.replace(b"edge: [short", b"edge: [shirt"))
    expect(page.locator(".st-key-upload-box")).to_contain_text("steps[1].ask.edge: there is no")
    screen.upload("mine.lesson.yaml", OWN)
    expect(page.locator(".lesson h4")).to_have_text("Mine")
    screen.wait_for("stream", "picked() !== null")
    own = next(one for one in samples() if one.key == "03-cut-by-parallelism")
    screen.upload("own.yaml", own.path.read_bytes())
    expect(page.locator(".lesson h4")).to_have_text(own.title)
    expect(page.locator(".lesson")).to_contain_text("This document has no lesson.")
    expect(page.locator(".lesson .count")).to_have_count(0)


def test_a_presenter_plays_with_keys_and_a_change_is_made_and_undone(screen: Screen) -> None:
    page = screen.page
    assert_a_word_has_its_definition_and_a_teachers_lesson_its_errors(screen)
    screen.sample("A to E in two chains")
    screen.tab("Lesson")
    page.get_by_role("button", name="Present", exact=True).click()
    expect(screen.panel).not_to_be_in_viewport()
    expect(screen.form).not_to_be_in_viewport()
    for side in ("stream", "job"):
        screen.wait_for(side, "scale() * 12.5 >= 14")
    count = page.locator(".lesson .count")
    expect(count).to_have_text("1 of 7")
    screen.idle()  # A player that is just being drawn anew hears no key.
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text("2 of 7")
    page.reload()
    expect(count).to_have_text("1 of 7")
    screen.idle()
    expect(screen.panel).not_to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text("2 of 7")
    page.keyboard.press("Escape")
    expect(screen.panel).to_be_in_viewport()

    screen.tab("Steps")
    page.locator(".player .list").get_by_text("continue with C").click()
    cut = page.locator(".player .cut")
    expect(cut).to_have_text("C → D CH04 downstream strategy forbids chaining")
    cut.click()
    screen.wait_for("stream", "picked() === 'e2'")
    expect(screen.panel).to_contain_text("Not chained: 1 of 12")

    screen.tab("Lesson")
    player = page.locator(".lesson")
    for _ in range(4):  # the player is where the presenter left it
        player.get_by_role("button", name="Next →").click()
        screen.idle()
    expect(count).to_have_text("6 of 7")
    page.keyboard.press("1")
    expect(player.locator(".verdict")).to_have_text("Right.")
    player.get_by_role("button", name="Make this change on the page").click()
    expect(screen.counts).to_contain_text("1 task")
    player.get_by_role("button", name="Back to the lesson's pipeline").click()
    expect(screen.counts).to_contain_text("2 tasks")
    player.get_by_role("button", name="One number cuts twice").click()
    expect(player.locator("h4")).to_have_text("One number cuts twice")


def covered_by(page: Page, cover: str) -> list[str]:
    """The cards, chains and edge labels of the graphs over which an element lies."""
    keys: list[str] = page.evaluate(
        """(cover) => {
            const box = document.querySelector(cover).getBoundingClientRect();
            const drawn = document.querySelectorAll("[data-card], [data-chain], [data-edge-label]");
            return [...drawn].filter((one) => {
                const { left, right, top, bottom } = one.getBoundingClientRect();
                return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
            }).map((one) => one.outerHTML.slice(0, 80));
        }""",
        cover,
    )
    return keys


def test_on_a_tablet_a_lessons_own_selection_opens_no_drawer_over_it(visitor: Screen) -> None:
    screen = visitor
    screen.page.set_viewport_size({"width": 820, "height": 1180})
    screen.open(LESSON)
    screen.wait_for("stream", "picked() === 'n1'")
    expect(screen.panel).to_be_hidden()
    screen.click("stream", "n3")
    expect(screen.panel).to_be_visible()


def test_no_stop_of_the_tour_covers_a_graph(visitor: Screen) -> None:
    page = visitor.page
    for width, height in ((960, 600), (1024, 576), (1280, 720), (1920, 1080)):
        page.evaluate("localStorage.clear()")
        page.set_viewport_size({"width": width, "height": height})
        visitor.open("/?sample=21-ready-to-deploy")
        tour = page.get_by_role("dialog", name="Tour of the page")
        for stop in range(1, 6):
            expect(tour).to_contain_text(f"{stop} of 5")
            assert covered_by(page, ".x-tour") == [], (width, stop)
            page.keyboard.press("ArrowRight")


def test_the_first_run_shows_the_page_in_five_stops_and_never_returns_unasked(
    visitor: Screen,
) -> None:
    screen, page = visitor, visitor.page
    page.evaluate("localStorage.clear()")
    screen.open()
    tour = page.get_by_role("dialog", name="Tour of the page")
    for stop in range(1, 6):
        expect(tour).to_contain_text(f"{stop} of 5")
        ring, card = page.locator(".x-tour-ring").bounding_box(), tour.bounding_box()
        assert ring is not None
        assert card is not None
        assert min(ring["width"], ring["height"]) >= 28
        assert card["x"] >= 0
        assert card["y"] >= 0
        assert card["x"] + card["width"] <= 1440
        assert card["y"] + card["height"] <= 900
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(tour).to_have_count(0)
    screen.open()
    screen.tab("Lesson")
    expect(tour).to_have_count(0)
    page.get_by_role("button", name="Tour of the page").click()
    expect(tour).to_contain_text("1 of 5")
    tour.get_by_role("button", name="Close").click()
    expect(tour).to_have_count(0)
