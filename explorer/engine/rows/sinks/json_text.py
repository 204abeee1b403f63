"""Rows as lines of JSON, one object per row, formatted like flink-json.

Mirrors ``JsonRowDataSerializationSchema`` and Jackson's ``UTF8JsonGenerator``: NULL is written as
null, a DOUBLE that is no number as a text, and a letter above U+FFFF as two escaped surrogates.
"""

import re
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Batch, Column
from explorer.engine.rows.sinks.cell_texts import Part, joined, text_bytes, texts

_TO_BE_ESCAPED: Final = r"[\x00-\x1f\"\\\x{10000}-\x{10FFFF}]"
_SHORT: Final = {
    "\\": "\\\\",
    '"': '\\"',
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}
_ESCAPED: Final = re.compile('[\0-\x1f"\\\\\U00010000-\U0010ffff]')


def json_lines(batch: Batch) -> memoryview:
    r"""Return a line for each row.

    >>> from explorer.engine.rows.batch import from_rows
    >>> from explorer.model.row_type import parse_schema
    >>> bytes(json_lines(from_rows(parse_schema("w STRING, n LONG"), [["a\tb", 1], [None, None]])))
    b'{"w":"a\\tb","n":1}\n{"w":null,"n":null}\n'
    """
    parts: list[Part] = []
    for at, (name, column) in enumerate(zip(batch.row_type.names, batch.columns, strict=True)):
        parts += [f'{"," if at else "{"}"{_escape_text(name)}":', _values(column)]
    return text_bytes(joined(*parts, "}\n"))


def _values(column: Column) -> Column:
    written = texts(column)
    if pa.types.is_string(column.type):
        written = joined('"', _escapes(written), '"')
    elif pa.types.is_floating(column.type):
        odd = pc.is_in(written, pa.array(["NaN", "Infinity", "-Infinity"]))
        written = pc.if_else(odd, joined('"', written, '"'), written)
    return written.fill_null("null")


def _escapes(values: Column) -> Column:
    """Escape the texts that need it, one by one."""
    wrong = pc.match_substring_regex(values, _TO_BE_ESCAPED).fill_null(False)  # noqa: FBT003
    if not pc.any(wrong).as_py():
        return values
    fixed = [_escape_text(text) for text in values.filter(wrong).to_pylist()]
    return pc.replace_with_mask(values, wrong, pa.array(fixed, pa.string()))


def _escape_text(text: str) -> str:
    return _ESCAPED.sub(lambda match: _escape(match[0]), text)


def _escape(letter: str) -> str:
    if letter in _SHORT:
        return _SHORT[letter]
    units = letter.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex().upper()}" for at in range(0, len(units), 2))
