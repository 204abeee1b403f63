"""Splits a SQL script into statements, as Flink's SQL client does.

A semicolon ends a statement unless it is quoted or part of a comment. Flink's own parser reads the
statements themselves.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.capture.failures import CaptureError

Place: TypeAlias = tuple[int, int]
"""A line and a column of a script, both counted from 1."""
Kind: TypeAlias = Literal["set", "reset", "begin", "end", "quit", "skip", "statement"]

_TOKEN: Final = re.compile(
    r"""
      --[^\n]*                    # a comment to the end of the line
    | /\*(?!\+).*?\*/             # one in the middle; /*+ is a hint, and stays
    | '(?:[^']|'')*'              # text
    | "(?:[^"]|"")*"
    | `(?:[^`]|``)*`              # a name
    | ;
    | [^-/'"`;]+ | .
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTED: Final = r"""'(?:[^']|'')*'"""
_SET: Final = re.compile(
    rf"SET(?:\s+(?P<key>{_QUOTED}|[^\s=']+)\s*=\s*(?P<value>{_QUOTED}|.*))?",
    re.IGNORECASE | re.DOTALL,
)
_RESET: Final = re.compile(rf"RESET(?:\s+(?P<key>{_QUOTED}|\S+))?", re.IGNORECASE)
_BEGIN: Final = re.compile(
    r"(?:BEGIN\s+STATEMENT\s+SET|(?:EXECUTE\s+)?STATEMENT\s+SET\s+BEGIN)\b\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_SIMPLE: Final[dict[Kind, re.Pattern[str]]] = {
    "end": re.compile(r"END", re.IGNORECASE),
    "quit": re.compile(r"(?:QUIT|EXIT)", re.IGNORECASE),
    "skip": re.compile(r"(?:CLEAR|HELP)", re.IGNORECASE),
}


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """One statement of a script."""

    kind: Kind
    text: str
    line: int
    """The line that it begins in, counted from 1."""
    column: int = 1
    """The column of that line, counted from 1."""
    key: str | None = None
    """The option that is set or reset; None: all of them."""
    value: str = ""


def statements(script: str) -> list[Statement]:
    """All statements of a script; raises ``CaptureError`` where a statement set has no end."""
    result: list[Statement] = []
    for place, text in _pieces(script):
        result += _read(place, text)
    depth = 0
    for statement in result:
        depth += {"begin": 1, "end": -1}.get(statement.kind, 0)
    if depth > 0:
        opened = next(item for item in reversed(result) if item.kind == "begin")
        msg = f"the statement set that begins in line {opened.line} has no END;"
        raise CaptureError(msg)
    return result


def _pieces(script: str) -> Iterator[tuple[Place, str]]:
    """Yield the texts between semicolons and their starts, with comments blanked out."""
    line, column, text = 1, 1, ""
    for part in (*_TOKEN.findall(script), ";"):
        if part != ";":
            is_comment = part.startswith(("--", "/*")) and not part.startswith("/*+")
            # Blanks in place of a comment, so that the positions of the rest stay.
            text += re.sub(r"[^\n]", " ", part) if is_comment else part
            continue
        begins = _after((line, column), text[: len(text) - len(text.lstrip())])
        if text.strip():
            yield begins, text.strip()
        line, column = _after((line, column), f"{text};")
        text = ""


def _after(place: Place, text: str) -> Place:
    """Return where the text ends that begins at a place."""
    line, column = place
    last = text.rpartition("\n")[2]
    lines = text.count("\n")
    return line + lines, len(last) + 1 if lines else column + len(text)


def _read(place: Place, text: str) -> Iterator[Statement]:
    line, column = place
    if begun := _BEGIN.fullmatch(text):
        yield Statement(kind="begin", text=text, line=line, column=column)
        if begun["rest"]:
            yield from _read(_after(place, text[: begun.start("rest")]), begun["rest"])
    elif option := _SET.fullmatch(text):
        key, value = _bare(option["key"]), _bare(option["value"]) or ""
        yield Statement(kind="set", text=text, line=line, column=column, key=key, value=value)
    elif option := _RESET.fullmatch(text):
        key = _bare(option["key"])
        yield Statement(kind="reset", text=text, line=line, column=column, key=key)
    else:
        kinds = (kind for kind, pattern in _SIMPLE.items() if pattern.fullmatch(text))
        kind: Kind = next(kinds, "statement")
        yield Statement(kind=kind, text=text, line=line, column=column)


def _bare(text: str | None) -> str | None:
    """The text without its quotes."""
    if text is None or not text.startswith("'"):
        return None if text is None else text.strip()
    return text[1:-1].replace("''", "'")
