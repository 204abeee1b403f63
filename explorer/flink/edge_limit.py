"""The edge limit: how many edges a StreamGraph may have for a caller.

Every compilation reads this limit, however deep in a question it happens. The library's own limit
holds unless a caller lowers it for all that it does.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

MOST_EDGES: Final = 500_000
"""Edges of a graph in the library; each needs about a kilobyte."""
_LIMIT: Final = ContextVar("edge_limit", default=MOST_EDGES)


def edge_limit() -> int:
    """The limit that holds here."""
    return _LIMIT.get()


@contextmanager
def edges_limited(maximum: int) -> Iterator[None]:
    """Lower the limit for every compilation within; a higher limit changes nothing."""
    token = _LIMIT.set(min(maximum, _LIMIT.get()))
    try:
        yield
    finally:
        _LIMIT.reset(token)
