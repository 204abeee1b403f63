"""Operators with state of which the serializers do not show what its content means.

Kryo writes any object of a class, and the partial matches of a pattern name its stages.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from explorer.flink.releases import release
from explorer.model.rehearsal import OPENED, RehearsedOperator
from explorer.model.serializer_types import SerializerType, nested_types, uses_kryo
from explorer.savepoints import Savepoint
from explorer.savepoints.partial_matches import holds_partial_matches


def opaque_operators(savepoint: Savepoint) -> frozenset[str]:
    """Return the IDs of the operators with such state."""
    return _operators_with(savepoint, lambda type: uses_kryo(type) or _is_pattern(type))


def _is_pattern(type: SerializerType) -> bool:
    return any(holds_partial_matches(part) for part in nested_types(type))


def judge_kryo(
    savepoint: Savepoint,
    operators: Iterable[RehearsedOperator],
    old_releases: Sequence[str],
    flink_version: str,
) -> tuple[RehearsedOperator, ...]:
    """Name the reason where another major version of Kryo than the one that wrote a state reads it.

    ``old_releases``: those that may have written the savepoint; ``flink_version``: of the one that
    read it. Another version may also read other values without an error, so that such state is not
    restored.
    """
    reads = release(flink_version).kryo
    writes = {release(version).kryo for version in old_releases}
    if writes <= {reads}:
        return tuple(operators)
    affected = _operators_with(savepoint, uses_kryo)
    form = f"in another form than that of Kryo {reads} in Flink {flink_version}"
    sentence = f"Kryo {min(writes)} wrote its state, {form}"
    return tuple(
        _judge(operator, sentence) if operator.operator_id in affected else operator
        for operator in operators
    )


def _judge(operator: RehearsedOperator, sentence: str) -> RehearsedOperator:
    if operator.verdict == "refused":
        return msgspec.structs.replace(operator, error=f"{operator.error}; {sentence}")
    if operator.verdict in OPENED:
        states = tuple(
            msgspec.structs.replace(state, verdict="opened_not_used") for state in operator.states
        )
        error = f"{sentence}: the values that were read may be wrong"
        return msgspec.structs.replace(
            operator, verdict="opened_not_used", states=states, error=error
        )
    return operator


def _operators_with(
    savepoint: Savepoint, matches: Callable[[SerializerType], bool]
) -> frozenset[str]:
    return frozenset(
        operator.operator_id
        for operator in savepoint.operators
        for state in operator.schema.states
        if state.value is not None and matches(state.value)
    )
