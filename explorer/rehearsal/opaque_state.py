"""Operators with state of which the serializers do not show what its content means.

Kryo writes any object of a class, and the partial matches of a pattern name its stages.
"""

from typing import Final

from explorer.model.serializer_types import nested_types
from explorer.savepoints import Savepoint

_OPAQUE: Final = ("KryoSerializer", "NFAStateSerializer")


def opaque_operators(savepoint: Savepoint) -> frozenset[str]:
    """Return the IDs of the operators with such state."""
    return frozenset(
        one.operator_id
        for one in savepoint.operators
        for state in one.schema.states
        if state.value is not None
        and any(type.serializer.startswith(_OPAQUE) for type in nested_types(state.value))
    )
