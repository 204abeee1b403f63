"""How does a task live? Every step from its making to its end, in the release's order.

Mirrors ``OperatorChain`` and ``StreamOperatorWrapper`` as ``StreamTask`` drives them;
``tests/golden/tasks.jsonl.gz`` has the calls that operators of real tasks got. A run of a trial or
a preview follows the same steps; see ``explorer.trial.lives``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from explorer.flink.iteration_life import end_life
from explorer.flink.task_classes import TaskClasses
from explorer.model.stream_graph import NodeId
from explorer.model.task_chain import TaskChain, TaskOutput
from explorer.model.task_trace import (
    BarrierSent,
    Element,
    HandedOn,
    NetworkOutputMade,
    OperatorCalled,
    OperatorMade,
    Phase,
    TaskStep,
    WrappersLinked,
)

_CALLS: Final[dict[Element, tuple[str, str]]] = {
    "record": ("processElement", "collect"),
    "watermark": ("processWatermark", "emitWatermark"),
    "watermark status": ("processWatermarkStatus", "emitWatermarkStatus"),
    "latency marker": ("processLatencyMarker", "emitLatencyMarker"),
}
"""By element, what is called of an operator, and of a network output."""


def task_life(task: TaskChain, classes: TaskClasses) -> tuple[TaskStep, ...]:
    """All steps of a task; what elements it gets is imagined: one of each kind."""
    return tuple(_steps(task, classes) if task.end is None else end_life(task))


def _steps(task: TaskChain, classes: TaskClasses) -> Iterator[TaskStep]:
    yield from _built(task)
    yield from _started(task, classes)
    for element in _CALLS:
        if element == "watermark status" and not classes.status_by_operators:
            yield from _status_of_chain(task)
        else:
            yield from _through(task, element)
    yield from _checkpoint(task)
    yield from _ended(task, classes)


def _head_first(task: TaskChain) -> tuple[NodeId, ...]:
    """All operators as finishing and barriers meet them."""
    return task.built[::-1]


def _built(task: TaskChain) -> Iterator[TaskStep]:
    for number in range(len(task.network)):
        yield NetworkOutputMade(phase="build", network=number)
    for node in task.built:
        yield OperatorMade(phase="build", node=node)
    order = tuple(one.node for one in task.operators)
    yield WrappersLinked(phase="build", order=order)


def _started(task: TaskChain, classes: TaskClasses) -> Iterator[TaskStep]:
    both = ("initializeState", "open")
    if classes.restores_one_by_one:
        yield from _called("start", task.built, both)
    else:
        for method in both:
            yield from _called("start", task.built, (method,))


def _called(phase: Phase, nodes: Sequence[NodeId], methods: Sequence[str]) -> Iterator[TaskStep]:
    for node in nodes:
        for method in methods:
            yield OperatorCalled(phase=phase, node=node, method=method)


def _through(task: TaskChain, element: Element) -> Iterator[TaskStep]:
    """An element goes down the chain, depth first: a call returns when all behind it have."""
    outputs = {one.node: one.output for one in task.operators}
    pending: list[HandedOn] = list(_entering(task, element))[::-1]
    while pending:
        step = pending.pop()
        yield step
        if step.target is not None:
            pending += list(_emitted(element, step.target, outputs[step.target]))[::-1]


def _entering(task: TaskChain, element: Element) -> Iterator[HandedOn]:
    """What the inputs hand to the head; a source emits by itself."""
    sources = {one.node: one.output for one in task.operators if one.chained_source}
    reads = task.reads
    if reads is None or reads.inputs[0].sources == (task.head,):
        output = next(one.output for one in task.operators if one.node == task.head)
        yield from _emitted(element, task.head, output)
        return
    called, _ = _CALLS[element]
    for one in reads.inputs:
        if one.sources[0] in sources:
            yield from _emitted(element, one.sources[0], sources[one.sources[0]])
            continue
        through = [name for name in (reads.class_name, one.class_name, one.data_output) if name]
        yield HandedOn(
            phase=element,
            element=element,
            source=None,
            target=task.head,
            network=None,
            method=called,
            through=tuple(through),
        )


def _emitted(element: Element, source: NodeId, output: TaskOutput) -> Iterator[HandedOn]:
    """By the leaves of an output, in their order; of a latency marker's one is picked."""
    called, written = _CALLS[element]
    ways = list(_ways(output))
    if element == "record":
        # What a function emits to its main output and to a side output are records of their own.
        ways.sort(key=lambda way: way[1].tag or "")
    alternatives = len(ways) if element == "latency marker" else 1
    for through, leaf in ways[:1] if element == "latency marker" else ways:
        yield HandedOn(
            phase=element,
            element=element,
            source=source,
            target=leaf.operator,
            network=leaf.network,
            method=called if leaf.network is None else written,
            through=through,
            tag=leaf.tag if element == "record" else None,
            copied=leaf.copies and element == "record",
            alternatives=alternatives,
        )


def _ways(output: TaskOutput) -> Iterator[tuple[tuple[str, ...], TaskOutput]]:
    """Each leaf with the classes from the operator to it."""
    if output.operator is not None or output.network is not None:
        yield (output.class_name,), output
    for inner in output.outputs:
        for through, leaf in _ways(inner):
            yield (output.class_name, *through), leaf


def _status_of_chain(task: TaskChain) -> Iterator[TaskStep]:
    """``toggleStreamStatus``: the operators hear nothing of it."""
    for number in range(len(task.network)):
        yield HandedOn(
            phase="watermark status",
            element="watermark status",
            source=None,
            target=None,
            network=number,
            method="emitStreamStatus",
            through=(task.chain, "RecordWriterOutput"),
        )


def _checkpoint(task: TaskChain) -> Iterator[TaskStep]:
    """What must be sent before the barrier is, then the barrier, then state."""
    yield from _called("checkpoint", _head_first(task), ("prepareSnapshotPreBarrier",))
    for number in range(len(task.network)):
        yield BarrierSent(phase="checkpoint", network=number)
    yield from _called("checkpoint", task.built, ("snapshotState",))
    yield from _called("complete", task.built, ("notifyCheckpointComplete",))


def _ended(task: TaskChain, classes: TaskClasses) -> Iterator[TaskStep]:
    if classes.ends == "in turn":
        for node in _head_first(task):
            yield from _input_ends(task, node)
        yield from _called("end", _head_first(task), ("close",))
    else:
        last = "finish" if classes.ends == "finished" else "close"
        for node in _head_first(task):
            yield from _input_ends(task, node)
            yield OperatorCalled(phase="end", node=node, method=last)
    released = "close" if classes.ends == "finished" else "dispose"
    yield from _called("end", task.built, (released,))


def _input_ends(task: TaskChain, node: NodeId) -> Iterator[TaskStep]:
    """A source has no input."""
    reads = task.reads
    is_source = node == task.head and (reads is None or reads.inputs[0].sources == (node,))
    if not is_source and not _chained_source(task, node):
        yield OperatorCalled(phase="end", node=node, method="endInput")


def _chained_source(task: TaskChain, node: NodeId) -> bool:
    return any(one.node == node and one.chained_source for one in task.operators)
