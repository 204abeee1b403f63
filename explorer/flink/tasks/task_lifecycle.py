"""Lifecycle of a task: every step from creation to cleanup, in the release's order.

Mirrors ``OperatorChain`` and ``StreamOperatorWrapper`` as ``StreamTask`` drives them, and the ends
of an iteration, which have no operator: ``StreamIterationHead`` and ``StreamIterationTail``.
``tests/golden/tasks.jsonl.gz`` has the calls that operators of real tasks got. A run of a trial or
a preview has the same steps; see ``explorer.engine.planning.lifecycles``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from explorer.flink.tasks.task_classes import TaskClasses
from explorer.model.stream_graph import NodeId
from explorer.model.task_chain import TaskChain, TaskOutput
from explorer.model.task_steps import (
    BarrierSent,
    Element,
    ElementPassed,
    EndActed,
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
_WRITER: Final = "RecordWriterOutput"


def task_lifecycle(task: TaskChain, classes: TaskClasses) -> tuple[TaskStep, ...]:
    """All steps of a task that receives one element of each kind.

    The ends of an iteration have the same steps in all releases that have iterations.
    """
    if task.end is None:
        return tuple(_steps(task, classes))
    return tuple(_iteration_head(task) if task.reads is None else _iteration_tail())


def _steps(task: TaskChain, classes: TaskClasses) -> Iterator[TaskStep]:
    yield from _network_outputs(task)
    for node in task.built:
        yield OperatorMade(phase="build", node=node)
    yield WrappersLinked(phase="build", order=tuple(operator.node for operator in task.operators))
    # ``OperatorChain.initializeStateAndOpenOperators`` begins at the tail: an operator may emit in
    # its ``open``, and those behind it must be open by then.
    pair = ("initializeState", "open")
    for methods in (pair,) if classes.restores_one_by_one else (pair[:1], pair[1:]):
        yield from _call_steps("start", task.built, methods)
    for element in _CALLS:
        if element == "watermark status" and not classes.status_by_operators:
            # ``toggleStreamStatus``: the operators are not notified.
            through = (task.chain, _WRITER)
            yield from _write_steps(task, element, None, "emitStreamStatus", through)
        else:
            yield from _through(task, element)
    # ``SubtaskCheckpointCoordinatorImpl.checkpointState``: what an operator still holds leaves
    # before the barrier, and the barrier before state is written, so that readers need not wait
    # for it.
    yield from _call_steps("checkpoint", task.built[::-1], ("prepareSnapshotPreBarrier",))
    yield from _barriers(task)
    # ``OperatorChain.getAllOperators(true)`` lists the tail first, as the operators were made; only
    # what may still emit, ``prepareSnapshotPreBarrier``, goes from the head downwards.
    yield from _call_steps("checkpoint", task.built, ("snapshotState",))
    yield from _call_steps("complete", task.built, ("notifyCheckpointComplete",))
    yield from _end_steps(task, classes)


def _iteration_head(task: TaskChain) -> Iterator[TaskStep]:
    """``StreamIterationHead``: it reads what its tail puts into a queue."""
    yield from _network_outputs(task)
    yield EndActed(phase="start", does="offer queue")
    yield EndActed(phase="watermark", does="last watermark")
    # No collector stands before its network outputs.
    yield from _write_steps(task, "watermark", task.head, "emitWatermark", (_WRITER,))
    yield EndActed(phase="record", does="take")
    yield from _write_steps(task, "record", task.head, "collect", (_WRITER,))
    yield from _barriers(task)
    yield EndActed(phase="checkpoint", does="forget")
    yield EndActed(phase="end", does="give up")


def _iteration_tail() -> Iterator[TaskStep]:
    """``StreamIterationTail``: it finds the queue in ``BlockingQueueBroker``."""
    yield EndActed(phase="start", does="find queue")
    yield EndActed(phase="start", does="set up")
    yield EndActed(phase="record", does="push")
    yield EndActed(phase="watermark", does="ignore")
    yield EndActed(phase="latency marker", does="ignore")
    yield EndActed(phase="end", does="input ends")


def _network_outputs(task: TaskChain) -> Iterator[TaskStep]:
    for number in range(len(task.network)):
        yield NetworkOutputMade(phase="build", network=number)


def _barriers(task: TaskChain) -> Iterator[TaskStep]:
    for number in range(len(task.network)):
        yield BarrierSent(phase="checkpoint", network=number)


def _write_steps(
    task: TaskChain, element: Element, source: NodeId | None, method: str, through: tuple[str, ...]
) -> Iterator[TaskStep]:
    """An element passes to each network output in turn, not through the operators."""
    for number in range(len(task.network)):
        yield ElementPassed(
            phase=element,
            element=element,
            source=source,
            target=None,
            network=number,
            method=method,
            through=through,
        )


def _call_steps(
    phase: Phase, nodes: Sequence[NodeId], methods: Sequence[str]
) -> Iterator[TaskStep]:
    for node in nodes:
        for method in methods:
            yield OperatorCalled(phase=phase, node=node, method=method)


def _through(task: TaskChain, element: Element) -> Iterator[TaskStep]:
    """An element passes down the chain, depth first."""
    outputs = {operator.node: operator.output for operator in task.operators}
    pending: list[ElementPassed] = list(_entering(task, element))[::-1]
    while pending:
        step = pending.pop()
        yield step
        if step.target is not None:
            pending += list(_emit_steps(element, step.target, outputs[step.target]))[::-1]


def _sources(task: TaskChain) -> set[NodeId]:
    """The operators without an input: chained sources, or a head that is a source."""
    node_ids = {operator.node for operator in task.operators if operator.chained_source}
    if task.reads is None or task.reads.inputs[0].sources == (task.head,):
        node_ids.add(task.head)
    return node_ids


def _entering(task: TaskChain, element: Element) -> Iterator[ElementPassed]:
    """The elements that inputs pass to the head; a source emits them itself."""
    sources, reads = _sources(task), task.reads
    if reads is None or task.head in sources:
        yield from _emit_steps(element, task.head, task.operator(task.head).output)
        return
    called, _ = _CALLS[element]
    for input_ in reads.inputs:
        if input_.sources[0] in sources:
            yield from _emit_steps(
                element, input_.sources[0], task.operator(input_.sources[0]).output
            )
            continue
        through = [
            name for name in (reads.class_name, input_.class_name, input_.data_output) if name
        ]
        yield ElementPassed(
            phase=element,
            element=element,
            source=None,
            target=task.head,
            network=None,
            method=called,
            through=tuple(through),
        )


def _emit_steps(element: Element, source: NodeId, output: TaskOutput) -> Iterator[ElementPassed]:
    """An element passes to all leaves of an output in order; a latency marker to one of them."""
    called, written = _CALLS[element]
    routes = list(output.routes())
    if element == "record":
        # A function emits separate records to its main output and to a side output.
        # Without a tag first: ``ChainingOutput`` and ``RecordWriterOutput`` ignore what has another
        # tag, so an element never takes both kinds of routes at once.
        routes.sort(key=lambda route: route[1].tag or "")
    alternatives = len(routes) if element == "latency marker" else 1
    # ``BroadcastingOutputCollector.emitLatencyMarker`` draws one output: a marker sent to all of
    # them would be counted several times at the sinks.
    for through, leaf in routes[:1] if element == "latency marker" else routes:
        yield ElementPassed(
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


def _end_steps(task: TaskChain, classes: TaskClasses) -> Iterator[TaskStep]:
    head_first, sources = task.built[::-1], _sources(task)
    last = "finish" if classes.ends == "finished" else "close"
    for node in head_first:
        # ``StreamOperatorWrapper`` calls ``endInput`` for an operator that implements
        # ``BoundedOneInput``; a source has no input that could end.
        if node not in sources:
            yield OperatorCalled(phase="end", node=node, method="endInput")
        if classes.ends != "in turn":
            yield OperatorCalled(phase="end", node=node, method=last)
    if classes.ends == "in turn":
        yield from _call_steps("end", head_first, (last,))
    # What an operator emits while it finishes is for those behind it: all have finished before
    # ``OperatorChain.closeAllOperators`` releases any, the tail first.
    released = "close" if classes.ends == "finished" else "dispose"
    yield from _call_steps("end", task.built, (released,))
