"""The process that may die: it reads the beginnings of files, one after the other, on request.

Started by ``columns.py`` with the number of a socket, on which questions come in and answers go
out as MessagePack. It ends when the socket does, and when a file has made it large.
"""

import os
import resource
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import msgspec

from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sizes import ROW_BYTES
from explorer.engine.rows.sources.columns import ANSWER_BYTES, ColumnsAnswer, ColumnsRequest
from explorer.engine.rows.sources.tables import infer_row_type, read_columns
from explorer.errors import ExplorerError
from explorer.model.pipeline import Scalar
from explorer.model.row_type import RowType
from explorer.wording import quoted

_NUMBER: Final = 9
"""Bytes of a number in MessagePack, at most."""
_LARGE: Final = 400 * 1024 * 1024
"""Bytes of memory above which a process is not asked again."""


def answer(question: ColumnsRequest) -> ColumnsAnswer:
    """What the file holds, or what is wrong with it."""
    path = Path(question.path)
    try:
        if question.row_type is not None:
            return _first_rows(question, path, question.row_type)
        found = infer_row_type(path, question.name, question.format)
    except ExplorerError as error:
        return ColumnsAnswer(problem=str(error))
    except MemoryError:
        memory = f"{question.memory / 1024**3:.1f} GB"
        advice = "a smaller file" if question.row_type else "a schema"
        problem = f"takes more than {memory} of memory to look at; give the source {advice}"
        return ColumnsAnswer(problem=f"file {question.name!r} {problem}")
    return ColumnsAnswer(names=found.names, types=found.types)


def _first_rows(question: ColumnsRequest, path: Path, row_type: RowType) -> ColumnsAnswer:
    """Rows from the file's beginning, until there are enough rows or bytes; at least one row."""
    values: list[tuple[Scalar, ...]] = []
    space = ANSWER_BYTES
    for row in _rows(question, path, row_type):
        size = sum(map(_size, row))
        if size > ROW_BYTES:
            msg = (
                f"file {quoted(question.name)}: row {len(values) + 1:,} takes {size:,} bytes; at "
                f"most {ROW_BYTES:,} may be handed on"
            )
            raise SourceError(msg)
        space -= size
        if len(values) == question.rows or (values and space < 0):
            return ColumnsAnswer(values=tuple(values), more=True)
        values.append(row)
    return ColumnsAnswer(values=tuple(values))


def _rows(question: ColumnsRequest, path: Path, row_type: RowType) -> Iterator[tuple[Scalar, ...]]:
    """The rows of a file, up to one more than are asked for."""
    left = question.rows + 1
    for columns in read_columns(path, question.name, question.format, row_type):
        yield from zip(*(column.slice(0, left).to_pylist() for column in columns), strict=True)
        left -= len(columns[0])
        if left <= 0:
            return


def _size(value: Scalar) -> int:
    """About how many bytes a value adds to an answer."""
    return len(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else _NUMBER


def _limit(kind: int, most: int) -> None:
    """Lower a limit, or raise it again as far as it may go."""
    _, hard = resource.getrlimit(kind)
    wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (wanted, hard))


def _resident() -> int:
    """Bytes of memory in use; the peak that ``getrusage`` knows is inherited from who forked us."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * resource.getpagesize()


def serve(channel: Connection) -> None:
    """Answer requests until the channel is closed."""
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE):
        resource.setrlimit(kind, (0, 0))
    last = False
    while not last:
        try:
            question = msgspec.msgpack.decode(channel.recv_bytes(), type=ColumnsRequest)
        except EOFError:
            return
        # The limits of one question; the time limit holds although the caller may be gone.
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + question.seconds) + 1)
        _limit(resource.RLIMIT_AS, question.memory)
        found = answer(question)
        last = _resident() > _LARGE
        channel.send_bytes(msgspec.msgpack.encode(msgspec.structs.replace(found, last=last)))


if __name__ == "__main__":
    os.setpgid(0, 0)  # a Ctrl-C is for who asks, who then ends us
    serve(Connection(int(sys.argv[1])))
