"""Lifecycle of a task's operators in a run, by the steps that the task internals show.

Mirrors ``StreamTask``, which drives its ``OperatorChain``: here the recorded steps drive it.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import msgspec

from explorer.engine import plan
from explorer.flink.compiler import Compilation
from explorer.flink.task_chain import holds_operators, task_chain
from explorer.flink.task_classes import task_classes
from explorer.flink.task_lifecycle import task_lifecycle
from explorer.model.job_graph import JobVertex
from explorer.model.stream_graph import NodeId
from explorer.model.task_chain import TaskChain
from explorer.model.task_trace import ElementPassed, OperatorCalled, OperatorMade, Phase, TaskStep

Routes: TypeAlias = Mapping[tuple[NodeId, NodeId], int]
"""By the two ends of an edge, when the first emits to the second: lower numbers earlier."""


class TaskLifecycle(msgspec.Struct, frozen=True, kw_only=True):
    """The recorded steps of a task that a run executes."""

    lifecycle: plan.Lifecycle
    routes: Routes


def lifecycle_in_run(done: Compilation, vertex: JobVertex) -> TaskLifecycle:
    """The lifecycle of a job vertex's task; an iteration's end has that of an operator."""
    place = {one.node: at for at, one in enumerate(vertex.operators)}
    if not holds_operators(vertex):
        (alone,) = place.values()
        opened = (plan.LifecycleCall(alone, "open"),)
        lifecycle = plan.Lifecycle(
            made=(alone,), started=opened, ended=(plan.LifecycleCall(alone, "close"),)
        )
        return TaskLifecycle(lifecycle=lifecycle, routes={})
    task = task_chain(done, vertex.id, starts=False)
    steps = task_lifecycle(task, task_classes(done.release))
    lifecycle = plan.Lifecycle(
        made=tuple(place[step.node] for step in steps if isinstance(step, OperatorMade)),
        started=_calls(steps, "start", place),
        ended=_calls(steps, "end", place),
    )
    return TaskLifecycle(lifecycle=lifecycle, routes=_routes(task, steps))


def _calls(
    steps: Iterable[TaskStep], phase: Phase, place: Mapping[NodeId, int]
) -> tuple[plan.LifecycleCall, ...]:
    return tuple(
        plan.LifecycleCall(place[step.node], step.method)
        for step in steps
        if isinstance(step, OperatorCalled) and step.phase == phase
    )


def _routes(task: TaskChain, steps: Iterable[TaskStep]) -> Routes:
    """A watermark goes to every output, whatever its tag; records to theirs, in the same order."""
    found: dict[tuple[NodeId, NodeId], int] = {}
    for step in steps:
        if (
            not isinstance(step, ElementPassed)
            or step.element != "watermark"
            or step.source is None
        ):
            continue
        if step.network is not None:
            targets = task.network[step.network].targets
        else:
            targets = () if step.target is None else (step.target,)
        for target in targets:
            found.setdefault((step.source, target), len(found))
    return found
