"""The pattern of a ``CepOperator``, as ``NFACompiler`` compiled it.

Both the CEP library and ``MATCH_RECOGNIZE`` create this operator with an ``NFAFactoryImpl``.
"""

from typing import Any

import msgspec

from explorer.capture.jvm.java_objects import JavaObjects
from explorer.model.stream_graph import EventPattern, PatternStage


def event_pattern(objects: JavaObjects, factory: Any) -> dict[str, Any] | None:
    """The members of ``operator.pattern``; None where the operator has no pattern."""
    operator = objects.call(factory, "getOperator")
    if not objects.is_a(operator, "CepOperator"):
        return None
    compiled = objects.field(operator, "nfaFactory")
    states = objects.field(compiled, "states")
    if states is None:
        return None
    # Before 1.16 a pattern has one limit alone.
    limits = objects.field(compiled, "windowTimes")
    within = {} if limits is None else dict(objects.entries(limits))
    skip = objects.field(operator, "afterMatchSkipStrategy")
    pattern = EventPattern(
        stages=tuple(
            sorted(
                (_read_stage(objects, state, within) for state in objects.each(states)),
                key=lambda stage: stage.name,
            )
        ),
        within=_limit(objects.field(compiled, "windowTime")),
        skip=None if skip is None else str(skip.toString()),
    )
    return dict(msgspec.to_builtins(pattern))


def _read_stage(objects: JavaObjects, state: Any, within: dict[Any, Any]) -> PatternStage:
    name = str(state.getName())
    transitions = (
        f"{transition.getAction().name()} {transition.getTargetState().getName()}"
        for transition in objects.each(state.getStateTransitions())
    )
    return PatternStage(
        name=name,
        kind=str(state.getStateType().name()),
        transitions=tuple(sorted(transitions)),
        within=_limit(within.get(name)),
    )


def _limit(milliseconds: Any) -> int | None:
    """A limit that is set; 0 and less stand for none."""
    return int(milliseconds) if milliseconds is not None and milliseconds > 0 else None
