"""Text of values, names and numbers in a sentence: short, in one line, safe to print."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from explorer.errors import did_you_mean


def counted(number: int, noun: str, nouns: str = "") -> str:
    """A number with its noun; ``nouns`` is the plural where that is not the noun and an s.

    >>> counted(1, "task"), counted(1200, "task"), counted(2, "vertex", "vertices")
    ('1 task', '1,200 tasks', '2 vertices')
    """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def counted_change(previous: int, following: int, noun: str) -> str:
    """A number with its noun, before and after a change; unchanged, the number alone.

    >>> counted_change(1, 3, "task"), counted_change(2, 2, "task")
    ('1 task → 3', '2 tasks')
    """
    return (
        counted(previous, noun)
        if previous == following
        else f"{counted(previous, noun)} → {following:,}"
    )


SHOWN: Final = 60
"""Characters of a user's text that a message repeats."""

_SEARCHED: Final = 2_000
"""Number of known names up to which a similar one is searched."""

TYPE_WORDS: Final[Mapping[type, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    dict: "a mapping",
    list: "a list",
    type(None): "empty",
}
"""Names of the types of a document's values, for a reader who does not know Python."""


def quoted(value: object, maximum: int = SHOWN) -> str:
    r"""A value as a message shows it: quoted, cut, no line breaks or hidden characters.

    >>> quoted("a\nb")
    "'a\\nb'"
    """
    text = repr(value[: maximum + 1] if isinstance(value, str) else value)
    if len(text) <= maximum + 2:
        return text
    return f"{text[:maximum]}…{text[-1] if isinstance(value, str) else ''}"


def printable(text: str) -> str:
    r"""A text with what cannot be printed, line breaks too, in the letters of an escape.

    >>> printable("a\nb")
    'a\\nb'
    """
    if text.isprintable():
        return text
    return "".join(item if item.isprintable() else repr(item)[1:-1] for item in text)


_TURNING: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def without_turning(text: str) -> str:
    r"""A text in which controls of the writing direction stand as escapes, so they are visible.

    >>> without_turning("a\u202eb")
    'a\\u202eb'
    """
    return _TURNING.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def spreadsheet_cell(text: str) -> str:
    """A text that no spreadsheet reads as a formula.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell(" @a"), spreadsheet_cell("a-b")
    ("'=1+1", "' @a", 'a-b')
    """
    return f"'{text}" if text.lstrip()[:1] in tuple("=+-@") else text


def spelled(value: object) -> str:
    """A value as YAML and Flink's own files have it: Boolean words are small."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def quoting_hint(value: object) -> str:
    """A hint to quote a bare word that YAML reads as a number or a Boolean."""
    return f'; quote it: "{spelled(value)}"' if isinstance(value, bool | int | float) else ""


def described(value: object) -> str:
    """Describe a value for a reader who does not know Python.

    >>> described("two"), described(None), described([1])
    ("the text 'two'", 'empty', 'a list')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if isinstance(value, int | float):
        return f"the number {quoted(value)}"
    return TYPE_WORDS.get(type(value), f"a {type(value).__name__}")


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names in a sentence; ``none`` where there are none.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *front, end = [*names] or ["none"]
    return f"{', '.join(front)} {last} {end}" if front else end


def capitalized(text: str) -> str:
    """The text with a capital letter at its beginning.

    >>> capitalized("checked by Flink")
    'Checked by Flink'
    """
    return text[:1].upper() + text[1:]


def cut(text: str, maximum: int) -> str:
    """The text, or its beginning and an ellipsis: at most ``maximum`` characters.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= maximum else text[: maximum - 1] + "…"


def with_full_stop(text: str) -> str:
    """The text as a sentence; a text that ends with a full stop, as Flink's messages do, as it is.

    >>> with_full_stop("Not checked: user code"), with_full_stop("It must not be incompatible.")
    ('Not checked: user code.', 'It must not be incompatible.')
    """
    return text if text.endswith(".") else f"{text}."


def first_listed(names: Sequence[str], maximum: int) -> str:
    """The first names in a sentence, and how many more there are.

    >>> first_listed(["a", "b", "c"], 2)
    'a and b and 1 more'
    """
    more = f" and {len(names) - maximum:,} more" if len(names) > maximum else ""
    return f"{listed(names[:maximum])}{more}"


def suggestion(name: str, known: Collection[str]) -> str:
    """The nearest known name, unless looking for it would be slow."""
    return did_you_mean(name, known) if len(name) <= SHOWN and len(known) <= _SEARCHED else ""


def step(name: object) -> str:
    """A key as part of a path: as it is when it is a plain word, else quoted."""
    plain = isinstance(name, str) and name.isidentifier() and len(name) <= SHOWN
    return str(name) if plain else quoted(name)


def named(id: str) -> str:
    """The transformation that a sentence is about, in parentheses."""
    return f" (transformation {quoted(id)})"
