"""Trial runs from the page, on a real Spark."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import expect

from components.session.keys import Key
from tests.journeys.screen import Screen
from tests.visitors import Visitor

pytestmark = pytest.mark.spark

SLOW = b"""
name: slow
environment: {parallelism: 1}
transformations:
  - {id: numbers, type: source, rows: {sequence: {from: 1, to: 40000000000}}}
  - {id: double, type: map, inputs: [numbers], select: {n: "n * 2"}}
  - {id: none, type: filter, inputs: [double], where: "n < 0"}
  - {id: out, type: sink, inputs: [none]}
"""
VISITORS = range(1, 9)
OWN = """
name: of visitor {number}
transformations:
  - {{id: numbers, type: source, rows: {{sequence: {{from: 1, to: {number}234}}}}}}
  - {{id: out, type: sink, inputs: [numbers], name: out {number}}}
"""
"""Each visitor has another number of rows."""
START_OF_SPARK = 600_000.0
"""Milliseconds that a busy machine may need."""


def finish(screen: Screen) -> None:
    """Wait until the run that is shown has its figures."""
    expect(screen.page.get_by_role("button", name="Run again")).to_be_visible(
        timeout=START_OF_SPARK
    )
    screen.idle()


def assert_the_last_figures_stay_when_a_trial_stops_reporting(screen: Screen) -> None:
    """The last look at a trial may be long before its end, and come after the final drawing."""
    drawn = screen.graph("stream", "figures('n2')")

    reported = screen.page.evaluate(
        """async () => {
            const { name } = performance.getEntriesByType("resource")
                .find(({ name }) => name.includes("graph/figures.js"));
            const { publishFigures } = await import(name);
            publishFigures({ bars: {}, operators: { n2: "1 → 0" }, loads: {} });
            const told = globalThis.__graphs.stream.figures("n2");
            publishFigures(null);
            return told;
        }"""
    )

    assert reported[1] == "1 → 0" != drawn[1]
    assert screen.graph("stream", "figures('n2')") == drawn


def assert_chained_and_unchained_runs_alternate(screen: Screen) -> None:
    """And those with copied and with reused objects."""
    offers = screen.page.get_by_role("button", name="Compare", exact=True)
    offers.click()
    screen.page.get_by_role("button", name="Compare chaining").click()
    expect(screen.page.get_by_role("button", name="Compare again")).to_be_visible(
        timeout=START_OF_SPARK
    )
    screen.idle()

    rows = screen.rows("Chained and unchained")
    expect(rows.filter(has_text="whole run")).to_have_count(1)
    tasks = rows.filter(has=screen.page.get_by_role("cell", name="tasks", exact=True))
    expect(tasks.first).to_contain_text("3")
    expect(tasks.first).to_contain_text("5")
    screen.page.get_by_role("button", name="Back").click()
    offers.click()
    screen.page.get_by_role("button", name="Compare object reuse").click()
    copied = screen.rows("Copied and reused").filter(has_text="records copied within tasks")
    expect(copied).to_have_count(1, timeout=START_OF_SPARK)
    # As copies 404 records, as the same objects none.
    expect(copied.locator("td").nth(3)).to_have_text("0")
    expect(copied.locator("td").nth(1)).not_to_have_text("0")


def test_a_trial_shows_its_figures_everywhere_and_is_compared_with_the_next(screen: Screen) -> None:
    assert_the_last_figures_stay_when_a_trial_stops_reporting(screen)
    screen.page.get_by_role("button", name="Trial run").click()
    finish(screen)

    first = screen.rows("Tasks").first
    expect(first).to_contain_text("Source: licence")
    expect(first).to_contain_text("202")
    screen.wait_for("job", "labels().some(label => label.includes('202 records'))")
    screen.page.get_by_role("radio", name="Operators").click()
    expect(screen.rows("Operators")).to_have_count(5)
    screen.rows("Operators").filter(has_text="ones").click()
    expect(screen.panel_name).to_have_text("ones")
    screen.page.get_by_role("radio", name="Timeline").click()
    expect(screen.page.locator(".st-key-below canvas, .st-key-below svg.marks")).to_have_count(1)
    screen.page.get_by_role("radio", name="Time and bytes").click()
    expect(screen.page.locator(".st-key-below canvas, .st-key-below svg.marks")).to_have_count(2)
    screen.page.get_by_role("radio", name="Rows").click()
    expect(screen.page.locator(".st-key-below")).to_contain_text("1,589 rows, the first 1,000")
    with screen.page.expect_download() as download:
        screen.page.get_by_role("button", name="Figures").click()
        screen.page.get_by_role("button", name="Download JSON").click()
    report = json.loads(download.value.path().read_text())
    assert [vertex["records_in"] for vertex in report["vertices"]].count(0) == 1
    assert report["sinks"]["out"]["rows"] == 1589
    screen.page.keyboard.press("Escape")

    screen.page.get_by_text("Chaining", exact=True).click()
    expect(screen.counts).to_contain_text("5 tasks")
    expect(screen.page.locator(".x-provenance")).to_contain_text("of an earlier document")
    expect(screen.page.locator(".st-key-trial-old")).to_be_visible()
    screen.page.get_by_role("button", name="Run again").click()
    beside = screen.page.get_by_role("combobox", name="Compare with")
    expect(beside).to_be_visible(timeout=START_OF_SPARK)
    screen.idle()
    beside.click()
    screen.page.get_by_role("option", name="against run 1").click()

    whole = screen.rows("Run 2 compared with run 1").first
    expect(whole).to_contain_text("5 tasks")
    expect(whole).to_contain_text("3 tasks")
    screen.page.get_by_role("button", name="Undo").click()
    expect(screen.counts).to_contain_text("3 tasks")
    screen.wait_for("job", "labels().some(label => label.includes('202 records'))")

    assert_chained_and_unchained_runs_alternate(screen)


def assert_a_captured_program_runs_on_figures_that_are_typed(screen: Screen) -> None:
    """Its graphs are compared with those of its Flink."""
    screen.sample("Captured: DataStream with uids")
    expect(screen.panel).to_contain_text("Equal to what your Flink 1.20.5 makes of this program")
    screen.tab("Local run")
    screen.page.get_by_role("button", name="Unfold", exact=True).click()
    screen.click("stream", screen.key_of("stream", "parse"))
    field = screen.form.get_by_label("records out")
    field.fill("0.5")
    field.press("Enter")
    screen.idle()
    planned = screen.rows("What the trial will do").filter(has_text="delay by carrier")
    expect(planned).to_contain_text("500")

    screen.page.get_by_role("button", name="Trial run", exact=False).first.click()
    finish(screen)
    screen.page.get_by_role("radio", name="Operators").click()
    expect(screen.rows("Operators").filter(has_text="delay by carrier")).to_contain_text("500")
    screen.page.get_by_role("button", name="Notes").click()
    notes = screen.page.locator(".x-warnings")
    expect(notes.last).to_contain_text("synthetic operators run in their place")
    expect(screen.counts).to_contain_text("equal to Flink 1.20.5")


def test_a_missing_file_is_reported_files_outlive_a_reload_and_captured_programs_run(
    screen: Screen,
) -> None:
    document = SLOW.replace(
        b"{sequence: {from: 1, to: 40000000000}}", b"{path: nowhere.csv, format: csv}"
    )
    screen.upload("file.yaml", document)
    screen.wait_for_overview("slow")
    screen.page.get_by_role("button", name="Trial run").click()

    expect(screen.page.locator(".st-key-below").get_by_role("alert")).to_contain_text("nowhere.csv")
    screen.page.get_by_role("button", name="Data", exact=True).click()
    data = {"name": "mine.csv", "mimeType": "text/csv", "buffer": b"a,b\n1,2\n"}
    screen.page.locator("input[type=file]").last.set_input_files([data])  # type: ignore[arg-type]
    added = screen.page.get_by_test_id("stPopoverBody").get_by_text("mine.csv, ")
    expect(added).to_be_visible()
    screen.page.reload()
    screen.tab("Local run")
    screen.page.get_by_role("button", name="Data", exact=True).click()
    expect(added).to_be_visible()
    screen.page.keyboard.press("Escape")

    assert_a_captured_program_runs_on_figures_that_are_typed(screen)


def test_a_run_outlives_a_reload_and_is_cancelled_and_the_next_one_waits_for_nothing(
    screen: Screen,
) -> None:
    screen.upload("slow.yaml", SLOW)
    screen.wait_for_overview("slow")
    screen.page.get_by_role("button", name="Trial run").click()
    expect(screen.page.get_by_role("status")).to_contain_text("running", timeout=START_OF_SPARK)
    # The task, and the operators that it holds.
    expect(screen.rows("Progress")).to_have_count(1 + 4)
    # Both graphs are told while it runs: records and busy time by operator, busy time by task.
    screen.wait_for("stream", "figures('n2')[1]?.includes(' → ')")
    screen.wait_for("stream", "figures('n2')[2]?.[0] > 0")
    expect(screen.rows("Progress").filter(has_text="\N{EM SPACE}").first).to_be_visible()
    screen.wait_for("job", "figures('v1')[0]?.match(/ in . [1-9]/)")
    screen.page.reload()
    screen.tab("Local run")
    expect(screen.page.get_by_role("status")).to_contain_text("Run 1")
    screen.page.get_by_role("button", name="Cancel").click()

    said = screen.page.locator(".st-key-below").get_by_role("status")
    expect(said).to_contain_text("the trial was cancelled", timeout=START_OF_SPARK)
    expect(screen.page.locator(".st-key-below").get_by_role("alert")).to_have_count(0)
    screen.sample("Word count")
    screen.page.get_by_role("button", name="Trial run").click()
    expect(screen.rows("Tasks")).to_have_count(3, timeout=START_OF_SPARK)


async def own_figures(port: int, number: int) -> tuple[str, list[Any]]:
    """What a visitor's page writes after its own trial, and the rows of its table of tasks."""
    visitor = await Visitor(port).open("tab=Local run")
    await visitor.upload(Key.UPLOAD, "own.yaml", OWN.format(number=number).encode())
    tasks = await visitor.run_trial()
    await visitor.pick(Key.VIEW, "Rows")
    await visitor.close()
    return visitor.html, tasks


async def figures_of_all(port: int) -> list[tuple[str, list[Any]]]:
    """The same of all visitors, who are there at once."""
    return await asyncio.gather(*(own_figures(port, number) for number in VISITORS))


@pytest.mark.xdist_group("browser")  # with the server and the Spark of the others here
def test_sessions_at_once_each_have_their_own_figures(address: str) -> None:
    port = int(address.rpartition(":")[2])
    visits = asyncio.wait_for(figures_of_all(port), START_OF_SPARK / 1000)
    # Playwright's loop runs in this thread once another test has opened a browser.
    with ThreadPoolExecutor(1) as executor:
        shown = executor.submit(asyncio.run, visits).result()

    for number, (html, tasks) in zip(VISITORS, shown, strict=True):
        assert f"{number},234 rows" in html
        assert len(tasks) == 1
        assert f"out {number}" in json.dumps(tasks)
