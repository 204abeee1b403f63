"""Lifecycle of a task's operators in a run, from the steps that the task internals show.

Mirrors ``StreamTask``, which drives its ``OperatorChain``; here the recorded steps drive it.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from explorer.engine import plan
from explorer.flink.compiler import Compilation
from explorer.flink.tasks.task_chain import holds_operators, task_chain
from explorer.flink.tasks.task_classes import task_classes
from explorer.flink.tasks.task_lifecycle import task_lifecycle
from explorer.model.job_graph import JobVertex
from explorer.model.stream_graph import NodeId
from explorer.model.task_chain import TaskChain
from explorer.model.task_steps import ElementPassed, OperatorCalled, OperatorMade, Phase, TaskStep

Routes: TypeAlias = Mapping[tuple[NodeId, NodeId], int]
"""The order in which operators emit to others, by the two ends of an edge."""


def lifecycle_in_run(compilation: Compilation, vertex: JobVertex) -> tuple[plan.Lifecycle, Routes]:
    """The lifecycle of a job vertex's task; a head or tail of an iteration is a single operator."""
    place = {operator.node: at for at, operator in enumerate(vertex.operators)}
    if not holds_operators(vertex):
        (alone,) = place.values()
        opened, closed = (plan.LifecycleCall(alone, method) for method in ("open", "close"))
        return plan.Lifecycle(made=(alone,), started=(opened,), ended=(closed,)), {}
    task = task_chain(compilation, vertex.id, starts=False)
    steps = task_lifecycle(task, task_classes(compilation.release))
    lifecycle = plan.Lifecycle(
        made=tuple(place[step.node] for step in steps if isinstance(step, OperatorMade)),
        started=_calls(steps, "start", place),
        ended=_calls(steps, "end", place),
    )
    return lifecycle, _routes(task, steps)


def _calls(
    steps: Iterable[TaskStep], phase: Phase, place: Mapping[NodeId, int]
) -> tuple[plan.LifecycleCall, ...]:
    return tuple(
        plan.LifecycleCall(place[step.node], step.method)
        for step in steps
        if isinstance(step, OperatorCalled) and step.phase == phase
    )


def _routes(task: TaskChain, steps: Iterable[TaskStep]) -> Routes:
    """The order in which a watermark reaches all outputs; records use the same order."""
    result: dict[tuple[NodeId, NodeId], int] = {}
    passed = (
        network_output_made
        for network_output_made in steps
        if isinstance(network_output_made, ElementPassed)
    )
    for step in passed:
        if step.element != "watermark" or step.source is None:
            continue
        if step.network is not None:
            targets = task.network[step.network].targets
        else:
            targets = () if step.target is None else (step.target,)
        for target in targets:
            result.setdefault((step.source, target), len(result))
    return result
