"""A hostile program in the sandbox: what it tries outside is refused, and nothing of it is left."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.locations import PARENT
from explorer.sandbox import launching
from explorer.sandbox.launching import SandboxRequest, start_program
from explorer.sandbox.supervisor import IN_BUBBLEWRAP, NONE, WHOLE
from tests.sandbox.worlds import ATTACKS, INSIDE, World, left_behind, opened_world, piped

pytestmark = pytest.mark.process


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with opened_world(tmp_path, monkeypatch) as opened:
        yield opened


def run(
    world: World, tmp_path: Path, request: SandboxRequest, *command: str
) -> tuple[dict[str, str], str]:
    """What each attack answered, and why the program was ended."""
    own = tmp_path / "own"
    log = tmp_path / "errors.txt"
    with log.open("ab") as errors:
        started = start_program(
            command or (sys.executable, str(ATTACKS), str(world.folder)), own, errors, request, {}
        )
    assert started.process.stdout is not None
    lines = started.process.stdout.read().decode().splitlines()
    started.process.wait()
    why = started.why_ended()
    started.close()
    return dict(line.split(" ", 1) for line in lines), why


def test_each_attack_is_refused_and_nothing_outlives_the_program(
    world: World, tmp_path: Path
) -> None:
    answers, _ = run(world, tmp_path, SandboxRequest())

    assert answers.pop("own") == "folder and loopback work"
    assert {name: text for name, text in answers.items() if text == "done"} == {}
    assert (world.received, piped(world)) == ([], b"")
    assert world.victim.poll() is None
    assert not (world.folder / "new").exists()
    assert left_behind(world.folder) == []
    # Its files were in a file system of its own.
    assert list((tmp_path / "own").iterdir()) == []


def test_with_the_network_only_that_is_reached(world: World, tmp_path: Path) -> None:
    answers, _ = run(world, tmp_path, SandboxRequest(network=True))

    done = {name for name, text in answers.items() if text == "done"}
    assert done - {"remote"} == {"port"}  # a machine may have no network either
    assert world.received == [b"nothing"]
    assert world.victim.poll() is None


def test_without_the_sandbox_the_same_attacks_succeed(world: World, tmp_path: Path) -> None:
    answers, _ = run(world, tmp_path, SandboxRequest(disabled=True))

    assert {name for name, text in answers.items() if text == "done"} >= INSIDE
    assert (world.received.count(b"a token"), piped(world)) == (3, b"a token")
    assert world.victim.wait(timeout=10) == -15
    # It still ends with all that it has started.
    assert left_behind(world.folder) == []


def test_bubblewrap_makes_the_same_sandbox_where_it_is_installed(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = WHOLE if shutil.which("bwrap") is None else IN_BUBBLEWRAP
    assert level in launching._levels(tmp_path / "own", SandboxRequest())
    monkeypatch.setattr(launching, "_levels", lambda *_: [level, NONE])
    answers, _ = run(world, tmp_path, SandboxRequest(required=True))

    answers.pop("devices")  # bubblewrap makes new terminals of its own
    assert {name for name, text in answers.items() if not text.startswith("refused")} == {"own"}
    assert (world.received, piped(world)) == ([], b"")
    assert left_behind(world.folder) == []


FORKS = """
import subprocess, sys, time
for _ in range(300):
    waits = [sys.executable, "-S", "-c", "import time; time.sleep(600)", "left behind"]
    subprocess.Popen([*waits, sys.argv[1]])
print("all started", flush=True)
time.sleep(600)
"""
UNLINKED = """
import os, sys, time
os.chdir(sys.argv[1])
for number in range(12):
    file = open(f"file {number}", "wb")
    os.unlink(f"file {number}")
    try:
        file.write(bytes(20 << 20))
        file.flush()
    except OSError as error:
        print("refused", error.strerror, flush=True)
        break
    globals()[f"file{number}"] = file
else:
    print("all written", flush=True)
    time.sleep(600)
"""


def test_a_program_with_many_processes_is_ended(world: World, tmp_path: Path) -> None:
    forks = [sys.executable, "-S", "-c", FORKS, str(world.folder)]
    _, why = run(world, tmp_path, SandboxRequest(), *forks)

    assert why == "it had more than 100 processes"
    assert left_behind(world.folder) == []


def test_removed_files_count_as_disk(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = str(tmp_path / "own")
    limited = SandboxRequest(disk_bytes=50 << 20)
    command = [sys.executable, "-S", "-c", UNLINKED, own]

    assert run(world, tmp_path, limited, *command) == ({"refused": "No space left on device"}, "")
    # On the disk itself, where the memory is small.
    monkeypatch.setattr(launching, "_SUPERVISOR", LITTLE_MEMORY + launching._SUPERVISOR)
    assert run(world, tmp_path, limited, *command)[1] == "it wrote more than 50 MiB"


LITTLE_MEMORY = f"""
import sys; sys.path.insert(0, {str(PARENT)!r})
from explorer.sandbox import kernel
kernel.available_memory = lambda: 1 << 20
"""
RUNS = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from explorer.locations import PARENT
from explorer.sandbox import launching
from explorer.sandbox.launching import SandboxRequest, start_program
started = start_program(
    sys.argv[3:], Path(sys.argv[2]), sys.stderr.buffer, SandboxRequest(required=True), {}
)
print(started.process.stdout.read().decode(), end="")
started.close()
print(started.sandbox.gaps)
"""


def test_a_user_without_rights_has_the_same_sandbox(world: World, tmp_path: Path) -> None:
    """In a user namespace, which a process without capabilities may enter, too."""
    attack = [sys.executable, str(ATTACKS), str(world.folder)]
    command = [sys.executable, "-c", RUNS, str(PARENT), str(tmp_path / "own"), *attack]
    given_up = ["setpriv", "--bounding-set", "-all,+setfcap"] if os.getuid() == 0 else []
    run = subprocess.run([*given_up, *command], capture_output=True, text=True, check=False)
    *answers, own, gaps = run.stdout.splitlines()

    assert (own, gaps, run.stderr) == ("own folder and loopback work", "()", "")
    assert [one for one in answers if one.endswith(" done")] == []
    assert left_behind(world.folder) == []


@pytest.mark.parametrize("level", ["mnt user", "pid user"])
def test_a_machine_without_namespaces_runs_the_program_with_a_warning(
    world: World, tmp_path: Path, level: str
) -> None:
    """Within a user namespace, which has limits of its own."""
    attack = [sys.executable, str(ATTACKS), str(world.folder)]
    unlimited = RUNS.replace("required=True", "")
    code = f"KINDS = {level!r}{WITHOUT_NAMESPACES}{unlimited}"
    command = [sys.executable, "-c", code, str(PARENT), str(tmp_path / "own"), *attack]
    alone = ["unshare", "--user", "--map-root-user"]
    run = subprocess.run([*alone, *command], capture_output=True, text=True, check=False)
    answers = dict(line.split(" ", 1) for line in run.stdout.splitlines())
    done = {name for name, text in answers.items() if text == "done"}

    assert left_behind(world.folder) == []
    assert run.stderr.startswith("this machine has no whole sandbox (unshare: no space left on")
    assert run.stderr.count("\n") == 1
    if level == "mnt user":  # what worked before still works
        assert done >= INSIDE
        assert "can reach the network, change files outside its folder, see and end" in run.stderr
    else:
        assert done == set()
        assert run.stderr.endswith("the program can see and end other processes\n")


WITHOUT_NAMESPACES = """
from pathlib import Path
for kind in KINDS.split():
    Path(f"/proc/sys/user/max_{kind}_namespaces").write_text("0")
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_a_program_ends_with_the_process_that_started_it(
    tmp_path: Path, end: signal.Signals
) -> None:
    sleeps = [sys.executable, "-S", "-c", SLEEPS, str(tmp_path)]
    command = [sys.executable, "-c", RUNS, str(PARENT), str(tmp_path), *sleeps]
    started = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert await_count(tmp_path, 2)
    finally:
        started.send_signal(end)
        started.communicate()

    assert await_count(tmp_path, 0)


SLEEPS = """
import subprocess, sys, time
waits = [sys.executable, "-S", "-c", "import time; time.sleep(600)", "left behind", sys.argv[1]]
subprocess.Popen(waits, start_new_session=True)
subprocess.Popen(waits)
time.sleep(600)
"""


def await_count(folder: Path, number: int) -> bool:
    """Wait until so many processes are left behind."""
    for _ in range(200):
        if len(left_behind(folder)) == number:
            return True
        time.sleep(0.05)
    return False
