"""A job of a real cluster is taken while it runs and after it was cancelled, with its savepoint."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import explorer
from explorer.analysis.running import match_job
from explorer.cli.main import main
from explorer.documents import (
    JobGraphDocument,
    document_values,
    load_document,
    parse_document,
)
from explorer.flink.compiler import compile_graph
from tests.capture.flinks import jar, lib
from tests.rest.session_cluster import SessionCluster, session_cluster

pytestmark = pytest.mark.flink

VERSIONS = ("1.9.3", "1.20.5", "2.2.1")
SOURCE, SUMS, FEW = (
    "Source: Sequence Source -> slow -> down, (twice)",
    "sums -> (negative -> Sink: below 0, halves -> Filter -> Sink: Print to Std. Out)",
    '<none> & "few" -> Sink: Print to Std. Out',
)


class Taken(NamedTuple):
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
    params=[pytest.param(v, marks=pytest.mark.xdist_group(f"cluster {v}")) for v in VERSIONS],
)
def taken(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Taken]:
    version, folder = request.param, tmp_path_factory.mktemp("cluster")
    program = jar("Runs", version, folder)
    (captured,) = explorer.capture(program, ["live"], flink_lib=lib(version))
    with session_cluster(version, folder) as cluster:
        job = cluster.submit(program, "live")
        running = flowing(cluster)
        details, plan = cluster.ask(f"/jobs/{job}"), cluster.ask(f"/jobs/{job}/plan")
        savepoint = cluster.cancel_with_savepoint(job, folder / "savepoints")
        cancelled = document(explorer.capture(f"{cluster.address}/jobs/{job}"))
        yield Taken(cluster, job, running, details, plan, captured, savepoint, cancelled)


def document(captured: list[dict[str, Any]]) -> JobGraphDocument:
    (one,) = captured
    loaded = load_document(one)
    assert isinstance(loaded, JobGraphDocument)
    return loaded


def flowing(cluster: SessionCluster) -> JobGraphDocument:
    """The only job that runs, once its records have come to the last task."""
    while True:
        job = document(explorer.capture(cluster.address))
        if job.job.figures[-1].records_in and job.job.figures[-1].operators:
            return job


def test_a_running_job_is_the_tasks_that_flink_makes_of_its_program(taken: Taken) -> None:
    job, flinks = taken.running.job, taken.captured["flink_job_graph"]
    assert (job.id, job.name, job.state) == (taken.job, "live", "RUNNING")
    assert job.version == taken.cluster.version
    assert taken.running.flink == ".".join(taken.cluster.version.split(".")[:2])
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


def test_chained_operators_have_their_names_however_these_look(taken: Taken) -> None:
    names = {task.name: [one.name for one in task.operators] for task in taken.running.job.tasks}
    assert names == {
        SOURCE: ["Source: Sequence Source", "slow -> down, (twice)"],
        SUMS: ["sums", "negative", "Sink: below 0", "halves", "Filter", "Sink: Print to Std. Out"],
        FEW: ['<none> & "few"', "Sink: Print to Std. Out"],
    }


def test_figures_are_told_by_subtask_and_by_operator(taken: Taken) -> None:
    job = taken.running.job
    source, sums, few = job.figures
    assert [len(one.subtasks) for one in job.figures] == [1, 2, 2]
    assert {one.state for task in job.figures for one in task.subtasks} == {"RUNNING"}
    assert source.records_in == source.bytes_in == 0
    assert source.bytes_out > source.records_out > 0
    assert sums.bytes_in > sums.records_in > 0
    assert all(one.records_in > 0 for one in few.subtasks)
    for task, figures in zip(job.tasks[1:], job.figures[1:], strict=True):
        counts = {one.node: one for one in figures.operators}
        # Those of one name share one metric, which is then nobody's.
        assert set(counts) == {one.node for one in task.operators}
        assert all(
            counts[one.node].records_out == 0 for one in task.operators if one.name == "Filter"
        )


def test_how_busy_a_task_is_is_told_where_the_release_tells_it(taken: Taken) -> None:
    source = taken.running.job.figures[0].subtasks[0]
    shares = (source.busy, source.idle, source.back_pressured)
    times = (source.busy_ms, source.idle_ms, source.back_pressured_ms)
    if taken.measured:
        assert all(isinstance(one, float) and 0 <= one <= 1 for one in shares)
        assert all(isinstance(one, int) and one >= 0 for one in times)
    else:
        assert shares == times == (None, None, None)


def test_the_document_is_translated_into_the_tasks_that_run(taken: Taken) -> None:
    done = compile_graph(taken.running)
    match = match_job(taken.running.job, done)
    assert match.verdict == "this program"
    assert match.differences == ()
    assert load_document(document_values(taken.running)) == taken.running


def test_a_captured_program_is_the_one_that_runs(taken: Taken) -> None:
    match = match_job(taken.running.job, compile_graph(load_document(taken.captured)))
    assert match.verdict == "this program"
    assert match.differences == ()
    assert match.sentence == "The job is this program: all 3 tasks have its IDs."


def test_what_another_version_has_otherwise_is_listed(taken: Taken) -> None:
    changed = {**taken.captured, "stream_graph": {**taken.captured["stream_graph"]}}
    changed["stream_graph"]["nodes"] = [
        node | ({"parallelism": 3} if node["name"] in {"sums", "halves"} else {})
        for node in taken.captured["stream_graph"]["nodes"]
    ]
    del changed["flink_job_graph"]
    match = match_job(taken.running.job, compile_graph(load_document(changed)))
    assert match.verdict == "another version"
    sums = next(task for task in match.tasks if task.running == SUMS)
    assert "it runs with parallelism 2, and here has 3" in sums.differences
    assert any("is a task of this program, and does not run" in one for one in match.differences)


def test_a_saved_answer_is_a_document(taken: Taken) -> None:
    tasks = {task.id: task.name for task in taken.running.job.tasks}
    for answer in (taken.plan, taken.details):
        saved = parse_document(json.dumps(answer), name="saved.json")
        vertices = compile_graph(saved).job_graph.vertices
        assert {vertex.id: vertex.name for vertex in vertices} == tasks
    assert [one.name for one in compile_graph(load_document(taken.plan)).stream_graph.nodes]


def test_a_cancelled_job_keeps_its_counts(taken: Taken) -> None:
    job = taken.cancelled.job
    assert job.state == "CANCELED"
    assert job.ended
    assert [task.name for task in job.tasks] == [task.name for task in taken.running.job.tasks]
    # Without metrics and without a tree, an arrow in an operator's name is one between operators.
    assert (job.tasks == taken.running.job.tasks) == taken.has_trees
    assert job.end_time is not None
    assert job.end_time > 0
    for before, after in zip(taken.running.job.figures, job.figures, strict=True):
        assert after.records_in >= before.records_in
        assert after.operators == ()
        assert all(one.busy is None for one in after.subtasks)


def test_a_savepoints_operators_are_those_of_the_job(taken: Taken) -> None:
    savepoint = explorer.load_savepoint(taken.savepoint)
    program = compile_graph(load_document(taken.captured))
    running = compile_graph(taken.running)
    saved = {one.operator_id for one in savepoint.operators}
    heads = {task.id for task in taken.running.job.tasks}
    assert saved <= set(program.hashes.values())
    assert {one.id for one in taken.running.job.tasks if one.name in {SOURCE, SUMS}} <= saved
    assert saved & heads <= {
        running.hashes[task.operators[0].node] for task in taken.running.job.tasks
    }
    parallelism = {one.operator_id: one.parallelism for one in savepoint.operators}
    for task in taken.running.job.tasks:
        assert parallelism.get(task.id, task.parallelism) == task.parallelism
    assert explorer.check_restore(savepoint, load_document(taken.captured)).error is None


def test_the_shell_lists_a_clusters_jobs(taken: Taken, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["capture", taken.cluster.address]) == 0
    listed = capsys.readouterr().out
    assert f"{taken.cluster.address} has 1 job\n" in listed
    assert listed.split("\n")[1].split()[:2] == ["CANCELED", "live"]
    assert taken.address in listed


@pytest.mark.parametrize("job", ["live", None])
def test_the_shell_takes_one_job(
    taken: Taken, job: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    target = [taken.address] if job is None else [taken.cluster.address, "--job", job]
    assert main(["capture", *target]) == 0
    printed = load_document(json.loads(capsys.readouterr().out))
    assert isinstance(printed, JobGraphDocument)
    assert printed.job.id == taken.job


def test_a_job_that_ended_meanwhile_is_one_sentence(
    taken: Taken, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = f"{taken.cluster.address}/jobs/{'0' * 32}"
    assert main(["capture", gone]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"error: {taken.cluster.address} has no job {'0' * 32}: it ended and")
    assert f"its jobs are {taken.job} 'live'" in said
    with pytest.raises(explorer.ExplorerError, match="no job runs on"):
        explorer.capture(taken.cluster.address)
