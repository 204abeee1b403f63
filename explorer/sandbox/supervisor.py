"""The process between a foreign program and ours: confines the program, limits it, ends it.

Ends with our process however that ends, and the program ends with it. It stays outside of the
program's process namespace but within its network namespace, where it opens the sockets through
which our process talks to the program: no file and no port is shared with it.
"""

import json
import os
import select
import signal
import socket
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

from explorer.sandbox import kernel

TOO_MANY_PROCESSES, TOO_MUCH_DISK = b"p", b"d"
"""Last messages to our process: why the program was ended."""
WHOLE, FILES_AND_NETWORK, NONE = "whole", "files and network", "none"
"""What a program is confined in: all namespaces, those of files and network, none."""
IN_BUBBLEWRAP: Final = "in bubblewrap"
"""All namespaces, which bubblewrap has made around this process."""
SOCKET: Final = b"s"
"""The request for a socket, and its answer."""
_TICK: Final = 0.1
"""Seconds between two looks at the limits."""
_MOST_PRINTED: Final = 256 << 20
"""Bytes that a program may print on standard error."""


def main() -> None:
    """Run ``sys.argv[2:]``; the socket ``sys.argv[1]`` receives how, as a line of JSON."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    with control.makefile("rb") as lines:
        request = json.loads(lines.readline() or b"null")
    if request is None:
        sys.exit(1)  # our process has ended
    folder = Path(request["folder"])
    try:
        kernel.adopt_orphans()
        in_memory = _confine(request, folder)
    except OSError as error:
        _report(control, error=error.strerror or str(error))
        sys.exit(1)
    child, gaps = _start(sys.argv[2:], request, folder)
    kernel.refuse_inspection()
    _report(control, gaps=gaps)
    own_processes = request["level"] == WHOLE and "processes" not in gaps
    Supervisor(control, child, request, own_processes=own_processes, in_memory=in_memory).run()


def _confine(request: dict[str, Any], folder: Path) -> bool:
    """Enter the namespaces; return whether the folder has a file system in memory."""
    if request["level"] in {NONE, IN_BUBBLEWRAP}:
        return bool(request["level"] == IN_BUBBLEWRAP and request["in_memory"])
    flags = kernel.NEW_MOUNTS
    if request["level"] == WHOLE:
        flags |= kernel.NEW_PROCESSES | kernel.NEW_IPC
    if not request["network"]:
        flags |= kernel.NEW_NETWORK
    # More than half of the memory is for the program itself.
    disk = int(request["disk_bytes"])
    fits = request["in_memory"] and 2 * disk <= kernel.available_memory()
    memory_disk = disk if fits else 0
    kernel.enter_namespaces(flags)
    kernel.allow_writes_only_in(folder, memory_disk, request["view"])
    if not request["network"]:
        kernel.bring_loopback_up()
    return memory_disk > 0


def _report(control: socket.socket, **members: Any) -> None:
    control.sendall(json.dumps(members).encode() + b"\n")


def _start(command: list[str], request: dict[str, Any], folder: Path) -> tuple[int, list[str]]:
    """Start the program; return its process and what could not be enforced."""
    reading, writing = os.pipe()
    if child := os.fork():
        os.close(writing)
        with open(reading, "rb") as file:  # noqa: PTH123 - a descriptor
            gaps = file.read().decode().split()
        # Our process waits for the end of the program's output, not of this one's.
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nowhere, stream)
        return child, gaps
    os.close(reading)
    try:
        gaps = _prepare(request, folder)
        os.write(writing, " ".join(gaps).encode())
        os.execvp(command[0], command)  # noqa: S606 - what our process asks for
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        os._exit(127)


def _prepare(request: dict[str, Any], folder: Path) -> list[str]:
    """Confine this process, which becomes the program; return what could not be enforced."""
    gaps: list[str] = []
    if request["limits"]:
        _limit_resources(request)
    if request["level"] == FILES_AND_NETWORK:
        gaps.append("processes")
    if request["level"] == WHOLE:
        try:
            kernel.mount_own_processes()
        except OSError:  # a container that hides parts of /proc
            gaps.append("processes")
    if request["level"] != NONE:
        kernel.give_up_privileges()
        for gap, forbid in (
            ("pipes", partial(kernel.forbid_changes_outside, folder)),
            ("sockets", kernel.forbid_other_sockets),
        ):
            try:
                forbid()
            except OSError:
                gaps.append(gap)
    kernel.die_with_parent()
    return gaps


def _limit_resources(request: dict[str, Any]) -> None:
    import resource

    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: request["disk_bytes"],
        # Of all threads of the namespace's user; the kernel does not hold root to it.
        resource.RLIMIT_NPROC: request["threads"],
    }
    if request["memory_bytes"]:
        limits[resource.RLIMIT_DATA] = request["memory_bytes"]
    for kind, maximum in limits.items():
        hard = resource.getrlimit(kind)[1]
        limit = maximum if hard == resource.RLIM_INFINITY else min(maximum, hard)
        resource.setrlimit(kind, (limit, limit))


class Supervisor:
    """Watches one program; answers our process's requests for sockets."""

    def __init__(
        self,
        control: socket.socket,
        child: int,
        request: dict[str, Any],
        *,
        own_processes: bool,
        in_memory: bool,
    ) -> None:
        self._control, self._child, self._folder = control, child, Path(request["folder"])
        self._own_processes, self._in_memory = own_processes, in_memory
        self._ended = False
        self._limited = bool(request["limits"])
        self._most_processes = int(request["processes"])
        self._most_bytes = int(request["disk_bytes"])

    def run(self) -> NoReturn:
        """Serve until the program or our process ends, or a limit is exceeded."""
        watched: list[Any] = [self._control]
        with suppress(OSError, AttributeError):  # before Linux 5.3 and Python 3.9
            watched.append(os.pidfd_open(self._child))
        while True:
            ready = select.select(watched, [], [], _TICK)[0]
            if self._control in ready and not self._serve():
                self._end(b"", 1)
            self._reap()
            if exceeded := self._exceeded_limit():
                self._end(exceeded, 1)

    def _serve(self) -> bool:
        """Give a socket of the program's network for each request; False: our process has ended."""
        try:
            requests = self._control.recv(1)
            if requests:
                with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as opened:
                    socket.send_fds(self._control, [SOCKET], [opened.fileno()])
        except OSError:
            return False
        return bool(requests)

    def _reap(self) -> None:
        """Collect ended descendants; end as the program did."""
        with suppress(ChildProcessError):
            while True:
                process, status = os.waitpid(-1, os.WNOHANG)
                if process == self._child:
                    self._ended = True
                    exceeded = self._exceeded_limit()
                    self._end(exceeded, 1 if exceeded else os.waitstatus_to_exitcode(status))
                if process == 0:
                    return

    def _end(self, reason: bytes, code: int) -> NoReturn:
        self._kill_all()
        with suppress(OSError):
            self._control.sendall(reason)
        if code < 0:
            with suppress(OSError):  # SIGKILL has no handler
                signal.signal(-code, signal.SIG_DFL)
            os.kill(os.getpid(), -code)
        os._exit(code)

    def _kill_all(self) -> None:
        """Kill the program and what it has started; a process namespace ends with its first."""
        if not self._ended:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)  # when a namespace's first process is gone, all are
        while not self._own_processes and (left := list(_descendants())):
            for process in left:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass

    def _exceeded_limit(self) -> bytes:
        if not self._limited:
            return b""
        processes = list(self._processes())
        if len(processes) > self._most_processes:
            return TOO_MANY_PROCESSES
        if os.fstat(2).st_size > _MOST_PRINTED:
            return TOO_MUCH_DISK
        if not self._in_memory and _size(self._folder, processes) > self._most_bytes:
            return TOO_MUCH_DISK
        return b""

    def _processes(self) -> Iterator[int]:
        if not self._own_processes:
            return _descendants()
        return (int(place.name) for place in Path("/proc").iterdir() if place.name.isdecimal())


def _descendants() -> Iterator[int]:
    """The processes that this one has started, or one of those."""
    children = defaultdict(list)
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            with suppress(OSError, ValueError):
                line = (place / "stat").read_text(encoding="utf-8", errors="replace")
                children[int(line.rpartition(")")[2].split()[1])].append(int(place.name))
    following = [os.getpid()]
    for process in following:
        following += children[process]
    return iter(following[1:])


def _size(folder: Path, processes: list[int]) -> int:
    """Bytes of all files below the folder, and of the removed ones that are still open."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += (Path(place) / name).lstat().st_size
    removed = {}
    device = folder.stat().st_dev
    for process in processes:
        with suppress(OSError):
            for opened in Path(f"/proc/{process}/fd").iterdir():
                with suppress(OSError):
                    file = opened.stat()
                    if file.st_nlink == 0 and file.st_dev == device:
                        removed[file.st_ino] = file.st_blocks * 512
    return total + sum(removed.values())


if __name__ == "__main__":
    main()
