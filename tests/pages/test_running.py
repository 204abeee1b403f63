"""The tab of a running job, run by AppTest: files that real clusters answered, and no cluster."""

import json
import re
from typing import Any

import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from components.run.trial import job_figures, run_comparison
from components.run.trial.runs import ReadJob, Run
from explorer.documents import JobGraphDocument, load_document
from explorer.drawing.view.graph_view import graph_view
from explorer.flink.compiler import compile_program
from explorer.rest.addresses import VARIABLE, ClusterError, named_clusters
from explorer.running.job_report import job_report
from tests.engine.in_process import report_of
from tests.golden_files import cases
from tests.pages.opened import drawn, html, opened, sent, uploader

RECORDED: dict[str, Any] = next(case for case in cases("running_jobs") if case["flink"] == "1.20.5")
SOURCE = "Source: Sequence Source -> slow -> down, (twice)"


def with_job(which: str = "running", program: str = "captured") -> AppTest:
    """The page with the program open, compared with the recorded job."""
    page = opened(tab="Running job")
    document = json.dumps(RECORDED[program]).encode()
    uploader(page).upload("mine.json", document, "application/json").run()
    job = json.dumps(RECORDED[which]).encode()
    page.file_uploader[1].upload("job.json", job, "application/json").run()
    assert not page.exception
    return page


def bars(page: AppTest) -> dict[str, str]:
    """Map the name of each task with a bar to the SVG of its card."""
    names = sent(page, "graphs")["job"]["names"]
    return {names[key]: card for key, card in drawn(page, "job").items() if 'class="track"' in card}


def test_operator_ids_show_that_the_job_is_this_program() -> None:
    page = with_job()
    assert "Same operator IDs: all 3 tasks of the job have the IDs of this program." in html(page)
    rows = sent(page, "Running tasks")["rows"]
    assert [row["cells"][0]["text"] for row in rows] == ["the same"] * 3
    assert all(row["key"] for row in rows)


def test_its_figures_are_drawn_on_the_graph() -> None:
    page = with_job()
    card = bars(page)[SOURCE]
    assert re.search(r'class="load" [^>]*width="[1-9]', card)
    assert 'class="part"' not in card
    assert re.search(r">[^<]*out[^<]*busy[^<]*</text>", card)
    assert any("records" in label for label in drawn(page, "job", "label").values())


@pytest.mark.slow
def test_its_figures_are_listed_as_a_run_with_the_trials() -> None:
    page = with_job()
    page.session_state["tab"] = page.query_params["tab"] = "Local run"
    page.run()
    rows = sent(page, "Tasks")["rows"]
    assert [row["cells"][1] for row in rows] == ["RUNNING"] * 3
    for view, count in (("Subtasks", 5), ("Operators", 10)):
        page.segmented_control(key="view").set_value(view).run()
        assert len(sent(page, view)["rows"]) == count
    assert not page.exception


def test_a_saved_plan_is_matched_and_has_no_figures() -> None:
    page = with_job("plan")
    assert "Same operator IDs" in html(page)
    assert not bars(page)


def test_a_job_can_be_opened_as_the_document() -> None:
    page = with_job()
    page.button(key="open-job").click().run()
    assert not page.exception
    text = html(page)
    assert "Read-only: the cluster reports the tasks" in text
    assert "<bdi>state</bdi> <b><bdi>RUNNING</bdi></b>" in text
    assert bars(page)[SOURCE]
    assert "open-job" not in [button.key for button in page.button]


def test_a_trial_can_imitate_the_job() -> None:
    page = with_job()
    page.button(key="imitate").click().run()
    assert not page.exception
    work = page.session_state["work"]
    assert any(node.synthetic for node in work.document.stream_graph.nodes)
    assert work.document.flink_job_graph is not None
    assert bars(page)[SOURCE]


def test_an_uploaded_job_shows_its_figures() -> None:
    page = opened(tab="IDs")
    job = json.dumps(RECORDED["running"]).encode()
    uploader(page).upload("job.json", job, "application/json").run()
    assert bars(page)[SOURCE]


def test_another_program_is_reported_as_one() -> None:
    page = opened(tab="Running job")
    job = json.dumps(RECORDED["running"]).encode()
    page.file_uploader[1].upload("job.json", job, "application/json").run()
    assert "Other operator IDs" in html(page)
    verdicts = {row["cells"][0]["text"] for row in sent(page, "Running tasks")["rows"]}
    assert verdicts == {"only running", "does not run"}
    assert not bars(page)


def test_an_edge_of_a_task_that_does_not_run_has_no_figures() -> None:
    """Of a task with two inputs a cluster counts neither alone: the producers that run do."""
    running = load_document(RECORDED["running"])
    assert isinstance(running, JobGraphDocument)
    report = job_report(running.job, compile_program(load_document(RECORDED["captured"])))
    united: list[dict[str, Any]] = [{"id": name, "type": "source"} for name in ("a", "b")]
    united += [{"id": "u", "type": "union", "inputs": ["a", "b"]}]
    united += [{"id": "out", "type": "sink", "inputs": ["u"]}]
    view = graph_view(compile_program(load_document({"transformations": united})))
    first, second, out = view.vertices
    vertices = [replace(report.vertices[0], id=vertex.id) for vertex in (first, out)]
    figures = job_figures.on_graph(view, replace(report, vertices=tuple(vertices)))

    edges = {edge.source: edge.key for edge in view.job_edges}
    assert figures.edges.keys() == {edges[first.key]}
    assert " records · " in figures.edges[edges[first.key]]
    assert second.key not in figures.bars


def test_a_program_is_no_job() -> None:
    page = with_job("captured")
    assert "&#x27;job.json&#x27; holds a program and no submitted job" in html(page)


def test_without_a_named_cluster_none_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    page = opened(tab="Running job")
    assert "Not connected to a cluster" in html(page)
    assert "jobs" not in [button.key for button in page.button]


def test_a_cluster_that_is_gone_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "http://127.0.0.1:1 http://127.0.0.1:2")
    page = opened(tab="Running job")
    assert page.selectbox(key="cluster").options == ["http://127.0.0.1:1", "http://127.0.0.1:2"]
    page.button(key="jobs").click().run()
    assert not page.exception
    assert "there is no cluster on http://127.0.0.1:1 (connection refused)" in html(page)


def test_named_clusters_are_clusters_each_once() -> None:
    named = named_clusters({VARIABLE: "http://a:1 https://b http://a:1/"})
    assert list(map(str, named)) == ["http://a:1", "https://b:443"]
    assert named_clusters({}) == ()
    for wrong in ("ftp://a", f"http://a:1/jobs/{'0' * 32}"):
        with pytest.raises(ClusterError):
            named_clusters({VARIABLE: wrong})


def test_a_trial_and_a_running_job_are_compared() -> None:
    document, running = load_document(RECORDED["captured"]), load_document(RECORDED["running"])
    assert isinstance(running, JobGraphDocument)
    done = compile_program(document)
    view, trial, job = graph_view(done), report_of(done), job_report(running.job, done)
    live = Run(number=2, title="live", document=document, view=view, trial=ReadJob(job))
    tried = Run(number=1, title="trial", document=document, view=view, trial=None)
    rows = run_comparison.rows(tried, trial, live, job)
    assert len(rows) == 1 + len(view.nodes)
    slow = next(row.cells for row in rows if row.cells[0] == "slow -> down, (twice)")
    assert slow[1] == "1,000"
    assert isinstance(slow[2], str)
    assert int(slow[2].replace(",", "")) > 0
    assert slow[8] == "—"
    assert [column.label for column in run_comparison.columns(tried, live)][1:4] == [
        "records in, run 1",
        "records in, run 2",
        "records in, difference",
    ]
    assert all(len(row.cells) == 12 for row in rows)
    more = 1_000 - int(slow[2].replace(",", ""))
    assert slow[3] == {
        "text": f"{more:+,}",
        "note": f"{more / (1_000 - more):+.0%}",
    }
    assert slow[9] == {"text": "—", "tone": "mute"}
    same = run_comparison.rows(tried, trial, tried, trial)
    assert {cell["text"] for row in same for cell in row.cells if isinstance(cell, dict)} >= {
        "none"
    }
