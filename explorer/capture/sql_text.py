"""A SQL script as statements: where each begins and ends, and what it is to whom runs the script.

As Flink's SQL client reads it: a semicolon ends a statement, unless it stands in quotes or in a
comment. What the statements mean is Flink's own parser's business.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.capture.failures import CaptureError

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
    key: str | None = None
    """The option that is set or reset; None: all of them."""
    value: str = ""


def statements(script: str) -> list[Statement]:
    """All statements of a script; raises ``CaptureError`` where a statement set has no end."""
    found: list[Statement] = []
    for line, text in _pieces(script):
        found += _read(line, text)
    depth = 0
    for statement in found:
        depth += {"begin": 1, "end": -1}.get(statement.kind, 0)
    if depth > 0:
        opened = next(one for one in reversed(found) if one.kind == "begin")
        msg = f"the statement set that begins in line {opened.line} has no END;"
        raise CaptureError(msg)
    return found


def _pieces(script: str) -> Iterator[tuple[int, str]]:
    """What stands between semicolons, without comments, and the line that each begins in."""
    line, begins, text = 1, 1, ""
    for part in _TOKEN.findall(script):
        if part == ";":
            if text.strip():
                yield begins, text.strip()
            text = ""
        elif part.startswith("--") or (part.startswith("/*") and not part.startswith("/*+")):
            text += " "
        else:
            if not text.strip():
                begins = line + part[: len(part) - len(part.lstrip())].count("\n")
            text += part
        line += part.count("\n")
    if text.strip():
        yield begins, text.strip()


def _read(line: int, text: str) -> Iterator[Statement]:
    if begun := _BEGIN.fullmatch(text):
        yield Statement(kind="begin", text=text, line=line)
        if begun["rest"]:
            yield from _read(line, begun["rest"])
    elif option := _SET.fullmatch(text):
        key, value = _bare(option["key"]), _bare(option["value"]) or ""
        yield Statement(kind="set", text=text, line=line, key=key, value=value)
    elif option := _RESET.fullmatch(text):
        yield Statement(kind="reset", text=text, line=line, key=_bare(option["key"]))
    else:
        kinds = (kind for kind, pattern in _SIMPLE.items() if pattern.fullmatch(text))
        yield Statement(kind=next(kinds, "statement"), text=text, line=line)


def _bare(text: str | None) -> str | None:
    """The text without its quotes."""
    if text is None or not text.startswith("'"):
        return None if text is None else text.strip()
    return text[1:-1].replace("''", "'")
