"""The lifecycle of a task in words, one step a line that can be read aloud."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from explorer.analysis.iteration_narration import QUEUE, told_end
from explorer.model.stream_graph import NodeId
from explorer.model.task_chain import TaskChain, TaskOutput
from explorer.model.task_trace import (
    BarrierSent,
    EndActed,
    HandedOn,
    NetworkOutputMade,
    OperatorCalled,
    OperatorMade,
    Phase,
    TaskStep,
    WrappersLinked,
)
from explorer.wording import counted, listed

PARTS: Final[Mapping[Phase, str]] = {
    "build": "made",
    "start": "started",
    "record": "a record",
    "watermark": "a watermark",
    "watermark status": "a watermark status",
    "latency marker": "a latency marker",
    "checkpoint": "a checkpoint",
    "complete": "a checkpoint completes",
    "end": "the end",
}
"""What is going on, in the order in which it is narrated."""

_METHODS: Final = {
    "initializeState": "{name} gets its state back, or finds that it has none.",
    "open": "{name} is opened: its function may connect, and register timers.",
    "prepareSnapshotPreBarrier": "{name} sends what must reach the next operators before the "
    "barrier does, as a sum that it holds back.",
    "snapshotState": "{name} writes its state down.",
    "notifyCheckpointComplete": "{name} is notified of the complete checkpoint, and may commit.",
    "endInput": "{name} is notified that its input has ended.",
    "finish": "{name} finishes: its timers stop, and it emits what it still holds.",
    "close": "{name} is closed.",
    "dispose": "{name} lets go of what it holds.",
}
"""By method of ``StreamOperator``, what a call means."""
_FINISHED: Final = "{name} is closed, and lets go of what it holds."
_EMITTING: Final = "{name} is closed: its timers stop, and it emits what it still holds."


class NarratedTaskStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step for a reader and for a drawing."""

    number: int
    """Counted from 1 within its part."""
    part: str
    title: str
    sentence: str
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    """What there is to say beside the sentence: a heading, and its words."""
    lit: tuple[str, ...]
    """Keys of what a drawing lights: ``n4`` an operator, ``w0`` a network output, ``in`` inputs."""
    step: TaskStep


class _Told(msgspec.Struct, frozen=True):
    title: str
    sentence: str
    lit: tuple[str, ...] = ()
    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()


def narrate_task(task: TaskChain, steps: Sequence[TaskStep]) -> tuple[NarratedTaskStep, ...]:
    """Every step in words."""
    finishes = any(isinstance(step, OperatorCalled) and step.method == "finish" for step in steps)
    narrator = _Narrator(task, closes_last=finishes)
    numbers: dict[str, int] = dict.fromkeys(PARTS.values(), 0)
    made = []
    for step in steps:
        part = PARTS[step.phase]
        numbers[part] += 1
        told = msgspec.structs.asdict(_TELLERS[type(step)](narrator, step))
        made.append(NarratedTaskStep(number=numbers[part], part=part, step=step, **told))
    return tuple(made)


class _Narrator:
    def __init__(self, task: TaskChain, *, closes_last: bool) -> None:
        self.task, self.closes_last = task, closes_last
        self.names = {one.node: one.name for one in task.operators}
        if task.end is not None:
            self.names[task.head] = task.name
        self.outputs = {one.node: one.output for one in task.operators}

    def network_output(self, step: NetworkOutputMade) -> _Told:
        one = self.task.network[step.network]
        tag = f", for the side output {one.tag!r}" if one.tag is not None else ""
        return _Told(
            f"make network output {step.network}",
            f"Make network output {step.network}: a RecordWriterOutput behind "
            f"{self.names[one.node]}, {one.ship_strategy}{tag}. Created before the operators.",
            (_writer(step.network),),
        )

    def operator(self, step: OperatorMade) -> _Told:
        name = self.names[step.node]
        return _Told(
            f"make {name}",
            f"Make {name}. What it writes to is there already: "
            f"{described_output(self.outputs[step.node], self.names)}.",
            (_node(step.node),),
            (("output", tuple(classes_of(self.outputs[step.node]))),),
        )

    def linked(self, step: WrappersLinked) -> _Told:
        names = listed([self.names[node] for node in step.order])
        if self.task.wrapper is None:
            are = "is" if len(step.order) == 1 else "are"
            return _Told(
                "fill the array",
                f"{counted(len(step.order), 'operator')} {are} in an array, tail first: {names}.",
                tuple(map(_node, step.order)),
            )
        return _Told(
            "link the wrappers",
            f"Each operator is held by a {self.task.wrapper}, linked both ways, head first: "
            f"{names}. What is done from tail to head follows the links back.",
            tuple(map(_node, step.order)),
            (("holds", (self.task.chain,)),),
        )

    def called(self, step: OperatorCalled) -> _Told:
        name = self.names[step.node]
        words = _METHODS[step.method]
        if step.method == "close":
            words = _FINISHED if self.closes_last else _EMITTING
        return _Told(
            f"{step.method} of {name}",
            words.format(name=name),
            (_node(step.node),),
            (("call", (step.method,)),),
        )

    def handed_on(self, step: HandedOn) -> _Told:
        who = "The task" if step.source is None else self.names[step.source]
        verb, to, key = "writes", f"network output {step.network}", _writer(step.network)
        if step.target is not None:
            verb, to, key = "hands", self.names[step.target], _node(step.target)
        what = f"the {step.element}" if step.source is not None else f"a {step.element}"
        return _Told(
            f"{who} → {to}",
            f"{who} {verb} {what} to {to}{_how(step)}",
            ("in" if step.source is None else _node(step.source), key),
            (("through", step.through), ("call", (step.method,))),
        )

    def barrier(self, step: BarrierSent) -> _Told:
        return _Told(
            f"barrier to network output {step.network}",
            f"The chain sends the checkpoint's barrier to all channels of network output "
            f"{step.network}, past the operators: their state is written as soon as it has left.",
            (_writer(step.network),),
            (("call", ("broadcastEvent",)),),
        )

    def end_acted(self, step: EndActed) -> _Told:
        return _Told(*told_end(self.task, step), (_node(self.task.head), QUEUE))


_TELLERS: Final[Mapping[type, Callable[[_Narrator, Any], _Told]]] = {
    NetworkOutputMade: _Narrator.network_output,
    OperatorMade: _Narrator.operator,
    WrappersLinked: _Narrator.linked,
    OperatorCalled: _Narrator.called,
    HandedOn: _Narrator.handed_on,
    BarrierSent: _Narrator.barrier,
    EndActed: _Narrator.end_acted,
}
"""By kind of step, the function that narrates it."""


def _how(step: HandedOn) -> str:
    """How it gets there, and which of several outputs takes it."""
    if step.alternatives > 1:
        return f": one of its {step.alternatives} outputs, drawn at random, takes it."
    if step.tag is not None:
        copy = ", as a copy" if step.copied else ""
        return f" where it was emitted to the side output {step.tag!r}{copy}."
    if step.element != "record" or step.source is None:
        return "."
    if step.copied:
        return ", as a copy that the type's serializer makes."
    return ", as bytes." if step.target is None else ": the same object."


def described_output(output: TaskOutput, names: Mapping[NodeId, str]) -> str:
    """An output in words, such as ``CopyingChainingOutput to map``."""
    if output.network is not None:
        return f"{output.class_name} of network output {output.network}{_of_tag(output)}"
    if output.operator is not None:
        return f"{output.class_name} to {names[output.operator]}{_of_tag(output)}"
    if not output.outputs:
        return f"{output.class_name} of no output"
    inner = ", ".join(described_output(one, names) for one in output.outputs)
    return f"{output.class_name} around {inner}"


def _of_tag(output: TaskOutput) -> str:
    return "" if output.tag is None else f" for the side output {output.tag!r}"


def classes_of(output: TaskOutput) -> list[str]:
    """An output's class, and those of what is within it."""
    found = [output.class_name]
    for one in output.outputs:
        found += classes_of(one)
    return found


def _node(node: NodeId) -> str:
    return f"n{node}"


def _writer(number: int | None) -> str:
    return f"w{number}"
