"""What a person does with the tabs below the graphs: steps, comparisons, found IDs."""

import base64
import json
from typing import Any

from playwright.sync_api import Locator, expect

from explorer import compile_graph
from explorer.documents import samples
from explorer.drawing.view.graph_view import graph_view
from explorer.model.narrated_step import NarratedStep
from explorer.model.steps import Step
from explorer.narration.chaining import narrate
from tests.golden_files import cases
from tests.journeys.screen import Screen

RESTORE = (
    "java.lang.IllegalStateException: Failed to rollback to checkpoint/savepoint file:/tmp/sp-1. "
    "Cannot map checkpoint/savepoint state for operator 20ba6b65f97481d5570070de90e4e791 to the "
    "new program, because the operator is not available in the new program. If you want to allow "
    "to skip this, you can set the --allowNonRestoredState option on the CLI."
)


def narrated(sample: str) -> tuple[NarratedStep[Step], ...]:
    path = next(each.path for each in samples() if each.key == sample)
    return narrate(compile_graph(path, trace=True, iterations_before=0))


def player(screen: Screen) -> Locator:
    """The stepper, open and playing nothing; the keys are its own, and no longer the tabs'."""
    screen.tab("Steps")
    screen.wait_for("stream", "step() !== null")
    screen.idle()  # a run that goes on draws the player anew, at its first step
    made = screen.page.locator(".player")
    made.locator(".words").click()
    expect(made).to_be_focused()
    return made


def assert_a_step_goes_with_its_player(screen: Screen) -> None:
    """Of two players the graphs show the step of the one that is left."""
    left = screen.page.evaluate(
        """async () => {
            const components = "/_stcore/bidi-components/streamgraph-explorer.";
            const { publishStep, withdrawStep } = await import(`${components}shared/step.js`);
            const [before, next, shown] = [{}, {}, []];
            const marks = { now: "n1", waiting: new Set(), chain: new Set(), edges: new Set(),
                fresh: new Set(), made: new Set(), hashed: new Set() };
            publishStep(before, marks);
            publishStep(next, { ...marks, now: "n2" });
            for (const player of [before, next]) {
                withdrawStep(player);
                shown.push(__graphs.stream.step());
            }
            return shown;
        }"""
    )

    assert left == ["n2", None]


def assert_every_step_colours_both_graphs_and_has_a_sentence(screen: Screen) -> None:
    """Forward to the last step, and back to the first."""
    steps = narrated("01-word-count")
    path = next(each.path for each in samples() if each.key == "01-word-count")
    view = graph_view(compile_graph(path))
    shown = player(screen)
    made: set[str] = set()

    for number, step in enumerate(steps, 1):
        marks = step.highlighted
        expect(shown.locator(".count")).to_have_text(f"{number} of {len(steps)}")
        expect(shown.locator(".words strong")).to_have_text(step.title)
        expect(shown.locator(".words p")).to_have_text(step.sentence)
        screen.wait_for("stream", f"step() === 'n{marks.node}'")
        screen.wait_for_marks("stream", "waiting", {f"n{node}" for node in marks.waiting})
        screen.wait_for_marks("stream", "chain", {f"n{node}" for node in marks.chain})
        screen.wait_for_marks("stream", "edge", {f"e{edge}" for edge in marks.edges})
        if marks.vertex:
            made.add(view.node_of[f"n{marks.node}"].vertex)
        screen.wait_for_marks("job", "ghost", set(view.vertex_of) - made)
        if number < len(steps):
            shown.get_by_role("button", name="One step forward").click()

    for step in reversed(steps[:-1]):
        marks = step.highlighted
        shown.get_by_role("button", name="One step back").click()
        expect(shown.locator(".words strong")).to_have_text(step.title)
        screen.wait_for_marks("stream", "waiting", {f"n{node}" for node in marks.waiting})
        screen.wait_for_marks("stream", "chain", {f"n{node}" for node in marks.chain})
    screen.wait_for_marks("job", "ghost", set(view.vertex_of))


def assert_steps_of_another_document_are_its_own(screen: Screen) -> None:
    """Of an edited one, of another one and of a long one."""
    shown = player(screen)
    screen.page.keyboard.press("End")
    expect(shown.locator(".count")).to_have_text("15 of 15")
    screen.page.locator("[class*=st-key-chaining] label").first.click()
    expect(screen.counts).to_contain_text("5 tasks")
    screen.wait_for("job", "keys().length === 5")
    expect(shown.locator(".words h3")).to_have_text("chaining 10")
    screen.wait_for_marks("job", "ghost", set())

    screen.sample("A to E in two chains")
    expect(shown.locator(".count")).to_have_text("1 of 15")
    expect(shown.locator(".words strong")).to_have_text("hash Source: A")

    line: list[dict[str, Any]] = [{"id": "m0", "type": "source"}]
    line += [{"id": f"m{n}", "type": "map", "inputs": [f"m{n - 1}"]} for n in range(1, 1000)]
    document = {"name": "long", "transformations": line}
    screen.upload("long.json", json.dumps(document).encode())
    screen.wait_for_overview("long")
    shown = player(screen)
    expect(shown.locator(".count")).to_have_text("1 of 3,000")
    screen.page.keyboard.press("End")

    expect(shown.locator(".count")).to_have_text("3,000 of 3,000")
    expect(shown.locator(".words strong")).to_contain_text("create the task")
    screen.wait_for_marks("job", "ghost", set())


def assert_two_releases_are_compared_and_a_changed_operator_is_picked(screen: Screen) -> None:
    """And another sample with this one."""
    screen.sample("Flights and weather connected")
    screen.tab("Compare")
    screen.page.get_by_role("combobox", name="From release").click()
    screen.page.get_by_role("option", name="Flink 1.20", exact=True).click()
    screen.idle()

    rows = screen.rows("Differences of the releases")
    expect(rows.filter(has_text="operators with two inputs")).to_contain_text("HEAD")
    screen.page.get_by_role("combobox", name="From", exact=True).click()
    screen.page.get_by_role("option", name="01 Word count", exact=True).click()
    screen.idle()
    new = screen.rows("Changed operators").filter(has_text="new").first
    name = new.locator("td").nth(1).inner_text()
    new.click()

    expect(screen.panel_name).to_have_text(name)


def assert_a_savepoint_is_uploaded_and_the_restore_is_judged(screen: Screen) -> None:
    """And another file is refused."""
    case = next(cases("restores"))
    document = {**case["new"], "flink": "2.2"}
    screen.upload("mine.json", json.dumps(document).encode())
    screen.tab("Restore")
    place = screen.page.locator("[class*=st-key-deployed-upload] input[type=file]")
    content = base64.b64decode(case["flink"][1]["metadata"])
    place.set_input_files({"name": "_metadata", "mimeType": "", "buffer": content})

    body = screen.page.locator(".st-key-restore-body")
    expect(body).to_contain_text("Flink 2.2 refuses")
    expect(screen.rows("Saved state")).to_have_count(9)
    screen.page.get_by_text("Allow non-restored state").click()
    expect(body).to_contain_text("drops the state of 'Keyed Reduce'")
    screen.rows("Saved state").filter(has_text="async 2").click()
    expect(screen.panel).to_contain_text("async 2")

    place = screen.page.locator("[class*=st-key-deployed-upload] input[type=file]")
    place.set_input_files({"name": "_metadata", "mimeType": "", "buffer": b"#" * (6 << 20)})

    card = screen.page.locator(".st-key-version-old")
    expect(card).to_contain_text("this is no savepoint's metadata")


def assert_messages_and_rows_lead_to_their_operators(screen: Screen) -> None:
    """Error messages, and rows of subtasks, comparisons and saved state."""
    screen.tab("Find ID")
    field = screen.page.get_by_label("An ID or an error message", exact=True)
    field.fill(RESTORE)
    field.press("Enter")

    screen.wait_for("stream", f"picked() === {screen.key_of('stream', 'words')!r}")
    expect(screen.panel_name).to_have_text("words")
    expect(screen.rows("Found")).to_contain_text("is the task 'words -> ones'")

    field.fill("bc764cd8 c09dc291")
    screen.page.get_by_role("button", name="Find", exact=True).click()
    expect(screen.rows("Found")).to_have_count(2)
    screen.rows("Found").nth(1).click()
    expect(screen.panel_name).to_have_text("ones")

    screen.tab("Execution graph")
    expect(screen.page.get_by_text("5 subtasks · 3 result partitions · 6 edges")).to_be_visible()
    screen.page.get_by_role("radio", name="Tasks", exact=True).click()
    # In the turn of the click: the server has not answered.
    picked = screen.rows("Tasks").nth(2).evaluate("row => (row.click(), __graphs.job.picked())")
    assert picked == screen.key_of("job", "count -> Sink: counts")
    expect(screen.panel_name).to_have_text("count -> Sink: counts")
    screen.idle()
    screen.page.get_by_role("radio", name="Subtasks").click()

    expect(screen.rows("Subtasks")).to_have_count(2)
    expect(screen.rows("Subtasks").first).to_contain_text("0 to 63")

    assert_two_releases_are_compared_and_a_changed_operator_is_picked(screen)
    assert_a_savepoint_is_uploaded_and_the_restore_is_judged(screen)


def test_steps_are_played_and_messages_and_rows_lead_to_their_operators(
    screen: Screen,
) -> None:
    assert_a_step_goes_with_its_player(screen)
    assert_every_step_colours_both_graphs_and_has_a_sentence(screen)
    steps = narrated("01-word-count")
    shown = player(screen)
    keys = screen.page.keyboard
    # No line shows whether an edge chains before a step decides it.
    screen.wait_for("stream", "dashes('e0').join() === '2,4'")
    keys.press("ArrowRight")
    expect(shown.locator(".words strong")).to_have_text(steps[1].title)
    keys.press("End")
    expect(shown.locator(".words strong")).to_have_text(steps[-1].title)
    screen.wait_for("stream", "dashes('e0').join() === '6,4'")
    screen.wait_for("stream", "dashes('e1').join() === ''")
    keys.press("ArrowLeft")
    expect(shown.locator(".words strong")).to_have_text(steps[-2].title)

    keys.press("Home")
    shown.get_by_label("Speed").select_option("20×")
    shown.locator(".words").click()
    keys.press(" ")
    expect(shown.locator(".count")).to_have_text(f"{len(steps)} of {len(steps)}")
    expect(shown.get_by_role("button", name="Play")).to_be_visible()
    shown.get_by_role("button", name="2 hash words").click()
    expect(shown.locator(".count")).to_have_text(f"2 of {len(steps)}")

    # The second of the steps is shown.
    screen.click("job", "v2")
    expect(shown.locator(".count")).to_contain_text("2 of")
    screen.tab("Decisions")
    screen.wait_for("stream", "step() === null")
    screen.wait_for("job", "marks('v1') === null")

    screen.tab("Steps")
    expect(shown.locator(".count")).to_contain_text("2 of")
    screen.open(screen.link)
    expect(screen.page.locator(".player .words strong")).to_be_visible()
    screen.wait_for("stream", "step() !== null")

    shown = player(screen)
    keys.press("Home")
    screen.page.locator(".pane[data-side=stream] [data-do=fold]").click()
    screen.wait_for("stream", "keys().length === 3")
    words = screen.key_of("stream", "words -> ones")
    shown.get_by_role("button", name="One step forward").click()
    screen.wait_for("stream", f"step() === {words!r}")
    shown.get_by_role("button", name="Last step").click()

    screen.wait_for_marks("stream", "ghost", set())
    assert_steps_of_another_document_are_its_own(screen)
    screen.sample("Word count")
    assert_messages_and_rows_lead_to_their_operators(screen)
