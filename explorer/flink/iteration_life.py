"""How do the ends of an iteration live? The one takes what the other puts into a queue.

Mirrors ``StreamIterationHead`` and ``StreamIterationTail``: ``init``, ``processInput``, the tail's
``RecordPusher``, and ``BlockingQueueBroker``, where a tail finds the queue of its head.
"""

from collections.abc import Iterator

from explorer.model.task_chain import TaskChain
from explorer.model.task_trace import (
    BarrierSent,
    Element,
    EndActed,
    HandedOn,
    NetworkOutputMade,
    TaskStep,
)


def end_life(task: TaskChain) -> Iterator[TaskStep]:
    """Every step of an end of an iteration; the same in all releases that have iterations."""
    return _head(task) if task.reads is None else _tail()


def _head(task: TaskChain) -> Iterator[TaskStep]:
    for number in range(len(task.network)):
        yield NetworkOutputMade(phase="build", network=number)
    yield EndActed(phase="start", does="offer queue")
    yield EndActed(phase="watermark", does="last watermark")
    yield from _written(task, "watermark", "emitWatermark")
    yield EndActed(phase="record", does="take")
    yield from _written(task, "record", "collect")
    for number in range(len(task.network)):
        yield BarrierSent(phase="checkpoint", network=number)
    yield EndActed(phase="checkpoint", does="forget")
    yield EndActed(phase="end", does="give up")


def _written(task: TaskChain, element: Element, method: str) -> Iterator[TaskStep]:
    """To each network output in turn: no collector stands before them."""
    for number in range(len(task.network)):
        yield HandedOn(
            phase=element,
            element=element,
            source=task.head,
            target=None,
            network=number,
            method=method,
            through=("RecordWriterOutput",),
        )


def _tail() -> Iterator[TaskStep]:
    yield EndActed(phase="start", does="find queue")
    yield EndActed(phase="start", does="set up")
    yield EndActed(phase="record", does="push")
    yield EndActed(phase="watermark", does="ignore")
    yield EndActed(phase="latency marker", does="ignore")
    yield EndActed(phase="end", does="input ends")
