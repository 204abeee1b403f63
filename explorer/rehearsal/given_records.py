"""Reads the records of ``--records``: JSON lines with an operator and a record."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from explorer.errors import ExplorerError
from explorer.rehearsal.requests import GivenRecord

MAX_BYTES: Final = 10 << 20
_FORM: Final = '{"operator": "uid, name or ID", "record": ...}'


class RecordsError(ExplorerError):
    """A file of records that cannot be read."""


def given_records(path: str | Path | None) -> Iterator[GivenRecord]:
    """Yield the records of a file, in its order; none without a file.

    Raises ``RecordsError`` with the line of the first fault.
    """
    if path is None:
        return
    file = Path(path)
    if not file.is_file() or file.stat().st_size > MAX_BYTES:
        msg = f"{file} is no file of at most {MAX_BYTES >> 20} MB: --records takes JSON lines"
        raise RecordsError(msg)
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=GivenRecord)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            msg = f"{file}, line {number}: {error}; a line has the form {_FORM}"
            raise RecordsError(msg) from None
