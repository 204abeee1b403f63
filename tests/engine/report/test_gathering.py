"""From the frames that reached the driver to the report."""

import pytest

from explorer import compile_graph
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.report.gathering import make_report, reports_in
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.task.frames import FrameKind, unpack
from explorer.engine.task.local_job import run_job
from explorer.errors import BrokenInvariantError
from tests.engine.report.reported import DOCUMENT


def _frames() -> list[bytes]:
    return run_job(plan_trial(compile_graph(DOCUMENT, "1.20")).job)


@pytest.mark.parametrize("change", ["lost", "twice"])
def test_a_report_that_is_lost_or_comes_twice_is_our_bug(change: str) -> None:
    compiled = compile_graph(DOCUMENT, "1.20")
    frames = _frames()
    report = next(frame for frame in frames if unpack(frame).kind is FrameKind.REPORT)
    if change == "lost":
        frames.remove(report)
    else:
        frames.append(report)
    with pytest.raises(BrokenInvariantError):
        make_report(
            compiled,
            plan_trial(compiled),
            frames,
            master="",
            wall_ms=0,
            limit=None,
        )


def gathered(limit: int | None) -> TrialReport:
    compiled = compile_graph(DOCUMENT, "1.20")
    planned = plan_trial(compiled)
    return make_report(
        compiled, planned, run_job(planned.job), master="here", wall_ms=1.23456, limit=limit
    )


def test_figures_are_sums_over_subtasks() -> None:
    source, target = gathered(None).vertices

    assert (source.records_out, target.records_in) == (10, 10)
    for vertex in (source, target):
        assert vertex.records_in == sum(s.records_in for s in vertex.subtasks)
        assert vertex.records_out == sum(s.records_out for s in vertex.subtasks)
        assert vertex.bytes_out == sum(s.bytes_out or 0 for s in vertex.subtasks)
    assert [one.records_in for one in target.operators] == [10, 10]


def test_edges_between_tasks_and_within_them_are_distinguished() -> None:
    found = gathered(None)
    (edge,), (chained,) = found.edges, found.chained

    assert (edge.ship_strategy, edge.records, edge.bytes) == ("REBALANCE", 10, 192)
    assert (chained.vertex, chained.records, chained.copied) == (found.vertices[1].id, 10, 10)
    assert found.wall_ms == 1.235


@pytest.mark.parametrize(("limit", "rows"), [(None, 10), (3, 3), (0, None)])
def test_a_report_holds_so_many_rows_of_a_sink(limit: int | None, rows: int | None) -> None:
    sink = gathered(limit).sinks["o"]

    assert sink.rows == 10
    assert (None if sink.data is None else len(sink.data)) == rows
    assert sink.columns == (("n", "DOUBLE"),)


def test_reports_are_found_among_the_rows() -> None:
    assert sorted((one.task, one.subtask) for one in reports_in(_frames())) == [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
    ]
