"""Starts a foreign program in the sandbox, as far as this machine has one."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from explorer.errors import ExplorerError
from explorer.locations import PARENT
from explorer.model.rehearsal import Sandbox
from explorer.sandbox.supervisor import (
    FILES_AND_NETWORK,
    IN_BUBBLEWRAP,
    NONE,
    SOCKET,
    TOO_MANY_PROCESSES,
    TOO_MUCH_DISK,
    WHOLE,
)
from explorer.sandbox.visible_files import Action, ViewStep, view_steps
from explorer.wording import listed

_BUBBLEWRAP: Final = "bwrap"
"""The program that makes namespaces where a system allows it to, and not every process."""
PROCESSES: Final = 100
"""Processes that a program may have at a time, its own among them."""
THREADS: Final = 5_000
"""Threads of all its processes, of which Flink's have hundreds: what stops a burst of processes."""
DISK: Final = 1 << 30
"""Bytes of files that a program may have in its folder."""
_VARIABLES: Final = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM"),
        *("JAVA_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "LD_LIBRARY_PATH"),
        *("FLINK_HOME", "FLINK_CONF_DIR", "FLINK_OPT_DIR", "FLINK_LIB_DIR", "FLINK_PLUGINS_DIR"),
        *("HADOOP_HOME", "HADOOP_CONF_DIR", "HADOOP_CLASSPATH", "YARN_CONF_DIR"),
        *("HBASE_CONF_DIR", "HIVE_CONF_DIR", "PYTHONPATH", "PYTHONHOME", "PYTHONHASHSEED"),
        *("PYFLINK_PYTHON", "PYFLINK_CLIENT_EXECUTABLE", "VIRTUAL_ENV"),
    }
)
"""The environment of a program in the sandbox, with all that begin with ``LC_``."""
_SUPERVISOR: Final = (
    f"import sys; sys.path.insert(0, {str(PARENT)!r}); from explorer.sandbox import supervisor; "
    "supervisor.main()"
)
GAPS: Final = {
    "network": "reach the network",
    "files": "read all files that you can read",
    "writes": "change files outside its folder",
    "processes": "see and end other processes",
    "pipes": "write to named pipes",
    "sockets": "connect to Unix sockets",
    "environment": "read all environment variables",
}
"""By what a sandbox lacks, what a program can do then."""
_NONE: Final = ("network", "files", "writes", "processes", "pipes", "sockets", "environment")
_REASONS: Final = {
    TOO_MANY_PROCESSES: f"it had more than {PROCESSES} processes",
    TOO_MUCH_DISK: "it wrote more than {mebibytes:,} MiB",
}


class NoSandboxError(ExplorerError):
    """A machine without the namespaces that a sandbox needs."""


class SandboxRequest(msgspec.Struct, frozen=True, kw_only=True):
    """How a program is to be confined."""

    network: bool = False
    """Whether the network can be reached."""
    disabled: bool = False
    """Whether the program is started as any other process."""
    required: bool = False
    """Whether the program is not started where the machine has no sandbox."""
    memory_bytes: int = 0
    """What each of its processes may allocate; 0: no limit."""
    disk_bytes: int = DISK
    in_memory: bool = True
    """Whether what it writes may be in memory and end with it, where there is enough of that."""
    readable: tuple[Path, ...] = ()
    """Files and folders that it can read, with the system's."""
    around: tuple[Path, ...] = ()
    """Folders that it can read without their hidden entries, as it can the current one."""

    def showing(self, readable: Sequence[Path], around: Sequence[Path] = ()) -> "SandboxRequest":
        """The request with more that can be read."""
        return msgspec.structs.replace(
            self, readable=(*self.readable, *readable), around=(*self.around, *around)
        )


class ConfinedProcess:
    """A running program; ``sandbox``: what is enforced, None: nothing was asked for."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        control: socket.socket | None,
        sandbox: Sandbox | None,
    ) -> None:
        self.process, self.sandbox = process, sandbox
        self._control, self._lock = control, threading.Lock()
        self._reason = b""

    def open_socket(self) -> socket.socket:
        """A TCP socket of the program's network."""
        if self._control is None:
            return socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        with self._lock:
            self._control.sendall(SOCKET)
            message, sockets, _, _ = socket.recv_fds(self._control, 1, 1)
        if message != SOCKET:
            self._reason = self._reason or message
            msg = "the program has ended"
            raise ConnectionError(msg)
        return socket.socket(fileno=sockets[0])

    def why_ended(self) -> str:
        """The limit for which the program was ended, as in a message; empty: none."""
        if self._control is not None and not self._reason:
            with self._lock, suppress(OSError):
                self._control.settimeout(0)
                try:
                    self._reason = self._control.recv(1)
                finally:
                    self._control.settimeout(_START)  # one that runs may open sockets later
        mebibytes = self.sandbox.disk_bytes >> 20 if self.sandbox else 0
        return _REASONS.get(self._reason, "").format(mebibytes=mebibytes)

    def kill(self) -> None:
        """End the program and all that it has started."""
        # The supervisor knows them all, also those in sessions of their own.
        if self._control is None:
            self._kill_group()
            return
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the program, wait for its end and close the pipes to it."""
        self.kill()
        try:
            self.process.wait(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            self._kill_group()
            self.process.wait()
        for opened in (self.process.stdin, self.process.stdout, self._control):
            if opened is not None:
                opened.close()


_PATIENCE: Final = 10
"""Seconds for the supervisor to end a program."""
_START: Final = 120
"""Seconds for it to start one, and to answer a request."""


def start_program(
    command: Sequence[str],
    folder: Path,
    errors: IO[bytes],
    request: SandboxRequest,
    variables: Mapping[str, str],
) -> ConfinedProcess:
    """Start a program with pipes for its input and output.

    ``folder``: the only one in which it may write; ``errors``: where standard error goes;
    ``variables``: added to its environment. Where the machine has no whole sandbox, a line on
    standard error reports what the program can do. Raises ``NoSandboxError`` where one is required.
    """
    if not sys.platform.startswith("linux"):
        if request.required and not request.disabled:
            raise NoSandboxError(_refusal(f"{sys.platform} has no namespaces"))
        gaps = () if request.disabled else _NONE
        _warn_of_gaps(gaps if not request.network else gaps[1:], f"{sys.platform} has none")
        process = _popen(command, errors, {**os.environ, **variables}, ())
        return ConfinedProcess(process, None, None if request.disabled else _sandbox(request, gaps))
    why = ""
    for level in [NONE] if request.disabled else _levels(folder, request):
        if level == NONE and request.required and not request.disabled:
            raise NoSandboxError(_refusal(why))
        started, report = _start_supervised(command, folder, errors, request, variables, level)
        if started is not None:
            gaps = tuple(report["gaps"]) if level != NONE else _NONE
            gaps = tuple(gap for gap in gaps if gap != "network" or not request.network)
            if not request.disabled:
                started.sandbox = _sandbox(request, gaps)
                _warn_of_gaps(gaps, why or "the kernel lacks a part of it")
            return started
        why = why or str(report["error"])
    raise NoSandboxError(why)


def _start_supervised(
    command: Sequence[str],
    folder: Path,
    errors: IO[bytes],
    request: SandboxRequest,
    variables: Mapping[str, str],
    level: str,
) -> tuple[ConfinedProcess | None, dict[str, Any]]:
    """Start the program below a supervisor; None where it cannot confine it so, and its report."""
    ours, theirs = socket.socketpair()
    environment = {**os.environ, **variables}
    view: list[ViewStep] = []
    if level != NONE:
        environment = {**_few(os.environ), "TMPDIR": str(folder), **variables}
        view = view_steps(request.readable, (*request.around, Path.cwd()), environment)
    confinement = {
        "folder": str(folder),
        "level": level,
        "network": request.network,
        "limits": not request.disabled,
        "memory_bytes": request.memory_bytes,
        "disk_bytes": request.disk_bytes,
        "in_memory": request.in_memory,
        "processes": PROCESSES,
        "threads": THREADS,
        "view": [] if level == IN_BUBBLEWRAP else view,
    }
    # Isolated (-I): no module of the current folder or of a variable's is loaded.
    supervisor = [sys.executable, "-I", "-S", "-c", _SUPERVISOR, str(theirs.fileno())]
    if level == IN_BUBBLEWRAP:
        supervisor = [*_bubblewrap(folder, request, view), *supervisor]
    with theirs:
        process = _popen([*supervisor, *command], errors, environment, (theirs.fileno(),))
    report = _ask(ours, confinement)
    if "gaps" in report:
        return ConfinedProcess(process, ours, None), report
    ours.close()
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return None, report


def _bubblewrap(folder: Path, request: SandboxRequest, view: Sequence[ViewStep] = ()) -> list[str]:
    """The start of a command in namespaces that bubblewrap makes, which may where we may not."""
    network = [] if request.network else ["--unshare-net"]
    places = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    options: dict[Action, Callable[[str], list[str]]] = {
        "hide": lambda path: ["--tmpfs", path],
        "blank": lambda path: ["--ro-bind", "/dev/null", path],
        "show": lambda path: ["--ro-bind-try", path, path],
        "folder": lambda path: ["--dir", path],
    }
    for step in view:
        places += options[step.action](step.path)
    writable = ["--size", str(request.disk_bytes), "--tmpfs", str(folder)]
    if not request.in_memory:
        writable = ["--bind", str(folder), str(folder)]
    hidden = [step.path for step in view if step.action == "hide"]
    sealed = [word for path in hidden for word in ("--remount-ro", path)]
    namespaces = ["--unshare-user", "--unshare-pid", "--unshare-ipc", *network]
    start = ["--chdir", str(Path.cwd()), "--die-with-parent", "--"]
    return [_BUBBLEWRAP, *namespaces, *places, *writable, *sealed, *start]


def _levels(folder: Path, request: SandboxRequest) -> Iterator[str]:
    """Yield the sandboxes to try, the best first."""
    yield WHOLE
    if shutil.which(_BUBBLEWRAP) is not None:
        # Its complaints would be read as the program's output.
        tried = subprocess.run(  # noqa: S603 - bubblewrap, with a command that does nothing
            [*_bubblewrap(folder, request), "true"],
            capture_output=True,
            check=False,
            timeout=_START,
        )
        if tried.returncode == 0:
            yield IN_BUBBLEWRAP
    yield FILES_AND_NETWORK
    yield NONE


def _popen(
    command: Sequence[str],
    errors: IO[bytes],
    environment: Mapping[str, str],
    descriptors: tuple[int, ...],
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - Java, on the jars that the user names
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=dict(environment),
        pass_fds=descriptors,
        start_new_session=True,
    )


def _ask(control: socket.socket, request: Mapping[str, Any]) -> dict[str, Any]:
    """Send the supervisor its request, and return its first line; what follows is for others."""
    control.settimeout(_START)
    line = b""
    with suppress(OSError):  # it has ended, or does not answer
        control.sendall(json.dumps(request).encode() + b"\n")
        while not line.endswith(b"\n") and (recv := control.recv(1)):
            line += recv
    report: dict[str, Any] = json.loads(line or b'{"error": "its supervisor did not start"}')
    return report


def _few(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in environment.items()
        if name in _VARIABLES or name.startswith("LC_")
    }


def _sandbox(request: SandboxRequest, gaps: tuple[str, ...]) -> Sandbox:
    return Sandbox(
        network=request.network or "network" in gaps,
        writes="anywhere" if "writes" in gaps else "own folder",
        memory_bytes=request.memory_bytes,
        disk_bytes=request.disk_bytes,
        gaps=tuple(GAPS[gap] for gap in gaps),
    )


def _refusal(why: str) -> str:
    return (
        f"this machine cannot keep the program from the network and from writing files ({why}): "
        "rehearse where Linux namespaces are allowed, or add --with-network to run the program "
        "unconfined, or --without-sandbox to run it as any other process"
    )


def _warn_of_gaps(gaps: Sequence[str], why: str) -> None:
    if gaps:
        _warn_once(
            f"this machine has no whole sandbox ({why}): the program can "
            f"{listed([GAPS[gap] for gap in gaps])}"
        )


@cache
def _warn_once(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


Opener = Callable[[], socket.socket]
"""Opens a socket of the program's network."""
