"""Turns exceptions of libraries that read files into ``SourceError``.

Arrow throws some thirty kinds of errors, and ``OSError``, ``KeyError`` and errors of decompressors.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sizes import ROW_BYTES
from explorer.errors import ExplorerError
from explorer.model.row_type import SchemaError
from explorer.wording import quoted

_SHOWN: Final = 200
"""Limit of a library's message within ours, in characters."""


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


_TYPES: Final = {"int64": "LONG", "double": "DOUBLE", "bool": "BOOLEAN", "string": "STRING"}
_WORDS: Final[tuple[tuple[str, Callable[[re.Match[str]], str]], ...]] = (
    (
        r"Expected (\d+) columns, got (\d+): (.*)",
        lambda m: f"a row has {m[2]} cells where the header line has {m[1]}: {quoted(m[3])}",
    ),
    (
        r"conversion error to (\w+): invalid value '(.*)'",
        lambda m: f"{quoted(m[2])} is no {_TYPES.get(m[1], m[1])}",
    ),
    (
        r"straddling object",
        lambda _: f"a row takes more than {ROW_BYTES:,} bytes, or a quote is never closed",
    ),
    (
        r"Column\(/(.*)\) changed from (\w+) to (\w+)",
        lambda m: (
            f"{quoted(m[1])} is {_article(m[2])} in some lines and {_article(m[3])} in others"
        ),
    ),
    (r"Column\(\) changed from \w+ to (\w+)", lambda m: f"this is {_article(m[1])} and no object"),
    (r"Column\(/(.*)\) was specified twice", lambda m: f"{quoted(m[1])} is given twice"),
    (
        r"Failed to convert JSON to (\w+), couldn't parse:(.*)",
        lambda m: f"{quoted(m[2])} is no {_TYPES.get(m[1], m[1])}",
    ),
    (r"JSON parse error: (.+?)\.?(?: in row \d+)?$", lambda m: f"this is no JSON: {m[1]}"),
    (r"magic bytes not found|(?:file|footer) size is \d+ bytes", lambda _: "this is no Parquet"),
)
"""The pattern of a library's message, and our message."""

ADVICE: Final = {
    "csv": "fix the file, or give the source a schema that fits it",
    "jsonl": "each line holds one flat JSON object, with a column's values of one type",
    "parquet": "it may be cut off or damaged: write it anew",
    "text": "save it as UTF-8 text",
}
"""The advice for each format."""


@contextmanager
def read_faults(name: str, form: str) -> Iterator[None]:
    """Turn any exception of a reader into a ``SourceError`` that names the file."""
    try:
        yield
    except SchemaError as error:
        msg = f"file {quoted(name)} cannot be read: {error}"
        raise SourceError(msg) from None
    except (ExplorerError, MemoryError):
        raise
    except OSError as error:
        raise source_error(name, form, error.strerror or str(error)) from None
    except Exception as error:  # noqa: BLE001 - whatever a library throws, the file is at fault
        raise source_error(name, form, str(error)) from None


def source_error(name: str, form: str, words: str, place: str = "") -> SourceError:
    """Create the error for a library's message; ``place``: the line or row, if it is known."""
    shown = " ".join(words.partition("\n")[0].split())[:_SHOWN].rstrip(". ")
    problem = shown[:1].lower() + shown[1:]
    for pattern, say in _WORDS:
        if match := re.search(pattern, words, re.DOTALL):
            problem = say(match)
            break
    at = f" at {place}" if place else ""
    return SourceError(f"file {quoted(name)} cannot be read{at}: {problem}; {ADVICE[form]}")


def missing_column(name: str, column: str, known: Iterable[str]) -> SourceError:
    """Create the error for a column that a file does not have."""
    columns = ", ".join(known)[:_SHOWN]
    return SourceError(
        f"file {quoted(name)} has no column {quoted(column)}; its columns are {columns}"
    )
