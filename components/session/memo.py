"""What a session retains so that its next request costs less.

It retains what was made of the document at hand. What an earlier document needed is handed over
with the first run that shows another one, and bounded by ``compiled.RECENT``: a visitor who opens
a hundred documents costs what the last of them costs.
"""

from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

import msgspec

from explorer.documents import Document

Answer = TypeVar("Answer")
PLAIN: Final = (str, int, type(None))
"""Inputs that are compared by value, not by identity."""


class _Entry(msgspec.Struct, kw_only=True):
    inputs: tuple[object, ...]
    answer: Any
    turn: int
    """The latest turn in which it was used."""


class SessionMemo:
    """The latest answer of each name, with the objects that it was made from.

    A turn is a run of the whole page with the callbacks before it, and the runs that it replaced.
    """

    def __init__(self) -> None:
        self._entries: dict[Hashable, _Entry] = {}
        self._turn = 0
        self._document: Document | None = None
        """The document of the latest turn that has ended."""
        self._replaced: dict[Hashable, Any] = {}
        """By name, the answer before this turn."""

    def __len__(self) -> int:
        """How many answers there are."""
        return len(self._entries)

    def __getitem__(self, name: Hashable) -> Any:
        """Return the answer of a name."""
        return self._entries[name].answer

    def find(
        self, name: Hashable, inputs: tuple[object, ...], make: Callable[..., Answer]
    ) -> Answer:
        """Make something, or return what was made from these very objects the last time."""
        entry = self._entries.get(name)
        if entry is None or not same(entry.inputs, inputs):
            if entry is not None:
                self._replaced.setdefault(name, entry.answer)
            entry = _Entry(inputs=inputs, answer=make(*inputs), turn=self._turn)
            self._entries[name] = entry
        entry.turn = self._turn
        answer: Answer = entry.answer
        return answer

    def end_turn(self, document: Document) -> tuple[Document | None, list[Any]]:
        """Drop what this turn did not use, if it showed another document than the one before.

        Returns that one, and the answers that were made of it; none where it is still shown.
        """
        before, dropped = self._document, [*self._replaced.values()]
        if document is before:
            dropped = []
        else:
            unused = [name for name, entry in self._entries.items() if entry.turn != self._turn]
            dropped += [self._entries.pop(name).answer for name in unused]
        self._document, self._replaced = document, {}
        self._turn += 1
        return before, dropped


def same(a: tuple[object, ...], b: tuple[object, ...]) -> bool:
    """Whether both hold the same objects, or equal words and numbers."""
    return len(a) == len(b) and all(
        x is y or (isinstance(x, PLAIN) and isinstance(y, PLAIN) and x == y)
        for x, y in zip(a, b, strict=True)
    )
