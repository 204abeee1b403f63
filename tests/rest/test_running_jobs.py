"""A job of a real cluster is read while it runs and after it was cancelled, with its savepoint."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import explorer
from explorer.cli.main import main
from explorer.documents import JobGraphDocument, document_values, load_document, parse_document
from explorer.flink.compiler import compile_program
from explorer.rest.addresses import VARIABLE
from explorer.running.running_jobs import NOT_COMPARED, match_job
from tests.capture.flinks import jar, lib
from tests.pages.opened import html, opened, sent
from tests.rest.session_cluster import SessionCluster, document, flowing, session_cluster

SAME = f"Same operator IDs: all 3 tasks of the job have the IDs of this program. {NOT_COMPARED}"

pytestmark = pytest.mark.flink

SOURCE, SUMS, FEW = (
    "Source: Sequence Source -> slow -> down, (twice)",
    "sums -> (negative -> Sink: below 0, halves -> Filter -> Sink: Print to Std. Out)",
    '<none> & "few" -> Sink: Print to Std. Out',
)


LIVE = ("1.9.3", "2.2.1")
"""The oldest and the newest; what one between them answered is recorded, for ``test_jobs.py``."""


class LiveJob(NamedTuple):
    """A cluster, what was asked of it while its job ran, and what is left of the job."""

    cluster: SessionCluster
    job: str
    running: JobGraphDocument
    details: dict[str, Any]
    plan: dict[str, Any]
    captured: dict[str, Any]
    savepoint: Path
    cancelled: JobGraphDocument

    @property
    def address(self) -> str:
        """Where the job is asked for."""
        return f"{self.cluster.address}/jobs/{self.job}"

    @property
    def has_trees(self) -> bool:
        """Whether the release describes a chain by a line an operator."""
        return self.cluster.version != "1.9.3"

    @property
    def measured(self) -> bool:
        """Whether the release says how busy its tasks are."""
        return self.cluster.version != "1.9.3"


@pytest.fixture(
    scope="module",
    params=[pytest.param(v, marks=pytest.mark.xdist_group(f"cluster {v}")) for v in LIVE],
)
def live(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveJob]:
    version, folder = request.param, tmp_path_factory.mktemp("cluster")
    program = jar("Runs", version, folder)
    (captured,) = explorer.capture(program, ["live"], flink_lib=lib(version))
    with session_cluster(version, folder) as cluster:
        job = cluster.submit(program, "live")
        running = flowing(cluster)
        details, plan = cluster.ask(f"/jobs/{job}"), cluster.ask(f"/jobs/{job}/plan")
        savepoint = cluster.cancel_with_savepoint(job, folder / "savepoints")
        cancelled = document(explorer.capture(f"{cluster.address}/jobs/{job}"))
        yield LiveJob(cluster, job, running, details, plan, captured, savepoint, cancelled)


def test_a_running_job_is_the_tasks_that_flink_makes_of_its_program(live: LiveJob) -> None:
    job, flinks = live.running.job, live.captured["flink_job_graph"]
    assert (job.id, job.name, job.state) == (live.job, "live", "RUNNING")
    assert job.version == live.cluster.version
    assert live.running.flink == ".".join(live.cluster.version.split(".")[:2])
    assert {(task.id, task.name, task.parallelism) for task in job.tasks} == {
        (vertex["id"], vertex["name"], vertex["parallelism"]) for vertex in flinks["vertices"]
    }
    assert {(edge.source, edge.target, edge.ship_strategy) for edge in job.edges} == {
        (edge["source"], edge["target"], edge["ship_strategy"]) for edge in flinks["edges"]
    }
    types = {edge["result_type"] for edge in flinks["edges"]}
    assert {edge.result_type for edge in job.edges} == types
    assert job.configuration["job-parallelism"] == "2"
    assert job.configuration["checkpoints.interval"] == "1000"


def test_chained_operators_have_their_names_however_these_look(live: LiveJob) -> None:
    names = {task.name: [one.name for one in task.operators] for task in live.running.job.tasks}
    assert names == {
        SOURCE: ["Source: Sequence Source", "slow -> down, (twice)"],
        SUMS: ["sums", "negative", "Sink: below 0", "halves", "Filter", "Sink: Print to Std. Out"],
        FEW: ['<none> & "few"', "Sink: Print to Std. Out"],
    }


def test_figures_are_reported_by_subtask_and_by_operator(live: LiveJob) -> None:
    job = live.running.job
    source, sums, few = job.figures
    assert [len(one.subtasks) for one in job.figures] == [1, 2, 2]
    assert {one.state for task in job.figures for one in task.subtasks} == {"RUNNING"}
    assert source.records_in == source.bytes_in == 0
    assert (source.bytes_out or 0) > source.records_out > 0
    assert (sums.bytes_in or 0) > sums.records_in > 0
    assert all(one.records_in > 0 for one in few.subtasks)
    for task, figures in zip(job.tasks[1:], job.figures[1:], strict=True):
        counts = {one.node: one for one in figures.operators}
        # Those of one name share one metric, which is then nobody's.
        assert set(counts) == {one.node for one in task.operators}
        assert all(
            counts[one.node].records_out == 0 for one in task.operators if one.name == "Filter"
        )


def test_how_busy_a_task_is_is_shown_where_the_release_reports_it(live: LiveJob) -> None:
    source = live.running.job.figures[0].subtasks[0]
    shares = (source.busy, source.idle, source.back_pressured)
    times = (source.busy_ms, source.idle_ms, source.back_pressured_ms)
    if live.measured:
        assert all(isinstance(one, float) and 0 <= one <= 1 for one in shares)
        assert all(isinstance(one, int) and one >= 0 for one in times)
    else:
        assert shares == times == (None, None, None)


def test_the_document_is_translated_into_the_tasks_that_run(live: LiveJob) -> None:
    done = compile_program(live.running)
    match = match_job(live.running.job, done)
    assert match.verdict == "same operator IDs"
    assert match.differences == ()
    assert load_document(document_values(live.running)) == live.running


def test_a_captured_program_is_the_one_that_runs(live: LiveJob) -> None:
    match = match_job(live.running.job, compile_program(load_document(live.captured)))
    assert match.verdict == "same operator IDs"
    assert match.differences == ()
    assert match.sentence == SAME


def test_differences_of_another_version_are_listed(live: LiveJob) -> None:
    changed = {**live.captured, "stream_graph": {**live.captured["stream_graph"]}}
    changed["stream_graph"]["nodes"] = [
        node | ({"parallelism": 3} if node["name"] in {"sums", "halves"} else {})
        for node in live.captured["stream_graph"]["nodes"]
    ]
    del changed["flink_job_graph"]
    match = match_job(live.running.job, compile_program(load_document(changed)))
    assert match.verdict == "some operator IDs"
    sums = next(task for task in match.tasks if task.running == SUMS)
    assert "it runs with parallelism 2, and here has 3" in sums.differences
    assert any("is a task of this program, and does not run" in one for one in match.differences)


def test_a_saved_answer_is_a_document(live: LiveJob) -> None:
    tasks = {task.id: task.name for task in live.running.job.tasks}
    for answer in (live.plan, live.details):
        saved = parse_document(json.dumps(answer), name="saved.json")
        vertices = compile_program(saved).job_graph.vertices
        assert {vertex.id: vertex.name for vertex in vertices} == tasks
    assert [one.name for one in compile_program(load_document(live.plan)).stream_graph.nodes]


def test_a_cancelled_job_still_has_its_counts(live: LiveJob) -> None:
    job = live.cancelled.job
    assert job.state == "CANCELED"
    assert job.has_ended
    assert [task.name for task in job.tasks] == [task.name for task in live.running.job.tasks]
    # Without metrics and without a tree, an arrow in an operator's name is one between operators.
    assert (job.tasks == live.running.job.tasks) == live.has_trees
    assert job.end_time is not None
    assert job.end_time > 0
    for before, after in zip(live.running.job.figures, job.figures, strict=True):
        assert after.records_in >= before.records_in
        assert after.operators == ()
        assert all(one.busy is None for one in after.subtasks)


def test_a_batch_job_reports_the_stream_graph_of_its_tasks(live: LiveJob, tmp_path: Path) -> None:
    if live.cluster.version != "2.2.1":
        assert live.running.job.stream_graph == ()  # Older ones, and streaming jobs, tell none.
        return
    batch = {"execution.runtime-mode": "BATCH"}
    program = jar("Runs", "2.2.1", tmp_path)
    (captured,) = explorer.capture(program, flink_lib=lib("2.2.1"), configuration=batch)
    id = live.cluster.submit(program, "", batch)
    running = document(explorer.capture(f"{live.cluster.address}/jobs/{id}"))
    live.cluster.cancel(id)
    reported, nodes = running.job.stream_graph, captured["stream_graph"]["nodes"]
    assert [one.name for one in reported] == [one["name"] for one in nodes]
    # The cluster's JVM has numbered the other job's operators before.
    assert len({one.node - node["id"] for one, node in zip(reported, nodes, strict=True)}) == 1
    assert [task.name for task in running.job.tasks] == [SOURCE]
    assert [one.task for one in running.job.stream_graph].count(None) == 8
    ours = compile_program(running).job_graph
    names = [vertex["name"] for vertex in captured["flink_job_graph"]["vertices"]]
    assert sorted(vertex.name for vertex in ours.vertices) == sorted(names)
    match = match_job(running.job, compile_program(load_document(captured)))
    assert (match.verdict, match.differences) == ("same operator IDs", ())
    assert match.sentence.startswith(
        "Same operator IDs: all 1 task of the job that there are so far"
    )
    assert load_document(document_values(running)) == running


def test_a_savepoints_operators_are_those_of_the_job(live: LiveJob) -> None:
    savepoint = explorer.load_savepoint(live.savepoint)
    program = compile_program(load_document(live.captured))
    running = compile_program(live.running)
    saved = {one.operator_id for one in savepoint.operators}
    heads = {task.id for task in live.running.job.tasks}
    assert saved <= set(program.hashes.values())
    assert {one.id for one in live.running.job.tasks if one.name in {SOURCE, SUMS}} <= saved
    assert saved & heads <= {
        running.hashes[task.operators[0].node] for task in live.running.job.tasks
    }
    parallelism = {one.operator_id: one.parallelism for one in savepoint.operators}
    for task in live.running.job.tasks:
        assert parallelism.get(task.id, task.parallelism) == task.parallelism
    assert explorer.check_restore(savepoint, load_document(live.captured)).error is None


def test_the_shell_lists_a_clusters_jobs(live: LiveJob, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["capture", live.cluster.address]) == 0
    listed = capsys.readouterr().out
    assert listed.startswith(f"{live.cluster.address} has ")
    (line,) = (line for line in listed.split("\n") if line.endswith(live.address))
    assert line.split()[:2] == ["CANCELED", "live"]


@pytest.mark.parametrize("job", ["live", None])
def test_the_shell_captures_one_job(
    live: LiveJob, job: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    target = [live.address] if job is None else [live.cluster.address, "--job", job]
    assert main(["capture", *target]) == 0
    printed = load_document(json.loads(capsys.readouterr().out))
    assert isinstance(printed, JobGraphDocument)
    assert printed.job.id == live.job


def test_the_page_asks_a_cluster_that_was_named(
    live: LiveJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, live.cluster.address)
    page = opened(tab="Running job")
    captured = json.dumps(live.captured).encode()
    page.file_uploader[0].upload("mine.json", captured, "application/json").run()
    page.button(key="jobs").click().run()
    page.selectbox(key="chosen-job").set_value(live.job).run()
    page.button(key="take").click().run()
    assert not page.exception
    assert SAME in html(page)
    assert live.job in html(page)
    cards = [part for part in sent(page, "graphs")["job"]["parts"] if part[0].startswith("card:")]
    assert all('class="track"' in svg for *_, svg in cards)


def test_a_job_that_ended_meanwhile_is_one_sentence(
    live: LiveJob, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = f"{live.cluster.address}/jobs/{'0' * 32}"
    assert main(["capture", gone]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"error: {live.cluster.address} has no job {'0' * 32}: it ended and")
    assert f"{live.job} 'live'" in said.partition("its jobs are ")[2]
    with pytest.raises(explorer.ExplorerError, match="no job runs on"):
        explorer.capture(live.cluster.address)
