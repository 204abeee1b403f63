"""The names of the keyed states in a subtask's bytes.

Keyed state begins with what ``KeyedBackendSerializationProxy`` writes: the serializers, each in a
form of its own, and for every state a ``StateMetaInfoSnapshot``: its name, its type, its options.
The bytes of a serializer cannot be skipped without knowing the serializer, so the keys of the
options are searched for, and the name is the text before them.
"""

import re
from itertools import islice
from typing import Final

from explorer.savepoints.data_input import modified_utf8

MOST_NAMES: Final = 1_000
"""States of one handle with names that are read."""
_LOOKED_AT: Final = 1 << 20
"""Bytes from the start that are searched: the names stand before the state itself."""
_NAMED: Final = re.compile(
    rb"(?=([\x00\x01])([^\x00-\x1f\x7f]{2,501}+|[\x00-\x1f\x7f][^\x00-\x1f\x7f]{1,500}+)"
    # ``BackendStateType`` (four of them), how many options follow, and the first option's key.
    rb"\x00\x00\x00[\x00-\x03]\x00\x00\x00[\x01-\x08]\x00\x10KEYED_STATE_TYPE)"
)
"""A length in two bytes and a name, as ``writeUTF`` writes them, before an option's key.

A name holds no control character and a length begins with one, so that a search is linear in the
bytes: no run of other characters is read from more than two places. The length's second byte is
the first of the second group.
"""


def keyed_state_names(content: bytes) -> tuple[str, ...]:
    """The first ``MOST_NAMES`` names, in the order in which the backend wrote them; each once."""
    by_end: dict[int, str] = {}
    # Of two readings with one end the shorter name counts, which begins later.
    for match in islice(_NAMED.finditer(content[:_LOOKED_AT]), 2 * MOST_NAMES):
        name = _name(*match.groups())
        if name:
            by_end[match.end(2)] = name
    return tuple(dict.fromkeys(by_end.values()))[:MOST_NAMES]


def _name(high: bytes, text: bytes) -> str | None:
    """Return the name if its length shows that it ends at the option."""
    length = int.from_bytes(high + text[:1], "big")
    return modified_utf8(text[1:]) if length == len(text) - 1 else None
