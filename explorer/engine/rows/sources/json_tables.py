"""Reads files with one JSON object per line."""

import io
import re
from collections.abc import Callable, Iterator
from math import inf, nan
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import arrow_schema
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.faults import source_error
from explorer.engine.rows.sources.lines import line_blocks
from explorer.engine.rows.storage import FilePath
from explorer.model.row_type import DOUBLE, RowType
from explorer.wording import quoted

MAX_NESTING: Final = 100
"""Depth of nested JSON values: Arrow's reader is limited by its stack only."""
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_JSON_TEXT: Final = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_ROW: Final = re.compile(r" in row (\d+)$")
_NO_NUMBERS: Final = {b"NaN": nan, b"Infinity": inf, b"-Infinity": -inf}
"""DOUBLEs that are no JSON numbers: flink-json writes and reads them as texts."""
_NO_NUMBER: Final = re.compile(rb'"(NaN|-?Infinity)"')


def read_jsonl(path: FilePath, name: str, row_type: RowType | None) -> Iterator[pa.RecordBatch]:
    """Read the rows of a file; in Arrow's inferred types if ``row_type`` is None."""
    parse = _parser(row_type)
    line = 1
    for block in line_blocks(path, name):
        if block.strip():
            # Brackets within texts are removed only if all brackets together are nested too deeply.
            if _depth(block) > MAX_NESTING and _depth(_JSON_TEXT.sub(b"", block)) > MAX_NESTING:
                nests = f"nests its values more than {MAX_NESTING} deep"
                msg = f"file {quoted(name)} {nests}; a row is a flat object"
                raise SourceError(msg)
            try:
                table = parse(block)
            except pa.ArrowInvalid as error:
                bad = line + _bad_line(block, str(error), parse)
                raise source_error(name, "jsonl", str(error), f"line {bad:,}") from None
            yield from table.combine_chunks().to_batches()
        line += block.count(b"\n")


def _parser(row_type: RowType | None) -> Callable[[bytes], pa.Table]:
    from pyarrow import json

    schema = None if row_type is None else arrow_schema(row_type)
    options: Any = json.ParseOptions(
        explicit_schema=schema,
        unexpected_field_behavior="infer" if schema is None else "ignore",
    )

    def parse(block: bytes) -> pa.Table:
        reading = json.ReadOptions(block_size=len(block) + 1, use_threads=False)
        return json.read_json(io.BytesIO(block), read_options=reading, parse_options=options)

    def parse_all(block: bytes) -> pa.Table:
        try:
            return parse(block)
        except pa.ArrowInvalid:
            if row_type is None or not _NO_NUMBER.search(block):
                raise
        return _with_texts_as_numbers(block, row_type, parse)

    return parse_all


def _with_texts_as_numbers(
    block: bytes, row_type: RowType, parse: Callable[[bytes], pa.Table]
) -> pa.Table:
    """Parse lines with DOUBLEs that are no numbers and therefore texts."""
    doubles = [
        (at, re.compile(rb'("%b"\s*:\s*)%b' % (re.escape(name.encode()), _NO_NUMBER.pattern)))
        for at, (name, kind) in enumerate(zip(row_type.names, row_type.types, strict=True))
        if kind is DOUBLE
    ]
    lines = [line for line in block.split(b"\n") if line.strip()]
    bare = block
    for _, member in doubles:
        # Within a text a quote is escaped, so no text is mistaken for a name.
        bare = member.sub(rb"\1null", bare)
    table = parse(bare)
    for at, member in doubles:
        reported = [
            _NO_NUMBERS[result[2]] if (result := member.search(line)) else None for line in lines
        ]
        whole = pc.coalesce(table.column(at), pa.array(reported, pa.float64()))
        table = table.set_column(at, table.schema.field(at), whole)
    return table


def _bad_line(block: bytes, words: str, parse: Callable[[bytes], pa.Table]) -> int:
    """Find the faulty line, counted from 0: the one that Arrow reports, or the one it refuses."""
    lines = block.split(b"\n")
    filled = [at for at, line in enumerate(lines) if line.strip()]
    if reported := _ROW.search(words):
        return filled[min(int(reported[1]), len(filled) - 1)]
    while len(filled) > 1:
        half = filled[: len(filled) // 2]
        try:
            parse(b"\n".join(lines[at] for at in half))
        except pa.ArrowInvalid:
            filled = half
        else:
            filled = filled[len(half) :]
    return filled[0]


def _depth(text: bytes) -> int:
    """Return the maximum number of open brackets; opening brackets have the second bit set."""
    brackets = np.frombuffer(text.translate(None, _NO_BRACKETS), np.uint8)
    return int(np.cumsum(np.where(brackets & 2, 1, -1)).max(initial=0))
