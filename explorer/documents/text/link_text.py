"""A state as text for a link's address: JSON, compressed, in base64's alphabet for addresses."""

import base64
import binascii
import json
import zlib
from typing import Any, Final

from explorer.documents.limits import MAX_BYTES
from explorer.errors import DocumentError

DAMAGED: Final = "This link is damaged: it was cut off or changed in transit"


def pack_link(state: dict[str, Any], level: int = 9) -> str:
    """Return a state as text; ``level``: how much time zlib may spend, 1 to 9.

    >>> unpack_link(pack_link({"document": 1}))
    {'document': 1}
    """
    return pack_json(compact_json(state), level)


def compact_json(value: object) -> str:
    """Return JSON without spaces, as links hold it."""
    return json.dumps(value, separators=(",", ":"))


def pack_json(text: str, level: int) -> str:
    """Return JSON as a link's text; ``level`` as in ``pack_link``."""
    packed = zlib.compress(text.encode(), level)
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode("ascii")


def unpack_link(text: str) -> dict[str, Any]:
    """Return the state of a text; raise ``DocumentError`` where it holds none."""
    damaged = DocumentError(path="", problem=DAMAGED)
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpack = zlib.decompressobj()
        raw = unpack.decompress(packed, MAX_BYTES)
        if unpack.unconsumed_tail or not unpack.eof:
            raise damaged
        state = json.loads(raw)
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        raise damaged from None
    if not isinstance(state, dict):
        raise damaged
    return state
