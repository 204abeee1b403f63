"""Reads the lines of a text file as Arrow strings, block by block."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Column
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sizes import ROW_BYTES
from explorer.engine.rows.sources.text_files import BLOCK_SIZE, NEWLINE, open_text
from explorer.engine.rows.storage import FilePath
from explorer.model.row_type import RowType
from explorer.wording import quoted


def line_blocks(path: FilePath, name: str) -> Iterator[bytes]:
    """Yield blocks of whole lines, with a newline in place of any line end."""
    remainder = b""
    with open_text(path, name) as file:
        while block := file.read(BLOCK_SIZE):
            # A carriage return may be half of a line end, so it is kept for the next block.
            block = remainder + block
            held = block.endswith(b"\r")
            if b"\r" in block:
                block = block[: len(block) - held]
                block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            end = block.rfind(b"\n") + 1
            if end:
                yield block[:end]
            remainder = block[end:] + b"\r" * held
            if len(remainder) > ROW_BYTES:
                msg = f"file {quoted(name)} has a line of more than {ROW_BYTES:,} bytes"
                raise SourceError(msg)
    if remainder:
        yield remainder.removesuffix(b"\r") + b"\n"


def lines_of(block: bytes) -> Column:
    """Return the lines of a block, without their newlines."""
    data = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(data == NEWLINE)
    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends - np.arange(len(ends))
    text = pa.py_buffer(block.replace(b"\n", b""))
    return pa.Array.from_buffers(pa.string(), len(ends), [None, pa.py_buffer(offsets), text])


def read_text(path: FilePath, name: str, row_type: RowType | None) -> Iterator[pa.RecordBatch]:
    """Read all lines of a file, one row per line."""
    for block in line_blocks(path, name):
        yield pa.RecordBatch.from_arrays([lines_of(block)], names=["line"])
