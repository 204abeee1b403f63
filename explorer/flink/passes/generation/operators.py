"""What a transformation's operator is: name, strategy, task class, uid.

Mirrors the operators' constructors, ``SimpleTransformationTranslator.configure`` and
``BatchExecutionUtils``; which release does what is asked of ``Release``.
"""

from typing import Final

import msgspec

from explorer.flink.kinds import KINDS
from explorer.flink.releases import Release
from explorer.model.pipeline import ChainingStrategy, Transformation, Window

TRIGGERS: Final = {"event": "EventTimeTrigger", "processing": "ProcessingTimeTrigger"}
_ASSIGNERS: Final = {
    ("tumbling", "event"): "TumblingEventTimeWindows",
    ("tumbling", "processing"): "TumblingProcessingTimeWindows",
    ("sliding", "event"): "SlidingEventTimeWindows",
    ("sliding", "processing"): "SlidingProcessingTimeWindows",
    ("session", "event"): "EventTimeSessionWindows",
    ("session", "processing"): "ProcessingTimeSessionWindows",
}


class Operator(msgspec.Struct, frozen=True, kw_only=True):
    """What the translation needs to know of an operator besides its transformation's fields."""

    name: str
    """The transformation's name."""
    node_name: str
    """The StreamNode's, as with a ``Source: `` before it."""
    description: str | None = None
    strategy: ChainingStrategy
    vertex_class: str
    uid: str | None = None
    yielding: bool = False
    concurrent_attempts: bool = True


def operator_of(
    transformation: Transformation, release: Release, *, keyed_inputs: tuple[bool, ...]
) -> Operator:
    """The operator that ``transformation`` makes; ``keyed_inputs``: which inputs are ``key_by``."""
    default, description = _default_name(transformation, release, keyed_inputs)
    name = transformation.name if transformation.name is not None else default
    kind = KINDS[transformation.type]
    return Operator(
        name=name,
        node_name=kind.prefix + name,
        description=description,
        strategy=_strategy(transformation, release),
        vertex_class=_task(transformation, release),
        uid=transformation.uid,
        yielding=kind.yields and release.async_yields,
        # An OutputFormatSinkFunction does not say that it supports them.
        concurrent_attempts=transformation.output_format is None,
    )


_SINK_UIDS: Final = {
    "Writer": "{}",
    "Committer": "Sink Committer: {}",
    "Global Committer": "Sink {} Global Committer",
}
"""By part of a sink, the uid that it gets from the sink's."""


def sink_part(t: Transformation, part: str, release: Release) -> Operator:
    """The writer, the committer or the global committer of a sink."""
    name = f"{KINDS[t.type].name if t.name is None else t.name}: {part}"
    alone = part == "Writer" and not (t.committer or t.global_committer)
    late = part == "Global Committer" and release.global_committer_declared_late
    return Operator(
        name=name,
        node_name=name,
        strategy="ALWAYS" if late else t.chaining_strategy or "ALWAYS",
        vertex_class="OneInputStreamTask",
        uid=None if t.uid is None else _SINK_UIDS[part].format(t.uid),
        yielding=part == "Writer",
        concurrent_attempts=alone or late,
    )


def handed_on(t: Transformation, release: Release, parallelism: int) -> Transformation:
    """A sink with the fields that its parts take from it; ``parallelism``: the sink's."""
    group = t.co_location_group if release.sink_parts_co_located else None
    sets = parallelism if release.sink_parts_set_parallelism else t.parallelism
    return msgspec.structs.replace(t, co_location_group=group, parallelism=sets)


def is_keyed(t: Transformation, keyed_inputs: tuple[bool, ...]) -> bool:
    """Whether the transformation has a state key selector; one keyed input of two is enough."""
    match KINDS[t.type].key_selector:
        case "inputs":
            return any(keyed_inputs)
        case "first input":
            return keyed_inputs[0]
        case "field":
            return t.keyed
        case "constant":
            return True
        case "none":
            return False


def _strategy(t: Transformation, release: Release) -> ChainingStrategy:
    """What the program asks for, where the transformation passes it on; else the operator's own."""
    kind = KINDS[t.type]
    hears = kind.hears_strategy is None or kind.hears_strategy(release)
    if t.chaining_strategy is not None and hears:
        return t.chaining_strategy
    return kind.strategy_in(release) if kind.strategy_in else kind.strategy


def _task(t: Transformation, release: Release) -> str:
    task = KINDS[t.type].vertex_class
    selects = t.input_selectable and release.selectable_task and task == "TwoInputStreamTask"
    return "TwoInputSelectableStreamTask" if selects else task


def _default_name(
    transformation: Transformation, release: Release, keyed_inputs: tuple[bool, ...]
) -> tuple[str, str | None]:
    """The operator's name where the program sets none, and its description where it differs."""
    if transformation.window is not None:
        return _window_names(transformation, transformation.window, release)
    if transformation.output_format is not None:
        return "Unnamed", None
    kind = KINDS[transformation.type]
    keyed = kind.keyed_name is not None and keyed_inputs[0]
    return (kind.keyed_name if keyed else kind.name) or "", None


def _window_names(
    transformation: Transformation, window: Window, release: Release
) -> tuple[str, str | None]:
    long = long_window_name(transformation, window)
    if not release.short_window_names:
        return long, None
    return _ASSIGNERS[window.assigner, window.time], long


def long_window_name(transformation: Transformation, window: Window) -> str:
    """What releases up to 1.14 call a window operator, and later ones describe it as."""
    assigner = _ASSIGNERS[window.assigner, window.time]
    lengths = {
        "tumbling": f"{window.size}",
        "sliding": f"{window.size}, {window.slide}",
        "session": f"{window.gap}",
    }[window.assigner]
    trigger = TRIGGERS[window.time]
    if KINDS[transformation.type].alone:
        # Flink goes on with an object's hash and the program's line, which no document has.
        return f"TriggerWindow({assigner}({lengths}), ReducingStateDescriptor, {trigger}())"
    function = transformation.function or "Sum"
    return f"Window({assigner}({lengths}), {trigger}, {function}, PassThroughWindowFunction)"
