"""Files of the four formats with something broken in them, and a process that may die of them."""

import io
import json
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from hypothesis import strategies as st
from pyarrow import csv, parquet

from explorer.engine.task.deployment import limit_memory
from explorer.errors import ExplorerError
from tests.engine.in_process import rows_of, trial
from tests.patience import PATIENCE

SCHEMA: Final = "n LONG, w STRING, x DOUBLE, b BOOLEAN"
DIED: Final = "the process that read the file 'rows' died"
"""Which a worker may; a trial says then which task it was."""
_MEMORY: Final = 4 << 30
_TEXTS: Final = ("to be", "", "é 👩‍👧", 'say "hi", twice', "two\nlines", "\t", "1", "null")


def _rows() -> list[dict[str, Any]]:
    return [
        {
            "n": (-7) ** number if number < 22 else None,
            "w": _TEXTS[number % len(_TEXTS)],
            "x": number / 8 if number % 5 else None,
            "b": number % 3 == 0,
        }
        for number in range(40)
    ]


def _csv() -> bytes:
    sink = io.BytesIO()
    csv.write_csv(pa.Table.from_pylist(_rows()), sink)
    return sink.getvalue()


def _jsonl() -> bytes:
    return "".join(json.dumps(row) + "\n" for row in _rows()).encode()


def _parquet(compression: str, version: str) -> bytes:
    sink = io.BytesIO()
    table = pa.Table.from_pylist(_rows())
    parquet.write_table(
        table, sink, compression=compression, data_page_version=version, row_group_size=16
    )
    return sink.getvalue()


WHOLE: Final[dict[str, tuple[bytes, ...]]] = {
    "text": (b"to be or not\n" * 40, ("schön\r\n" * 40).encode("utf-16")),
    "csv": (_csv(), _csv().replace(b"\n", b"\r\n"), _csv().decode().encode("utf-16")),
    "jsonl": (_jsonl(),),
    "parquet": (_parquet("none", "1.0"), _parquet("snappy", "2.0"), _parquet("zstd", "1.0")),
}
"""By format, files in which nothing is broken."""
_TOKENS: Final = (
    *(
        b"\0",
        b"\r",
        b"\n",
        b'"',
        b",",
        b"\\",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\x1f\x8b\x08",
        b"PAR1",
    ),
    *(b"[" * 300, b'{"a":' * 300, b"[" * 20_000, b"]", b"}", b":", b"{}\n", b"[1]\n", b"NaN"),
    *(b"1e400", b"9" * 30, b"-0", b"true", b"null", b'"\\ud800"', b'"2020-01-01T00:00:00"'),
    *(b"\xff\xff\xff\x7f", b"\x80" * 10, b"EXPLORER-FAILURE \xff,b", b'{"n": 1, "n": 2}\n'),
)
_LENGTHS: Final = (0, 0, 1, 1, 1, 4, 40, 1_000_000)


@st.composite
def damaged(draw: st.DrawFn, form: str) -> bytes:
    """A file of this format in which up to four pieces are cut out or written over."""
    whole = draw(st.sampled_from(WHOLE[form]))
    pieces = st.one_of(
        st.binary(max_size=4),
        st.sampled_from(_TOKENS),
        st.integers(0, len(whole)).map(lambda at: whole[at : at + 50]),
    )
    content = whole
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        stop = start + draw(st.sampled_from(_LENGTHS))
        content = content[:start] + draw(pieces) + content[stop:]
    return content


def read(path: Path, form: str, schema: str | None) -> tuple[int, str]:
    """Run a trial of the file: how many rows it has, or what is said of it."""
    rows = {"path": path.name, "format": form} | ({"schema": schema} if schema else {})
    steps = [
        {"id": "s", "type": "legacy_source", "rows": rows, "parallelism": 2},
        {"id": "o", "type": "sink", "inputs": ["s"]},
    ]
    try:
        report = trial({"transformations": steps}, path.parent)
    except ExplorerError as error:
        return 0, str(error)
    return sum(rows_of(report)["o"].values()), ""


class Reader:
    """Reads files in a process of its own, and in another one when that has died."""

    def __init__(self) -> None:
        self._process: ProcessPoolExecutor | None = None

    def read(self, path: Path, form: str, schema: str | None) -> tuple[int, str]:
        """See ``read``; raises what is no error of ours."""
        if self._process is None:
            self._process = ProcessPoolExecutor(
                1, get_context("spawn"), initializer=limit_memory, initargs=(_MEMORY,)
            )
        try:
            return self._process.submit(read, path, form, schema).result(PATIENCE)
        except BrokenProcessPool:
            self.close()
            return 0, DIED

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.shutdown()
            self._process = None
