"""The states that an editor can undo and redo: of the page's work and of a widget's graph."""

from typing import Final, Generic, TypeVar

import msgspec

S = TypeVar("S")

DEPTH: Final = 100
"""Number of changes that can be undone."""


class History(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """The states around the current one, which is not among them."""

    past: tuple[S, ...] = ()
    """Earlier states, the latest last."""
    future: tuple[S, ...] = ()
    """States that were undone, the latest first; the next change drops them."""

    def changed(self, current: S) -> "History[S]":
        """The history after a change of the current state."""
        return History(past=(*self.past, current)[-DEPTH:])

    def undo(self, current: S) -> tuple[S, "History[S]"]:
        """Return the latest earlier state, and the history around it; there must be one."""
        return self.past[-1], History(past=self.past[:-1], future=(current, *self.future))

    def redo(self, current: S) -> tuple[S, "History[S]"]:
        """Return the state that was undone last, and the history around it; there must be one."""
        history = History(past=(*self.past, current)[-DEPTH:], future=self.future[1:])
        return self.future[0], history
