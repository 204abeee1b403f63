"""Chains: any length, side outputs, counters, watermarks in their order."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from explorer import compile_graph
from explorer.engine import plan
from explorer.engine.counters import SubtaskReport
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.steps.step_work import MAX_WATERMARK
from explorer.engine.task.frames import FrameKind, read_watermark, unpack
from explorer.engine.task.local_job import run_job
from explorer.engine.task.subtask import RESULT, Subtask
from explorer.errors import BrokenInvariantError
from explorer.flink.subtask_wiring import SubtaskWiring
from explorer.model.row_type import LONG, RowType
from tests.engine.in_process import trial

NUMBERS = RowType.of(n=LONG)
WIRING = SubtaskWiring(
    job_edge=0,
    producers=1,
    consumers=2,
    most_consumers=2,
    pointwise=False,
    broadcast=False,
    forward=False,
    dynamic=False,
    floats=False,
)
"""One producer with two consumers."""


def _operator(place: int, *, source: plan.Source | None = None, chained: int = 0) -> plan.Operator:
    outputs = [plan.ChainedOutput(operator=place + 1, input=0, tag=None)] * chained
    return plan.Operator(
        node=place,
        name=f"o{place}",
        transformation=None,
        source=source,
        network=(),
        chained=tuple(outputs),
    )


def _lifecycle(length: int) -> plan.Lifecycle:
    """The lifecycle of a chain, whose operators Flink makes and opens from the tail on."""
    tail_first = tuple(reversed(range(length)))
    return plan.Lifecycle(
        made=tail_first,
        started=tuple(plan.LifecycleCall(place, "open") for place in tail_first),
        ended=tuple(plan.LifecycleCall(place, "close") for place in tail_first),
    )


@pytest.mark.law
def test_a_chain_may_be_of_any_length() -> None:
    length = 5000
    source = plan.Source(rows=plan.SequenceRows(first=0, last=9), row_type=NUMBERS)
    operators = [
        _operator(place, source=None if place else source, chained=int(place < length - 1))
        for place in range(length)
    ]
    task = plan.Task(
        number=0,
        id="v",
        name="long",
        parallelism=1,
        operators=tuple(operators),
        head=0,
        inputs=(),
        lifecycle=_lifecycle(length),
    )
    (frame,) = run_job(plan.Job(name="long", tasks=(task,)))
    report = msgspec.msgpack.decode(unpack(frame).body, type=SubtaskReport)

    assert [one.records_in for one in report.operators] == [0] + [10] * (length - 1)


def test_an_operator_that_was_not_opened_gets_nothing() -> None:
    planned = plan_trial(compile_graph(_document(SOURCE, SINK), "1.20"))
    (task,) = planned.job.tasks
    for calls in ((), (plan.LifecycleCall(1, "open"), plan.LifecycleCall(1, "close"))):
        lifecycle = msgspec.structs.replace(task.lifecycle, started=calls)
        broken = msgspec.structs.replace(task, lifecycle=lifecycle)
        with pytest.raises(BrokenInvariantError, match="not open"):
            run_job(plan.Job(name="broken", tasks=(broken,)))


def _document(*transformations: dict[str, Any], parallelism: int = 1) -> dict[str, Any]:
    return {
        "environment": {"parallelism": parallelism},
        "transformations": list(transformations),
    }


SOURCE = {"id": "s", "type": "legacy_source", "rows": {"sequence": {"from": 0, "to": 9}}}
SINK = {"id": "o", "type": "sink", "inputs": ["s"]}


def test_a_row_goes_to_every_tag_whose_condition_holds_else_to_the_main_output() -> None:
    tags = {"even": "n % 2 = 0", "big": "n > 5"}
    report = trial(
        _document(
            SOURCE,
            {"id": "p", "type": "process", "inputs": ["s"], "side_outputs": tags},
            {"id": "e", "type": "side_output", "inputs": ["p"], "tag": "even"},
            {"id": "b", "type": "side_output", "inputs": ["p"], "tag": "big"},
            {"id": "even", "type": "sink", "inputs": ["e"]},
            {"id": "big", "type": "sink", "inputs": ["b"]},
            {"id": "rest", "type": "sink", "inputs": ["p"]},
        )
    )
    rows = {name: [row[0] for row in sink.data or ()] for name, sink in report.sinks.items()}

    assert rows == {"even": [0, 2, 4, 6, 8], "big": [6, 7, 8, 9], "rest": [1, 3, 5]}


def test_a_record_counts_once_for_the_task_however_many_outputs_send_it() -> None:
    report = trial(
        _document(
            SOURCE,
            {"id": "a", "type": "rebalance", "inputs": ["s"]},
            {"id": "b", "type": "global", "inputs": ["s"]},
            {"id": "one", "type": "sink", "inputs": ["a"]},
            {"id": "two", "type": "sink", "inputs": ["b"]},
        )
    )
    source = next(vertex for vertex in report.vertices if vertex.name.startswith("Source"))

    assert source.records_out == 10
    assert [edge.records for edge in report.edges] == [10, 10]
    assert source.bytes_out == 2 * (10 * 14 + 13)


def test_a_chained_source_is_not_input_from_the_network() -> None:
    report = trial(
        _document(
            {"id": "a", "type": "source", "rows": {"sequence": {"from": 0, "to": 9}}},
            {"id": "b", "type": "source", "rows": {"sequence": {"from": 0, "to": 4}}},
            {"id": "r", "type": "rebalance", "inputs": ["b"]},
            {"id": "m", "type": "multiple_input", "inputs": ["a", "r"]},
            {"id": "o", "type": "sink", "inputs": ["m"]},
        )
    )
    vertex = next(vertex for vertex in report.vertices if "Multi" in vertex.name)
    multi = next(one for one in vertex.operators if one.name == "Multi")

    assert vertex.records_in == 5
    assert (multi.records_in, report.sinks["o"].rows) == (15, 15)


def test_a_new_sources_records_have_eight_bytes_more() -> None:
    sizes = [
        trial(
            _document(
                {"id": "s", "type": kind, "rows": {"sequence": {"from": 0, "to": 9}}},
                {"id": "r", "type": "rebalance", "inputs": ["s"]},
                {"id": "o", "type": "sink", "inputs": ["r"]},
            )
        )
        .edges[0]
        .bytes
        for kind in ("legacy_source", "source")
    ]

    assert sizes == [10 * 14 + 13, 10 * 22 + 13]


def _watermarks(task: plan.Task, frames: list[bytes]) -> list[tuple[int, int]]:
    """Kind and number of the frames for other tasks."""
    running = Subtask(task, 0, lambda *_: None).run(iter(frames))
    sent = [unpack(frame) for target, _, frame in running if target != RESULT]
    return [
        (frame.kind, read_watermark(frame.body) if frame.kind is FrameKind.WATERMARK else 0)
        for frame in sent
    ]


def test_records_leave_before_the_watermark_that_follows_them() -> None:
    edge = plan.Edge(
        number=0,
        source=0,
        target=1,
        wiring=WIRING,
        max_parallelism=128,
        input=0,
        partitioner="REBALANCE",
        keys=None,
        row_types=(NUMBERS,),
        counted=True,
    )
    source = plan.Source(rows=plan.SequenceRows(first=0, last=9), row_type=NUMBERS)
    operator = msgspec.structs.replace(
        _operator(0, source=source), network=(plan.OutgoingEdge(edge=edge, tag=None),)
    )
    task = plan.Task(
        number=0,
        id="v",
        name="source",
        parallelism=1,
        operators=(operator,),
        head=0,
        inputs=(),
        lifecycle=_lifecycle(1),
    )
    sent = _watermarks(task, [])

    assert Counter(sent) == {(FrameKind.BATCH, 0): 2, (FrameKind.WATERMARK, MAX_WATERMARK): 2}
    assert [kind for kind, _ in sent] == [FrameKind.BATCH, FrameKind.WATERMARK] * 2


def test_a_null_key_is_refused_with_its_row() -> None:
    document = _document(
        SOURCE,
        {
            "id": "m",
            "type": "map",
            "inputs": ["s"],
            "select": {"k": "nullif(n, 4)"},
            "name": "keys",
        },
        {"id": "by", "type": "key_by", "inputs": ["m"], "keys": ["k"]},
        {"id": "r", "type": "reduce", "inputs": ["by"], "aggregate": {"k": "sum(k)"}},
        {"id": "o", "type": "sink", "inputs": ["r"]},
    )
    problem = "operator 'keys', key_by k: Assigned key must not be null!, at the row k = None"
    with pytest.raises(Exception, match=problem.replace("!", r"\!")):
        trial(document)
