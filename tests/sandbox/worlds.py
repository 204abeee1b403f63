"""What a hostile program finds outside of its sandbox, and what it leaves there."""

import ctypes
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
import pytest

from explorer.sandbox.launching import GAPS
from tests.patience import PATIENCE
from tests.sandbox.attacks import Handle

ATTACKS: Final = Path(__file__).parent / "attacks.py"
READS: Final = {"key", "token", "neighbour"}
FILES: Final = {*READS, "handle"}
"""Attacks that read files; the last one only by root, where the file system has such numbers."""
INSIDE: Final = {
    *("abstract", "pipe", "socket", "signal", "port", "environment", "write", "home"),
    *READS,
}
"""Attacks that succeed on any machine where nothing is confined."""
OPENED: Final = {
    "network": {"remote", "port"},
    "files": FILES,
    "writes": {"write", "home", "devices", "kernel", "mount"},
    "processes": {"memory", "signal"},
    "pipes": {"pipe"},
    "sockets": {"socket", "abstract"},
    "environment": {"environment"},
}
"""Attacks that succeed on a machine whose sandbox has this gap."""


class World(msgspec.Struct, frozen=True):
    """What a program finds outside of its sandbox."""

    folder: Path
    received: list[bytes]
    """What was sent through sockets."""
    pipe: int
    """The FIFO, from which nothing has been read."""
    victim: "subprocess.Popen[bytes]"


@contextmanager
def opened_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Make it in the test's folder, with a secret in the environment."""
    monkeypatch.setenv("SECRET", "a token")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("home/.ssh", "own", "work"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("home/.ssh/id_rsa", "work/.git-credentials", "neighbour.txt"):
        (tmp_path / name).write_text("a secret")
    monkeypatch.chdir(tmp_path / "work")
    (folder := tmp_path / "theirs").mkdir()
    received: list[bytes] = []
    abstract = str(folder)
    (folder / "abstract").write_text(abstract)
    (folder / "handle").write_text(handle_of(tmp_path / "neighbour.txt"))
    os.mkfifo(folder / "pipe")
    pipe = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    (folder / "process").write_text(str(victim.pid))
    servers = []
    for family, address in (
        (socket.AF_UNIX, str(folder / "socket")),
        (socket.AF_UNIX, f"\0{abstract}"),
        (socket.AF_INET, ("127.0.0.1", 0)),
    ):
        server = socket.socket(family, socket.SOCK_STREAM)
        server.bind(address)
        server.listen()
        threading.Thread(target=_listen, args=(server, received), daemon=True).start()
        servers.append(server)
    (folder / "port").write_text(str(servers[-1].getsockname()[1]))
    yield World(folder, received, pipe, victim)
    for server in servers:
        with suppress(OSError):  # it ends the thread's wait
            server.shutdown(socket.SHUT_RDWR)
        server.close()
    os.close(pipe)
    victim.kill()
    victim.wait()


def handle_of(path: Path) -> str:
    """A file's number in its file system, which a program may guess; zeros: it has none."""
    handle, mount = Handle(128), ctypes.c_int()
    library, here = ctypes.CDLL(None, use_errno=True), -100
    library.name_to_handle_at(here, os.fsencode(path), ctypes.byref(handle), ctypes.byref(mount), 0)
    return bytes(handle).hex()


def _listen(server: socket.socket, received: list[bytes]) -> None:
    while True:
        try:
            client, _ = server.accept()
        except OSError:
            return
        with client:
            received.append(client.recv(100))


def piped(world: World) -> bytes:
    """What was written into the FIFO."""
    with suppress(BlockingIOError):
        return os.read(world.pipe, 100)
    return b""


def left_behind(folder: Path) -> list[int]:
    """The processes that were started with the folder, to outlive their parent."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            code, *words = (place / "cmdline").read_bytes().decode().split("\0")[-4:-1]
            if code.startswith("import time") and words == ["left behind", str(folder)]:
                found.append(int(place.name))
        except (OSError, ValueError):
            continue
    return found


def possible(gaps: Sequence[str]) -> set[str]:
    """The attacks that may succeed on this machine, by the gaps that its sandbox reports."""
    return {name for gap, phrase in GAPS.items() if phrase in gaps for name in OPENED[gap]}


def works(*command: str) -> bool:
    """Whether this machine lets a program change its process so."""
    if shutil.which(command[0]) is None:
        return False
    tried = subprocess.run([*command, "true"], capture_output=True, check=False, timeout=PATIENCE)
    return tried.returncode == 0
