"""Which keyed states do a subtask's bytes hold, by name?

Keyed state begins with what ``KeyedBackendSerializationProxy`` writes: the serializers, each in a
form of its own, and for every state a ``StateMetaInfoSnapshot``: its name, its type, its options.
What a serializer writes of itself cannot be skipped without knowing it, so the options' keys are
looked for, and the name is what stands before them.
"""

import re
import struct
from typing import Final

from explorer.savepoints.data_input import modified_utf8

_TYPES: Final = 4
"""``BackendStateType``: key-value, operator, broadcast, priority queue."""
_MOST_OPTIONS: Final = 8
_BEFORE: Final = struct.Struct(">ii")
"""What stands between a name and its first option: the type, and how many options follow."""
_LONGEST: Final = 500
_LOOKED_AT: Final = 1 << 20
"""Bytes from the start within which names are looked for: they stand before the state itself."""
_KEY: Final = re.compile(rb"\x00\x10KEYED_STATE_TYPE")
_PRINTABLE: Final = re.compile(r"[^\x00-\x1f\x7f]+")


def keyed_state_names(content: bytes) -> tuple[str, ...]:
    """The names in the order in which the backend wrote them; each once."""
    head = content[:_LOOKED_AT]
    found = (_name_before(head, match.start()) for match in _KEY.finditer(head))
    return tuple(dict.fromkeys(name for name in found if name))


def _name_before(head: bytes, place: int) -> str | None:
    """The text that ends where the type and the number of options begin."""
    if place < _BEFORE.size:
        return None
    type, options = _BEFORE.unpack_from(head, place - _BEFORE.size)
    if not (0 <= type < _TYPES and 0 < options <= _MOST_OPTIONS):
        return None
    end = place - _BEFORE.size
    for length in range(1, min(_LONGEST, end - 2) + 1):
        start = end - length
        if head[start - 2 : start] == struct.pack(">H", length):
            name = modified_utf8(head[start:end])
            return name if _PRINTABLE.fullmatch(name) else None
    return None
