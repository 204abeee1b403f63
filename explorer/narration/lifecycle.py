"""The lifecycle of a task in words, one step a line that can be read aloud."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, assert_never

import msgspec

from explorer.model.narrated_step import Highlighted, NarratedStep, Narration, number_steps
from explorer.model.stream_graph import NodeId
from explorer.model.task_chain import TaskChain, TaskOutput
from explorer.model.task_steps import (
    BarrierSent,
    ElementPassed,
    EndActed,
    NetworkOutputMade,
    OperatorCalled,
    OperatorMade,
    Phase,
    TaskStep,
    WrappersLinked,
)
from explorer.narration.iteration_ends import QUEUE, narrate_end
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
"""Titles of the phases, in the order of narration."""

_METHODS: Final = {
    "initializeState": "{name} restores its state, or starts with empty state.",
    "open": "{name} is opened: its function may connect, and register timers.",
    "prepareSnapshotPreBarrier": "{name} emits records that must arrive before the barrier, "
    "such as a buffered aggregate.",
    "snapshotState": "{name} takes a snapshot of its state.",
    "notifyCheckpointComplete": "{name} is notified of the complete checkpoint, and may commit.",
    "endInput": "{name} is notified that its input has ended.",
    "finish": "{name} finishes: its timers stop, and it emits its remaining records.",
    "close": "{name} is closed.",
    "dispose": "{name} releases its resources.",
}
"""Sentences by method of ``StreamOperator``."""
_FINISHED: Final = "{name} is closed, and releases its resources."
_EMITTING: Final = "{name} is closed: its timers stop, and it emits its remaining records."


def narrate_task(task: TaskChain, steps: Sequence[TaskStep]) -> tuple[NarratedStep[TaskStep], ...]:
    """Every step in words."""
    finishes = any(isinstance(step, OperatorCalled) and step.method == "finish" for step in steps)
    narrator = _LifecycleNarrator(task, closes_last=finishes)
    return number_steps((PARTS[step.phase], step, narrator.narrate(step)) for step in steps)


def as_members(steps: Iterable[NarratedStep[TaskStep]]) -> list[dict[str, Any]]:
    """JSON-ready members; ``highlighted``: keys of parts of the task's drawing."""
    return [
        step.text()
        | {"facts": step.details, "highlighted": step.highlighted.parts}
        | {"step": msgspec.to_builtins(step.event)}
        for step in steps
    ]


class _LifecycleNarrator:
    def __init__(self, task: TaskChain, *, closes_last: bool) -> None:
        self.task, self.closes_last = task, closes_last
        self.names = {operator.node: operator.name for operator in task.operators}
        if task.end is not None:
            self.names[task.head] = task.name
        self.outputs = {operator.node: operator.output for operator in task.operators}

    def narrate(self, step: TaskStep) -> Narration:  # noqa: PLR0911 - one for each kind of step
        match step:
            case NetworkOutputMade():
                network = self.task.network[step.network]
                tag = "" if network.tag is None else f", for the side output {network.tag!r}"
                return Narration(
                    f"make network output {step.network}",
                    f"Create network output {step.network}: a RecordWriterOutput after "
                    f"{self.names[network.node]}, {network.ship_strategy}{tag}. Created before the "
                    "operators.",
                    _parts(_writer(step.network)),
                )
            case OperatorMade():
                name, output = self.names[step.node], self.outputs[step.node]
                return Narration(
                    f"make {name}",
                    f"Create {name}. Its output exists already: "
                    f"{described_output(output, self.names)}.",
                    _parts(_node(step.node)),
                    (("output", tuple(classes_of(output))),),
                )
            case WrappersLinked():
                return self.narrate_links(step)
            case OperatorCalled():
                return self.narrate_call(step)
            case ElementPassed():
                return self.narrate_element(step)
            case BarrierSent():
                return Narration(
                    f"barrier to network output {step.network}",
                    "The chain sends the checkpoint's barrier to all channels of network output "
                    f"{step.network}, past the operators: their state is written as soon as it has "
                    "left.",
                    _parts(_writer(step.network)),
                    (("call", ("broadcastEvent",)),),
                )
            case EndActed():
                highlighted = _parts(_node(self.task.head), QUEUE)
                return Narration(*narrate_end(self.task, step), highlighted)
            case _:
                assert_never(step)

    def narrate_links(self, step: WrappersLinked) -> Narration:
        names = listed([self.names[node] for node in step.order])
        parts = _parts(*map(_node, step.order))
        if self.task.wrapper is None:
            are = "is" if len(step.order) == 1 else "are"
            count = counted(len(step.order), "operator")
            sentence = f"{count} {are} in an array, tail first: {names}."
            return Narration("fill the array", sentence, parts)
        sentence = (
            f"Each operator is held by a {self.task.wrapper}, doubly linked, head first: {names}. "
            "Steps from tail to head use the links back."
        )
        return Narration("link the wrappers", sentence, parts, (("holds", (self.task.chain,)),))

    def narrate_call(self, step: OperatorCalled) -> Narration:
        name = self.names[step.node]
        words = _METHODS[step.method]
        if step.method == "close":
            words = _FINISHED if self.closes_last else _EMITTING
        title, details = f"{step.method} of {name}", (("call", (step.method,)),)
        return Narration(title, words.format(name=name), _parts(_node(step.node)), details)

    def narrate_element(self, step: ElementPassed) -> Narration:
        owner = "The task" if step.source is None else self.names[step.source]
        verb, to, key = "writes", f"network output {step.network}", _writer(step.network)
        if step.target is not None:
            verb, to, key = "hands", self.names[step.target], _node(step.target)
        what = f"the {step.element}" if step.source is not None else f"a {step.element}"
        return Narration(
            f"{owner} → {to}",
            f"{owner} {verb} {what} to {to}{_how(step)}",
            _parts("in" if step.source is None else _node(step.source), key),
            (("through", step.through), ("call", (step.method,))),
        )


def _how(step: ElementPassed) -> str:
    """End of the sentence: how the element is passed, and which of several outputs gets it."""
    if step.alternatives > 1:
        return f": one of its {step.alternatives} outputs, drawn at random, gets it."
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
    inner = ", ".join(described_output(task_output, names) for task_output in output.outputs)
    return f"{output.class_name} around {inner}"


def _of_tag(output: TaskOutput) -> str:
    return "" if output.tag is None else f" for the side output {output.tag!r}"


def classes_of(output: TaskOutput) -> list[str]:
    """An output's class, and those of what is within it."""
    result = [output.class_name]
    for task_output in output.outputs:
        result += classes_of(task_output)
    return result


def _parts(*keys: str) -> Highlighted:
    return Highlighted(parts=keys)


def _node(node: NodeId) -> str:
    return f"n{node}"


def _writer(number: int | None) -> str:
    return f"w{number}"
