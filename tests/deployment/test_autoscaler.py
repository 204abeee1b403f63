"""The autoscaler's formula, by hand and on figures of real clusters."""

import math
from typing import Any

import msgspec
import pytest

from explorer.deployment.autoscaler import (
    Autoscaling,
    aligned,
    autoscale,
    autoscaler_settings,
)
from explorer.documents import JobGraphDocument, load_document
from explorer.errors import ExplorerError
from explorer.model.run_figures import SubtaskFigures, TaskFigures
from explorer.model.running_job import (
    RunningJob,
    RunningOperator,
    RunningTask,
    TaskEdge,
)
from explorer.model.stream_graph import NodeId
from tests.golden_files import cases
from tests.many_cases import for_each

SOURCE, COUNT, SINK, OTHER = (letter * 32 for letter in "abcd")
PREFIX = "job.autoscaler."


def figures(id: str, busy: tuple[float, ...], read: int, sent: int) -> TaskFigures:
    """Figures of 100 seconds; ``busy``: by subtask, the share of the time."""
    return TaskFigures(
        id=id,
        state="RUNNING",
        subtasks=tuple(
            SubtaskFigures(
                subtask=number,
                state="RUNNING",
                records_in=read // len(busy),
                records_out=sent // len(busy),
                bytes_in=0,
                bytes_out=0,
                busy_ms=round(share * 100_000),
                idle_ms=100_000 - round(share * 100_000),
                back_pressured_ms=0,
            )
            for number, share in enumerate(busy)
        ),
    )


def job(
    count_busy: tuple[float, ...] = (0.5, 0.5), source_busy: float = 0.5, read: int = 100_000
) -> RunningJob:
    """A source of 1,000 records/s, a count that reads all of them, a sink that reads half."""
    names = {SOURCE: "Source: s", COUNT: "count", SINK: "sink"}
    widths = {SOURCE: 1, COUNT: len(count_busy), SINK: 1}
    return RunningJob(
        id="0" * 32,
        name="job",
        tasks=tuple(
            RunningTask(
                id=id,
                name=name,
                parallelism=widths[id],
                max_parallelism=128,
                operators=(RunningOperator(node=NodeId(number), name=name),),
            )
            for number, (id, name) in enumerate(names.items())
        ),
        edges=(
            TaskEdge(source=SOURCE, target=COUNT, input=0, ship_strategy="HASH"),
            TaskEdge(source=COUNT, target=SINK, input=0, ship_strategy="REBALANCE"),
        ),
        figures=(
            figures(SOURCE, (source_busy,), 0, read),
            figures(COUNT, count_busy, read, read // 2),
            figures(SINK, (0.3,), read // 2, 0),
        ),
    )


def choice(running: RunningJob, **options: Any) -> Autoscaling:
    named = {PREFIX + name.replace("__", ".").replace("_", "-"): v for name, v in options.items()}
    return autoscale(running, autoscaler_settings(named))


def test_the_capacity_is_the_rate_over_the_busiest_subtask() -> None:
    source, count, sink = choice(job((0.9, 0.1))).tasks

    assert (source.rate, source.busy, source.capacity) == (1000, 0.5, 2000)
    assert (count.rate, count.busy) == (1000, 0.9)
    assert count.capacity == pytest.approx(1000 / 0.9)
    assert sink.rate == 500
    assert sink.capacity == pytest.approx(500 / 0.3)
    # 1000 / 0.7 and, for 5 minutes of restart caught up in 30, a sixth of 1000.
    assert count.needed == math.floor(1000 / 0.7 + 1000 / 6 + 0.5)
    assert choice(job((0.9, 0.1)), metrics__busy_time__aggregator="avg").tasks[1].busy == 0.5


def test_a_keyed_task_gets_a_divisor_of_its_key_groups() -> None:
    found = choice(job((0.95,) * 5), catch_up__duration="0", utilization__target="0.6")

    # 1000 / 0.6 over 1000 / 0.95: 1.583 times 5 subtasks are 8, which divides 128.
    assert found.tasks[1].scaled == 8
    assert "64" not in found.tasks[1].sentence
    assert "key groups divide evenly" in found.tasks[1].sentence
    assert found.parallelism[COUNT] == (8 if found.scales else 5)


@for_each(
    ("current", "wanted", "upper", "scaled"),
    [
        (4, 6, 128, 8),
        (4, 33, 128, 64),
        (4, 70, 100, 64),
        (8, 5, 128, 8),
        (16, 5, 128, 8),
        (2, 3, 3, 2),
    ],
)
def test_alignment_never_inverts_the_direction(
    current: int, wanted: int, upper: int, scaled: int
) -> None:
    assert aligned(current, wanted, 128, 1, upper) == scaled


def test_bounds_and_factors_limit_the_choice() -> None:
    busy = job((0.95,) * 4, source_busy=0.95)

    assert choice(busy, vertex__max_parallelism="5").tasks[1].scaled <= 5
    assert choice(job((0.01,) * 10)).tasks[1].scaled == 4  # 60 % fewer at most
    assert choice(job((0.01,) * 10), scale_down__max_factor="0").tasks[1].scaled == 10
    assert choice(busy, scale_up__max_factor="0").tasks[0].scaled == 1


def test_nothing_is_scaled_within_the_bounds_of_utilization() -> None:
    inside = choice(job((0.8, 0.8), source_busy=0.6))
    outside = choice(job((0.8, 0.8), source_busy=0.6), utilization__max="0.75")

    assert not inside.scales
    assert inside.parallelism == {SOURCE: 1, COUNT: 2, SINK: 1}
    assert "would scale nothing" in inside.sentence
    assert outside.scales
    assert outside.parallelism[COUNT] > 2
    assert f"{COUNT}:{outside.parallelism[COUNT]}" in outside.overrides


def test_excluded_tasks_and_legacy_sources_stay() -> None:
    excluded = choice(job((0.99, 0.99)), vertex__exclude__ids=f"{SINK};{COUNT}").tasks[1]
    legacy = msgspec.structs.replace(job(), figures=())

    assert excluded.scaled == 2
    assert "vertex.exclude.ids names it" in excluded.sentence
    with pytest.raises(ExplorerError, match="needs the figures of a running job"):
        choice(legacy)


def test_an_input_whose_records_seem_to_be_fewer_than_none_needs_nothing() -> None:
    """The sink read 50,000 records, and its other input had sent 80,000 when it was asked."""
    running = job()
    other = RunningTask(
        id=OTHER,
        name="Source: o",
        parallelism=1,
        max_parallelism=128,
        operators=(RunningOperator(node=NodeId(3), name="Source: o"),),
    )
    edge = TaskEdge(source=OTHER, target=SINK, input=1, ship_strategy="REBALANCE")
    joined = msgspec.structs.replace(
        running,
        tasks=(other, *running.tasks),
        edges=(*running.edges, edge),
        figures=(*running.figures, figures(OTHER, (0.5,), 0, 80_000)),
    )

    assert choice(joined).tasks[-1].needed == 0


def test_a_task_without_records_has_any_capacity() -> None:
    found = choice(job(read=0))

    assert found.tasks[1].capacity == math.inf
    assert found.tasks[1].scaled == 1


def test_options_have_the_operators_prefixes_and_are_checked() -> None:
    older = {"kubernetes.operator.job.autoscaler.target.utilization": "0.8"}

    assert autoscaler_settings(older).target == 0.8
    assert autoscaler_settings({}).restart == 300
    for name, value in (("utilization.target", "high"), ("restart.time", "soon")):
        with pytest.raises(ExplorerError, match=f"job.autoscaler.{name} is '{value}'"):
            autoscaler_settings({PREFIX + name: value})


def test_real_figures_lead_to_a_choice() -> None:
    by_release = {}
    for case in cases("running_jobs"):
        document = load_document(case["running"])
        assert isinstance(document, JobGraphDocument)
        by_release[case["flink"]] = autoscale(document.job, autoscaler_settings({}))

    assert not by_release["1.9.3"].scales
    assert all("not reported" in one.sentence for one in by_release["1.9.3"].tasks)
    for version in ("1.20.5", "2.2.1"):
        source, *others = by_release[version].tasks
        assert source.busy is not None
        assert source.busy > 0.5
        assert source.scaled == 2
        assert [one.scaled for one in others] == [1, 1]
