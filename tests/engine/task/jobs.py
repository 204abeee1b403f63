"""Jobs, edges and subtasks for the tests of tasks."""

from collections.abc import Mapping
from typing import Any

from explorer import compile_graph
from explorer.engine import plan
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.task.subtask import Subtask
from explorer.flink.subtask_wiring import SubtaskWiring
from explorer.model.row_type import LONG, RowType

NUMBERS = RowType.of(n=LONG)


def wiring(producers: int = 1, consumers: int = 2, *, broadcast: bool = False) -> SubtaskWiring:
    """Connect every producer with every consumer."""
    return SubtaskWiring(
        job_edge=0,
        producers=producers,
        consumers=consumers,
        most_consumers=consumers,
        pointwise=False,
        broadcast=broadcast,
        forward=False,
        dynamic=False,
        floats=False,
    )


def edge(
    partitioner: str = "REBALANCE",
    producers: int = 1,
    consumers: int = 2,
    *row_types: RowType,
    **members: Any,
) -> plan.Edge:
    """Make an edge between the first two tasks of a job."""
    given: dict[str, Any] = {"number": 0, "source": 0, "target": 1, "max_parallelism": 128}
    return plan.Edge(
        **{**given, "input": 0, "counted": True, "keys": None, **members},
        partitioner=partitioner,
        wiring=wiring(producers, consumers, broadcast=partitioner == "BROADCAST"),
        row_types=row_types or (NUMBERS,),
    )


def source(*values: int) -> dict[str, Any]:
    """Make a source of these numbers."""
    rows = {"values": [[value] for value in values], "schema": "n LONG"}
    return {"id": "s", "type": "legacy_source", "rows": rows}


def job_of(*transformations: Mapping[str, Any], **environment: Any) -> plan.Job:
    """Plan the job of a pipeline for Flink 1.20."""
    document = {"transformations": [*transformations], "environment": environment}
    return plan_trial(compile_graph(document, "1.20")).job


def subtask_of(task: plan.Task, number: int = 0) -> Subtask:
    """Make a subtask that publishes no counters."""
    return Subtask(task, number, lambda *_: None)
