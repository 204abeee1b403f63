"""Writes ``written_rows.jsonl.gz``: what flink-csv and flink-json make of rows, in Flink 2.2.

``python -m tests.engine.rows.ask_formats`` asks for all anew.
"""

import gzip
import json
import tempfile
from base64 import b64decode, b64encode
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

from tests.capture.flinks import lib
from tests.deployment.asking import answers, classes
from tests.engine.rows.ask_expressions import PROGRAMS, VERSION
from tests.golden_files import GOLDEN

FILE: Final = GOLDEN / "written_rows.jsonl.gz"
Row: TypeAlias = tuple[str | None, str | None, int | None, bool | None]
"""A STRING, a DOUBLE by its text, a LONG and a BOOLEAN."""
_LETTERS: Final = ("\x7f", "\x80", "é", "\u2028", "\ufeff", "\uffff", "😀")


def rows() -> list[Row]:
    """Every ASCII letter in every place, lengths about Jackson's limit, numbers of all sizes."""
    letters = [*map(chr, range(128)), *_LETTERS]
    found: list[Row] = [(text, "0.5", 1, True) for one in letters for text in (one, f"ab{one}c")]
    found += [(one * size, None, None, None) for one in "aé😀" for size in (11, 12, 13, 23, 24, 25)]
    found += [(text, None, None, False) for text in ('a"b,c\nd', '""', "null", "NULL", " a ", "")]
    numbers = ("0.0", "-0.0", "1.0", "1e7", "1e-3", "9.99e-4", "NaN", "Infinity", "-Infinity")
    more = ("4.9e-324", "1.7976931348623157e308", "2e23", "123456789.125", "0.1", "1e21")
    found += [(None, number, None, None) for number in (*numbers, *more)]
    random = Random(9)  # noqa: S311 - the same ones each time
    found += [
        ("r", repr(random.uniform(-1, 1) * 10 ** random.randint(-30, 30)), at, None)
        for at in range(100)
    ]
    found += [(None, None, number, None) for number in (0, -1, 2**63 - 1, -(2**63))]
    return [*found, (None, None, None, None), (None, None, None, True)]


def _question(row: Row) -> str:
    return ",".join("-" if cell is None else _packed(cell) for cell in row)


def _packed(cell: Any) -> str:
    text = str(cell).lower() if isinstance(cell, bool) else str(cell)
    return b64encode(text.encode()).decode()


def reported(row: Row, answer: str) -> dict[str, Any]:
    """A row with what each format writes of it, as it is kept."""
    csv, form = (b64decode(part).decode() for part in answer.split(","))
    return {"row": row, "csv": csv, "json": form}


def main() -> None:
    """Ask, and write what was answered."""
    asked = rows()
    with tempfile.TemporaryDirectory() as folder:
        made = classes("Formats", Path(folder), lib(VERSION), PROGRAMS)
        found = answers("Formats", lib(VERSION), made, map(_question, asked))
    lines = (f"{json.dumps(reported(*one))}\n" for one in zip(asked, found, strict=True))
    FILE.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main()
