"""The reading process, which may crash: it reads the beginnings of files on request.

Started by ``columns.py`` with a socket, on which it receives requests and sends answers as
MessagePack. It ends when the socket is closed, or when it uses too much memory.
"""

import os
import resource
import signal
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
from explorer.process_memory import resident_bytes
from explorer.wording import quoted

_NUMBER: Final = 9
"""Maximum bytes of a number in MessagePack."""
_CHANNEL: Final = 3
"""The first file after the standard streams: the socket of a fork."""
_LARGE: Final = 400 * 1024 * 1024
"""Bytes of memory above which a process is not reused."""


def answer(question: ColumnsRequest) -> ColumnsAnswer:
    """Return the columns or rows of a file, or the problem with the file."""
    path = Path(question.path)
    try:
        if question.row_type is not None:
            return _first_rows(question, path, question.row_type)
        row_type = infer_row_type(path, question.name, question.format)
    except ExplorerError as error:
        return ColumnsAnswer(problem=str(error))
    except MemoryError:
        memory = f"{question.memory / 1024**3:.1f} GB"
        advice = "a smaller file" if question.row_type else "a schema"
        problem = f"takes more than {memory} of memory to look at; give the source {advice}"
        return ColumnsAnswer(problem=f"file {question.name!r} {problem}")
    return ColumnsAnswer(names=row_type.names, types=row_type.types)


def _first_rows(question: ColumnsRequest, path: Path, row_type: RowType) -> ColumnsAnswer:
    """Read rows up to the limits of rows and bytes, but at least one row."""
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
    """Read the rows of a file, up to one more than requested."""
    left = question.rows + 1
    for columns in read_columns(path, question.name, question.format, row_type):
        yield from zip(*(column.slice(0, left).to_pylist() for column in columns), strict=True)
        left -= len(columns[0])
        if left <= 0:
            return


def _size(value: Scalar) -> int:
    return len(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else _NUMBER


def _limit(kind: int, maximum: int) -> None:
    """Set a limit of this process, up to its hard limit."""
    _, hard = resource.getrlimit(kind)
    expected = maximum if hard == resource.RLIM_INFINITY else min(maximum, hard)
    resource.setrlimit(kind, (expected, hard))


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
        # The limits of one request; the time limit also holds if the caller has ended.
        usage = resource.getrusage(resource.RUSAGE_SELF)
        _limit(
            resource.RLIMIT_CPU,
            int(usage.ru_utime + usage.ru_stime + question.seconds) + 1,
        )
        _limit(resource.RLIMIT_AS, question.memory)
        reply = answer(question)
        last = resident_bytes() > _LARGE
        channel.send_bytes(msgspec.msgpack.encode(msgspec.structs.replace(reply, last=last)))


def serve_as_fork(channel: Connection) -> None:
    """Serve in a fork of the caller, without the caller's files and handlers of signals."""
    os.setpgid(0, 0)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    # The caller's end of the channel is closed, too, or this process would not notice that it ends.
    os.dup2(channel.fileno(), _CHANNEL)
    os.closerange(_CHANNEL + 1, os.sysconf("SC_OPEN_MAX"))
    unused = os.open(os.devnull, os.O_RDWR)
    for stream in range(_CHANNEL):
        os.dup2(unused, stream)
    serve(Connection(_CHANNEL))


if __name__ == "__main__":
    os.setpgid(0, 0)  # Ctrl-C is for the caller, which then ends this process
    serve(Connection(int(sys.argv[1])))
