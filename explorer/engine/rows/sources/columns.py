"""Columns and first rows of a user's file, read in a process that may crash.

Arrow's readers are native code: a damaged file may overflow their stack or allocate all memory. So
planning in a server's process never opens a file; ``reader.py`` is the reading process. A process
is reused after an answer, since starting one takes a third of a second. Where it is safe, it is a
fork, which finds Arrow loaded.
"""

import atexit
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.storage import FilePath, StoredPath
from explorer.model.pipeline import Scalar
from explorer.model.row_type import ColumnType, RowType

MEMORY: Final = 1024**3
"""Limit of a reading process's address space in bytes; it starts with a quarter of that."""
SECONDS: Final = 20.0
"""Limit of the time for one file."""
MOST: Final = 4
"""Limit of reading processes; further requests wait."""
_MODULE: Final = "explorer.engine.rows.sources.reader"
_ROOT: Final = Path(__file__).resolve().parents[4]
ANSWER_BYTES: Final = 4 * 1024 * 1024
"""Bytes of an answer's values, except where the first row alone is larger."""
_LONGEST: Final = 16 * 1024 * 1024
"""Limit of the bytes of an encoded answer."""
_THREADS: Final = Path("/proc/self/task")
"""The threads of this process, those of native libraries too; absent where not on Linux."""
SMALL: Final = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    "MALLOC_ARENA_MAX": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""One thread and plain ``malloc``, so that a limit on addresses limits used memory."""


class ColumnsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Requests the columns of a file within limits, or its first rows if a row type is given."""

    path: str
    name: str
    format: str
    row_type: RowType | None = None
    rows: int = 0
    """Maximum number of first rows."""
    memory: int = MEMORY
    seconds: float = SECONDS


class ColumnsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The file's columns or rows, or the problem with the file."""

    names: tuple[str, ...] = ()
    types: tuple[ColumnType, ...] = ()
    values: tuple[tuple[Scalar, ...], ...] = ()
    more: bool = False
    """Whether the file has more rows than ``values``."""
    problem: str = ""
    last: bool = False
    """Whether the process ends after this answer, because it uses too much memory."""


class _Gone(Exception):  # noqa: N818 - the process's end, not yet known to be an error
    """The process ended without an answer."""


class _ForkedProcess:
    """A reading process that is a fork of this one; it has what ``_Process`` uses of Popen."""

    def __init__(self, channel: Connection) -> None:
        self._pid = os.fork()
        if self._pid == 0:
            # Whatever happens, a fork must not go on as its caller.
            try:
                import_module(_MODULE).serve_as_fork(channel)
            finally:
                os._exit(0)

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)

    def wait(self) -> None:
        os.waitpid(self._pid, 0)


_Process: TypeAlias = "_ForkedProcess | subprocess.Popen[bytes]"


def prepare_forks() -> None:
    """Let reading processes be forks of this one, which has not loaded Arrow yet."""
    os.environ.update(SMALL)


def _is_fork_safe() -> bool:
    """Whether no lock can be held by another thread, which a fork does not have.

    A fork also needs plain ``malloc`` from the start: pools reserve more addresses than a reading
    process may have.
    """
    is_plain = os.environ.items() >= SMALL.items()
    return is_plain and _THREADS.is_dir() and len(list(_THREADS.iterdir())) == 1


def _start_process(channel: Connection) -> _Process:
    if _is_fork_safe():
        return _ForkedProcess(channel)
    command = [sys.executable, "-P", "-m", _MODULE, str(channel.fileno())]
    values: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    return subprocess.Popen(  # noqa: S603 - this Python and a module of ours
        command, env=_environment(), pass_fds=[channel.fileno()], **values
    )


class _ReadingProcess:
    def __init__(self) -> None:
        self._channel, theirs = Pipe()
        with theirs:
            self._process = _start_process(theirs)
        self.asked = 0

    def ask(self, question: ColumnsRequest) -> ColumnsAnswer:
        """Send a request; raises ``_Gone``, and ``TimeoutError`` after the request's seconds."""
        self.asked += 1
        try:
            # JSON has neither NaN nor infinities.
            self._channel.send_bytes(msgspec.msgpack.encode(question))
            if not self._channel.poll(question.seconds):
                raise TimeoutError
            return msgspec.msgpack.decode(self._channel.recv_bytes(_LONGEST), type=ColumnsAnswer)
        except (EOFError, BrokenPipeError, ConnectionError):
            raise _Gone from None

    def end(self) -> None:
        self._channel.close()
        self._process.kill()
        self._process.wait()


def _environment() -> dict[str, str]:
    environ = os.environ.get("PYTHONPATH")
    path = f"{_ROOT}{os.pathsep}{environ}" if environ else str(_ROOT)
    return os.environ | {"PYTHONPATH": path} | SMALL


class Readers:
    """A pool of reading processes."""

    def __init__(self) -> None:
        self._resting: deque[_ReadingProcess] = deque()
        self._room = threading.Semaphore(MOST)

    def ask(self, question: ColumnsRequest) -> ColumnsAnswer:
        """Ask an idle or a new process; raises ``SourceError`` if the process ends."""
        with self._room:
            try:
                while True:
                    reader = self._take_rested() or _ReadingProcess()
                    try:
                        return self._ask(reader, question)
                    except _Gone:
                        # An idle process may have been ended in the meantime.
                        if reader.asked == 1:
                            raise
            except TimeoutError:
                problem = (
                    f"took longer than {question.seconds:g} s to look at; give the source a schema,"
                    " or a smaller file"
                )
            except _Gone:
                problem = (
                    f"cannot be read as {question.format}: the process that read it broke down, as "
                    "it does over a file that is damaged or takes too much memory"
                )
            msg = f"file {question.name!r} {problem}"
            raise SourceError(msg)

    def close(self) -> None:
        """End the idle processes."""
        while (reader := self._take_rested()) is not None:
            reader.end()

    def _take_rested(self) -> _ReadingProcess | None:
        with suppress(IndexError):
            return self._resting.pop()
        return None

    def _ask(self, reader: _ReadingProcess, question: ColumnsRequest) -> ColumnsAnswer:
        try:
            answer = reader.ask(question)
        except BaseException:
            reader.end()
            raise
        if answer.last:
            reader.end()
        else:
            self._resting.append(reader)
        return answer


_READERS: Final = Readers()
atexit.register(_READERS.close)


def columns_of(path: FilePath, name: str, form: str) -> RowType:
    """Infer the columns of a file from its beginning; raises ``SourceError``.

    A file of a shared storage, which no page can name, is read in this process.
    """
    if isinstance(path, StoredPath):
        from explorer.engine.rows.sources.tables import infer_row_type

        return infer_row_type(path, name, form)
    answer = _answer(ColumnsRequest(path=str(path), name=name, format=form))
    return RowType(names=answer.names, types=answer.types)


def first_rows(
    path: Path, name: str, form: str, row_type: RowType, rows: int
) -> tuple[tuple[tuple[Scalar, ...], ...], bool]:
    """Return the first rows of a file, and whether it has more; raises ``SourceError``.

    Returns fewer than ``rows`` if these need more than ``ANSWER_BYTES``.
    """
    question = ColumnsRequest(path=str(path), name=name, format=form, row_type=row_type, rows=rows)
    answer = _answer(question)
    return answer.values, answer.more


def _answer(question: ColumnsRequest) -> ColumnsAnswer:
    answer = _READERS.ask(question)
    if answer.problem:
        raise SourceError(answer.problem)
    return answer
