"""Where long work on rows asks whether to go on: a run within limits may end it there.

Arrow computes a whole column at once, and a pattern can need time that grows with the square of a
text. Work in pieces asks before each of them, with the length of its longest text. The run sets
what is asked, since a function of an expression knows no run.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final


def _go_on(_: int) -> None:
    """Nothing limits the work."""


_PAUSE: Final[ContextVar[Callable[[int], None]]] = ContextVar("pause", default=_go_on)


def pause(longest: int) -> None:
    """Ask whether to go on with texts of up to this many bytes; what this raises ends the run."""
    _PAUSE.get()(longest)


@contextmanager
def pausing(ask: Callable[[int], None]) -> Iterator[None]:
    """Let ``pause`` call ``ask`` for all work within."""
    token = _PAUSE.set(ask)
    try:
        yield
    finally:
        _PAUSE.reset(token)
