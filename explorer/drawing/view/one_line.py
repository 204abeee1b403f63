"""A user's text in a drawing or message: one line, short enough, harmless.

Names may hold anything that a document may hold. A drawing shows them without line breaks, without
the characters that turn the text around them, and without those that XML forbids.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

LONGEST: Final = 300
"""Where texts are cut that no box limits; Flink's dashboard cuts descriptions there."""
ELLIPSIS: Final = "…"
_TURNING: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_BREAKING: Final = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_FORBIDDEN: Final = re.compile("[\ud800-\udfff\ufffe\uffff]")
_REMEMBERED: Final = 4096
"""Texts of which the lines are retained: a graph is drawn again with nearly the same ones."""
_JOINER: Final = "\u200d"
_MODIFIERS: Final = ("\U0001f3fb", "\U0001f3ff")

_WIDTHS: Final = (
    ("iIjJl|'", 0.3),
    (' .,:;!/\\"', 0.34),
    ("frt()[]{}-`", 0.41),
    ("sz", 0.53),
    ("ckvxyFL_?*", 0.58),
    ("aeoPTY", 0.615),
    ("ABCEKRSVXZ", 0.69),
    ("wDGHNOQU", 0.785),
    ("+<>=~^#", 0.84),
    ("mMW@%…", 0.985),
)
"""By letters, their width in ems in a wide sans-serif font; the other letters come below."""
_BY_LETTER: Final = {letter: width for letters, width in _WIDTHS for letter in letters}


def one_line(text: str) -> str:
    r"""The text in one line, without what no drawing can show.

    >>> one_line("a\tb\n\u202ec\x00")
    'a b c'
    """
    # What has only signs that show, with single spaces, is nearly every name.
    if text.isprintable() and "  " not in text:
        return text.strip()
    text = _FORBIDDEN.sub("\ufffd", _TURNING.sub("", text))
    return _BREAKING.sub(" ", text).strip()


@lru_cache(maxsize=2048)
def shortened(text: str, maximum: int = LONGEST) -> str:
    """The text in one line of at most ``maximum`` characters, its end left out where it is longer.

    >>> shortened("delays by carrier", 8)
    'delays …'
    """
    text = one_line(text)
    return text if len(text) <= maximum else _cut(text, maximum - 1)


def fitted(text: str, space: float, size: float, *, mono: bool = False) -> str:
    """The text in one line that is at most about ``space`` wide, drawn ``size`` high.

    >>> fitted("flights", 100.0, 12.0), fitted("mmmmm", 36.0, 10.0)
    ('flights', 'mm…')
    """
    return _fitted(shortened(text), space, size, mono)


@lru_cache(maxsize=_REMEMBERED)
def _fitted(text: str, space: float, size: float, mono: bool) -> str:  # noqa: FBT001 - a cached call is faster by position
    left, minimum = space / size, 0
    for place, letter in enumerate(text):
        left -= 0.61 if mono and letter.isascii() else _width(letter)
        if left >= _width(ELLIPSIS):
            minimum = place + 1
        if left < 0:
            return _cut(text, minimum)
    return text


def wrapped(text: str, space: float, size: float, maximum: int) -> tuple[str, ...]:
    """The text in at most ``maximum`` lines that are about ``space`` wide, broken between words.

    >>> wrapped("flights -> by carrier -> sum", 80.0, 12.0, 2)
    ('flights -> by', 'carrier -> …')
    """
    return _wrapped(shortened(text), space, size, maximum)


@lru_cache(maxsize=_REMEMBERED)
def _wrapped(text: str, space: float, size: float, maximum: int) -> tuple[str, ...]:
    words = text.split(" ")
    lines: list[str] = []
    while words and len(lines) < maximum - 1:
        fitting = 1
        while fitting < len(words) and extent(" ".join(words[: fitting + 1]), size) <= space:
            fitting += 1
        lines.append(fitted(" ".join(words[:fitting]), space, size))
        words = words[fitting:]
    return (*lines, fitted(" ".join(words), space, size)) if words else tuple(lines)


def extent(text: str, size: float) -> float:
    """About how wide a text in one line is, drawn ``size`` high."""
    return _ems(text) * size


def _cut(text: str, place: int) -> str:
    """Return the text up to ``place`` or a little less: no sign loses its modifier."""
    while place and (_belongs(text[place]) or text[place - 1] == _JOINER):
        place -= 1
    return text[:place] + ELLIPSIS


def _belongs(letter: str) -> bool:
    """Whether a letter changes the one before it."""
    first, last = _MODIFIERS
    return (
        letter == _JOINER
        or unicodedata.combining(letter) > 0
        or (unicodedata.category(letter) in {"Mn", "Me"} or first <= letter <= last)
    )


@lru_cache(maxsize=_REMEMBERED)
def _ems(text: str) -> float:
    return sum(map(_width, text))


@lru_cache(maxsize=4096)
def _width(letter: str) -> float:
    """About how wide a letter is, in ems."""
    if letter in _BY_LETTER:
        return _BY_LETTER[letter]
    if _belongs(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    return 0.79 if letter.isupper() else 0.64
