"""Laws of a trial, on random pipelines that compute something, and on those of the golden files."""

from collections.abc import Mapping, Set
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import Compilation, compile_graph
from explorer.engine.counters import OperatorCounters
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.rows import pieces, sizes
from explorer.engine.starting import preview
from explorer.engine.task.frames import FramesLostError
from explorer.engine.task.lineage import Lineage
from explorer.engine.task.subtask import Subtask
from explorer.model.stream_graph import NodeId
from tests.engine.in_process import counts_of, report_of, rows_of, trial, unchained
from tests.engine.running_pipelines import running_pipelines
from tests.golden_files import cases
from tests.many_cases import for_each


def _figures(report: TrialReport) -> list[tuple[Any, ...]]:
    """All that a trial counts, without its times."""
    return [(one.id, counts_of(one)) for one in report.vertices]


def _no_listener(operator: int, counters: OperatorCounters) -> None:
    """Drop the progress of a subtask."""


def _operators(
    report: TrialReport, broadcast_readers: Set[str]
) -> dict[int, tuple[int | None, int | None]]:
    """What each operator read and emitted; nothing of the input of those that get every row."""
    return {
        one.node: (
            None if one.transformation in broadcast_readers else one.records_in,
            one.records_out,
        )
        for one in report.operators
    }


def _broadcast_readers_in_batch(document: Mapping[str, Any]) -> set[str]:
    """Operators with subtasks that each get all rows of an input, where tasks decide how many."""
    if document["environment"].get("runtime_mode") != "BATCH":
        return set()
    return {t["id"] for t in document["transformations"] if t["type"] == "broadcast_connect"}


def _check_that_all_sent_arrives(compilation: Compilation, report: TrialReport) -> None:
    parallelism = {vertex.id: vertex.parallelism for vertex in report.vertices}
    arrived = dict.fromkeys(parallelism, 0)
    for edge, planned in zip(report.edges, compilation.job_graph.edges, strict=True):
        copies = 1
        if edge.ship_strategy == "BROADCAST":
            copies = parallelism[planned.target]
        arrived[edge.target] += edge.records * copies

    assert arrived == {vertex.id: vertex.records_in for vertex in report.vertices}


def _check_without_chains(document: Mapping[str, Any], report: TrialReport) -> None:
    alone = trial(unchained(document))
    broadcast_readers = _broadcast_readers_in_batch(document)

    assert rows_of(report) == rows_of(alone)
    assert _operators(report, broadcast_readers) == _operators(alone, broadcast_readers)


def _check_in_another_order(compilation: Compilation, report: TrialReport, random: Random) -> None:
    again = report_of(compilation, random=random)

    assert _figures(report) == _figures(again)
    assert [sink.data for sink in report.sinks.values()] == [
        sink.data for sink in again.sinks.values()
    ]


def _check_in_smaller_batches(compilation: Compilation, report: TrialReport) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "BATCH_BYTES", 100)
        patch.setattr(sizes, "WORK_BYTES", 2000)
        cut = report_of(compilation)
    here, there = (
        [(one.records_in, one.records_out, one.bytes_out) for one in each.vertices]
        for each in (report, cut)
    )

    assert rows_of(cut) == rows_of(report)
    assert there == here


def _check_with_origins(compilation: Compilation, report: TrialReport) -> None:
    lineage = Lineage()
    traced = report_of(compilation, lineage=lineage)
    assert _figures(traced) == _figures(report)
    assert _operators(traced, set()) == _operators(report, set())
    assert [(edge.records, edge.bytes) for edge in traced.edges] == [
        (edge.records, edge.bytes) for edge in report.edges
    ]
    assert rows_of(traced) == rows_of(report)

    # Every record but a source's is made of one that was there before, and has been read.
    parents = lineage.descent.parents()
    received = {int(number) for part in lineage.received for number in part.numbers}
    for part in lineage.emitted:
        origins = parents[0, part.numbers.start : part.numbers.stop]
        if compilation.stream_graph.in_edges[NodeId(part.node)]:
            assert (origins >= 0).all()
            assert (origins < part.first).all()
        else:
            assert (origins == -1).all()
    assert received <= {number for part in lineage.emitted for number in part.numbers}


def _check_preview_of_all_rows(compilation: Compilation, report: TrialReport) -> None:
    previewed = preview(compilation, rows=20_000)

    assert _figures(previewed.report) == _figures(report)
    assert rows_of(previewed.report) == rows_of(report)
    assert previewed.cut == ()


@given(running_pipelines(), st.randoms(use_true_random=False))
def test_a_trial_depends_on_its_pipeline_alone(document: dict[str, Any], random: Random) -> None:
    """Not on chains, order, batches, tracing, or on a preview's limit that it does not reach.

    One pipeline answers all: to draw it and to run it as it is costs more than each question.
    """
    compilation = compile_graph(document, "1.20")
    report = report_of(compilation)

    _check_that_all_sent_arrives(compilation, report)
    _check_without_chains(document, report)
    _check_in_another_order(compilation, report, random)
    _check_in_smaller_batches(compilation, report)
    _check_with_origins(compilation, report)
    _check_preview_of_all_rows(compilation, report)


def test_an_input_that_breaks_off_is_noticed() -> None:
    source = {"id": "s", "type": "source", "parallelism": 2}
    sink = {"id": "o", "type": "sink", "inputs": ["s"]}
    job = plan_trial(compile_graph({"transformations": [source, sink]}, "1.20")).job
    sent = [
        frame
        for subtask in range(2)
        for target, _, frame in Subtask(job.tasks[0], subtask, _no_listener).run(iter(()))
        if target == 1
    ]
    list(Subtask(job.tasks[1], 0, _no_listener).run(iter(sent)))
    with pytest.raises(FramesLostError, match="ended before its channels did"):
        list(Subtask(job.tasks[1], 0, _no_listener).run(iter(sent[:-1])))


def _runnable(case: Mapping[str, Any]) -> bool:
    """Whether Flink 1.20 accepted it, and what it printed is not too large for a test."""
    return any(
        sum(max(1, vertex["parallelism"]) for vertex in printed["job_graph"]["vertices"]) <= 60
        for printed in case["flink"]
        if "1.20" in printed["versions"] and "error" not in printed
    )


GOLDEN = {
    case["name"]: case["pipeline"]
    for name in ("classics", "constructs")
    for case in cases(name)
    if _runnable(case)
}


def test_most_golden_pipelines_are_run_here() -> None:
    assert len(GOLDEN) > 150


@pytest.mark.law
@for_each("name", GOLDEN)
def test_a_golden_pipeline_runs_chained_unchained_and_as_a_stream_graph(name: str) -> None:
    compilation = compile_graph(GOLDEN[name], "1.20")
    report = report_of(compilation)
    alone = compile_graph({"stream_graph": compilation.to_dict()["stream_graph"]}, "1.20")

    assert rows_of(report) == rows_of(trial(unchained(GOLDEN[name])))
    assert sum(sink.rows for sink in report_of(alone).sinks.values()) == sum(
        sink.rows for sink in report.sinks.values()
    )
