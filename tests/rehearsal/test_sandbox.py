"""A confined process: it reaches no network, and it writes into its own folder alone."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

CONFINED = """
import socket, sys
from pathlib import Path
from explorer.rehearsal.sandbox import confine
own = Path(sys.argv[1])
network = sys.argv[3] == "network"
print(confine(own, network=network, memory_bytes=1 << 30, disk_bytes=1 << 20).writes)
(own / "mine").write_text("written")
for path in (Path(sys.argv[2]), Path("/dev/shm/theirs"), Path.home() / "theirs"):
    try:
        path.write_text("written")
        print("wrote", path)
    except OSError as error:
        print(error.strerror)
with socket.create_server(("127.0.0.1", 0)) as server:
    socket.create_connection(server.getsockname(), timeout=5).close()
    print("loopback")
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as remote:
    try:
        remote.connect(("192.0.2.1", 9))
        print("remote")
    except OSError as error:
        print(error.strerror)
"""
TOO_LARGE = """
import sys
from pathlib import Path
from explorer.rehearsal.sandbox import confine
own = Path(sys.argv[1])
confine(own, network=False, memory_bytes=256 << 20, disk_bytes=1 << 20)
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
for what, run in (
    ("disk", lambda: (own / "large").write_bytes(bytes(2 << 20))),
    ("memory", lambda: bytes(512 << 20)),
):
    try:
        run()
    except (OSError, MemoryError) as error:
        print(what, type(error).__name__)
"""
NESTED = """
import subprocess, sys
from pathlib import Path
from explorer.rehearsal.sandbox import confine
confine(Path(sys.argv[1]), network=False, memory_bytes=1 << 30, disk_bytes=1 << 20)
undo = "import ctypes; print(ctypes.CDLL(None).mount(None, b'/', None, 4096 | 32, None))"
subprocess.run([sys.executable, "-c", undo])
"""


def run(code: str, *arguments: object) -> list[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_nothing_is_written_outside_and_no_network_is_reached(tmp_path: Path) -> None:
    (own := tmp_path / "own").mkdir()
    printed = run(CONFINED, own, tmp_path / "theirs", "none")

    assert printed == [
        "own folder",
        *["Read-only file system"] * 3,
        "loopback",
        "Network is unreachable",
    ]
    assert (own / "mine").read_text() == "written"


def test_with_the_network_writes_stay_confined(tmp_path: Path) -> None:
    (own := tmp_path / "own").mkdir()
    printed = run(CONFINED, own, tmp_path / "theirs", "network")

    assert printed[:5] == ["own folder", *["Read-only file system"] * 3, "loopback"]


def test_memory_and_files_have_a_limit(tmp_path: Path) -> None:
    assert run(TOO_LARGE, tmp_path) == ["disk OSError", "memory MemoryError"]


def test_a_program_cannot_undo_its_confinement(tmp_path: Path) -> None:
    assert run(NESTED, tmp_path) == ["-1"]
