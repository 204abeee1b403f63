"""Wraps text into lines and columns of a terminal, where wide letters take two cells."""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final

_ATTACHED: Final = frozenset({"Mn", "Me", "Cf"})
"""Categories of letters that a terminal draws on the letter before them."""


def cells(text: str) -> int:
    """Width of a text in a terminal's cells.

    >>> cells("流 a")
    4
    """
    return len(text) if text.isascii() else sum(map(_letter_cells, text))


@lru_cache(maxsize=4096)
def _letter_cells(letter: str) -> int:
    if unicodedata.category(letter) in _ATTACHED:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` cells, broken at spaces; a longer word is cut.

    >>> wrapped("a filter, inserted", 9)
    ['a filter,', 'inserted']
    """
    lines = [""]
    for place, word in enumerate(text.split(" ")):
        joined = f"{lines[-1]} {word}" if place else word
        if cells(joined) <= width:
            lines[-1] = joined
        else:
            lines += _pieces(word, width)
    return [line for line in lines if line] or [""]


def _pieces(word: str, width: int) -> Iterator[str]:
    piece, used = "", 0
    for letter in word:
        cells = _letter_cells(letter)
        if used + cells > width:
            yield piece
            piece, used = "", 0
        piece, used = piece + letter, used + cells
    yield piece


def columns(texts: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """Lines of a table's row, each text wrapped in its column, two spaces between columns."""
    cut = (wrapped(text, width) for text, width in zip(texts, widths, strict=True))
    for parts in zip_longest(*cut, fillvalue=""):
        padded = (
            part + " " * (width - cells(part)) for part, width in zip(parts, widths, strict=True)
        )
        yield "  ".join(padded).rstrip()
