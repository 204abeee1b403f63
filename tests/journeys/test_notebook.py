"""The widget in JupyterLab: a kernel of its own, Chromium, and the notebook of the repository."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from explorer.documents.lesson_files import load_lesson
from tests.journeys.conftest import ROOT, free_port, wait_for_health, watched_page
from tests.journeys.lab import Lab, lab_server, notebook
from tests.notebooks import sources

pytestmark = pytest.mark.process

SAMPLE = ROOT / "sample_graphs" / "09-delays-by-carrier.yaml"
SHOW = f"import explorer\ngraph = explorer.widget({str(SAMPLE)!r})\ngraph"
ASK = """selected = graph.selection and graph.selection.name
print(selected, graph.release, graph.chaining, len(graph.compilation.job_graph.vertices))"""
SELECT = 'graph.selection = ("flights", "late-only")\nprint(graph.selection.partitioner)'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's folder: a notebook with a widget, and that of the repository."""
    made = tmp_path_factory.mktemp("notebooks")
    (made / "widget.ipynb").write_text(notebook((SHOW, ASK, SELECT)), encoding="utf-8")
    samples = made / "sample_graphs"
    shutil.copytree(ROOT / "sample_graphs", samples)
    known = json.loads((samples / "explorer.ipynb").read_text(encoding="utf-8"))
    (samples / "fresh.ipynb").write_text(notebook(tuple(sources(known))), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def lab_address(folder: Path) -> Iterator[tuple[str, str]]:
    """The address of a notebook server, and its token."""
    port = free_port()
    with lab_server(folder, port) as (server, log, token):
        address = f"http://127.0.0.1:{port}"
        wait_for_health(f"{address}/login", server, log)
        yield address, token


@pytest.fixture
def lab_page(browser: Browser) -> Iterator[Page]:
    with watched_page(browser) as made:
        yield made


@pytest.fixture
def lab(lab_page: Page, lab_address: tuple[str, str]) -> Lab:
    return Lab(lab_page, *lab_address)


def highlighted(widget: Locator) -> set[str]:
    """The keys of what is highlighted or picked."""
    found = widget.locator(".pane .highlighted, .pane .picked").all()
    return {part.get_attribute("data-key") or "" for part in found}


def test_a_widget_is_selected_in_changed_and_played(
    lab: Lab, browser: Browser, folder: Path
) -> None:
    lab.open("widget.ipynb")
    lab.run_all()
    widget = lab.cell(0).locator(".widget")
    expect(widget.locator(".pane")).to_have_count(2)
    expect(lab.page.locator("iframe")).not_to_be_visible()

    # A click lights both graphs, and Python knows; what Python selects lights them too.
    widget.locator('.card[data-key="n2"]').click()
    assert highlighted(widget) == {"n2", "v2"}
    operator_id = widget.locator("aside dd.id").first
    expect(operator_id).to_have_text("20ba6b65f97481d5570070de90e4e791")
    assert operator_id.evaluate("id => id.scrollWidth <= id.clientWidth && id.clientHeight < 30")
    assert lab.run(1) == "late only 2.3 True 3"
    assert lab.run(2) == "REBALANCE"
    expect(widget.locator("aside .outcome")).to_have_text("Not chained: 2 of 12 conditions fail")
    assert highlighted(widget) == {"e0", "j0"}

    # A toggle compiles through the kernel, and the selection stays on its part.
    widget.locator('.card[data-key="n2"]').click()
    widget.get_by_label("chaining strategy").select_option("NEVER")
    expect(widget.locator(".counts")).to_have_text(re.compile("4 tasks"))
    widget.get_by_label("parallelism").press("Control+a")
    widget.get_by_label("parallelism").press_sequentially("0\n")
    expect(widget.get_by_role("alert")).to_have_text(re.compile("must be 1 to 32768, but is 0"))
    widget.get_by_label("Flink release").select_option("1.13")
    expect(widget.locator(".counts")).to_have_text(re.compile("^Flink 1.13"))
    widget.get_by_label("Chaining", exact=True).uncheck()
    expect(widget.locator(".counts")).to_have_text("Flink 1.13 · 5 operators · 5 tasks · 2 slots")
    expect(widget.get_by_role("alert")).not_to_be_visible()
    assert lab.run(1) == "late only 1.13 False 5"
    for left in ("1.13 .* 4 tasks", "2.3 .* 4 tasks", "2.3 .* 3 tasks"):
        widget.get_by_role("button", name="Undo").click()
        expect(widget.locator(".counts")).to_have_text(re.compile(left))
    expect(widget.get_by_role("button", name="Undo")).to_be_disabled()

    # The steps colour both graphs; the notebook's own keys stay the notebook's.
    widget.get_by_role("button", name="Steps").click()
    expect(widget.locator(".step-now")).to_have_attribute("data-key", "n1")
    widget.get_by_role("button", name="One step forward").click()
    expect(widget.locator(".card.step-now")).to_have_attribute("data-key", "n2")
    assert widget.locator(".card.step-unhashed .mono").count() > 0
    lab.page.keyboard.press("End")
    expect(widget.locator(".step-ghost")).to_have_count(0)
    expect(widget.locator(".count")).to_have_text("15 of 15")

    _taught(widget)
    assert "widgets" not in lab.saved(folder, "widget.ipynb")["metadata"]
    # JupyterLab itself complains in the console of a widget whose kernel has gone.
    _without_a_kernel(Lab(browser.new_page(), lab.address, lab.token), folder)


def _taught(widget: Locator) -> None:
    """The sample's lesson: what it names is highlighted, and it answers."""
    widget.get_by_role("button", name="Lesson").click()
    expect(widget.locator(".lesson .say")).to_contain_text("1 of ")
    expect(widget.locator(".lesson")).to_contain_text(load_lesson(SAMPLE).lesson.lesson)
    expect(widget.locator(".player")).to_have_count(0)
    while not widget.locator(".lesson .ask").count():
        widget.get_by_role("button", name="Next →").click()
    widget.locator(".choices button").first.click()
    if widget.locator(".reveal").count():
        widget.locator(".reveal").click()
    expect(widget.locator(".verdict.good, .verdict.bad")).to_be_visible()
    expect(widget.locator(".choices .right").first).to_be_visible()
    expect(widget.locator(".veiled")).to_have_count(0)
    widget.get_by_role("button", name="Lesson").click()
    expect(widget.locator(".lesson")).to_have_count(0)


def _without_a_kernel(lab: Lab, folder: Path) -> None:
    """The saved notebook shows the same pictures: as a page, and opened with another kernel."""
    from nbconvert import HTMLExporter

    page, _ = HTMLExporter(template_name="basic").from_filename(str(folder / "widget.ipynb"))
    assert page.count("<iframe") == 1
    assert "delay sum -&amp;gt; Sink: out" in page
    shutil.copy(folder / "widget.ipynb", folder / "again.ipynb")
    lab.open("again.ipynb")
    still = lab.cell(0).frame_locator("iframe")
    expect(still.locator(".pane")).to_have_count(2)
    still.locator('.card[data-key="n2"]').click()
    expect(still.locator("aside .name")).to_have_text("late only")


def test_the_sample_notebook_runs_in_a_notebook(lab: Lab, folder: Path) -> None:
    lab.open("sample_graphs/fresh.ipynb")
    lab.run_all()

    shown = lab.saved(folder, "sample_graphs/fresh.ipynb")["cells"]
    kinds = [[output["output_type"] for output in cell["outputs"]] for cell in shown]
    assert all(kinds)
    assert "error" not in {kind for each in kinds for kind in each}
    expect(lab.cell(0).locator(".widget .pane")).to_have_count(2)
