"""A hostile program in the sandbox: what it tries outside is refused, and nothing of it is left."""

import os
import signal
import subprocess
import sys
import threading
import time
from ast import literal_eval
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from explorer.locations import PARENT
from explorer.sandbox import launching
from explorer.sandbox.launching import SandboxRequest, start_program
from explorer.sandbox.supervisor import IN_BUBBLEWRAP, NONE, WHOLE
from tests.patience import PATIENCE
from tests.sandbox.worlds import (
    ATTACKS,
    INSIDE,
    World,
    left_behind,
    opened_world,
    piped,
    possible,
    works,
)

pytestmark = pytest.mark.process


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with opened_world(tmp_path, monkeypatch) as opened:
        yield opened


class Outcome(msgspec.Struct, frozen=True):
    """What each attack answered, why the program was ended, and what the sandbox lacked."""

    answers: dict[str, str]
    why_ended: str
    gaps: tuple[str, ...]

    @property
    def succeeded(self) -> set[str]:
        return {name for name, text in self.answers.items() if text == "done"}


def run(world: World, tmp_path: Path, request: SandboxRequest, *command: str) -> Outcome:
    own = tmp_path / "own"
    log = tmp_path / "errors.txt"
    attack = (sys.executable, str(ATTACKS), str(world.folder))
    shown = request.showing([world.folder, ATTACKS])
    with log.open("ab") as errors:
        started = start_program(command or attack, own, errors, shown, {})
    timer = threading.Timer(PATIENCE, started.kill)
    timer.start()
    assert started.process.stdout is not None
    lines = started.process.stdout.read().decode().splitlines()
    started.process.wait(PATIENCE)
    timer.cancel()
    why = started.why_ended()
    started.close()
    gaps = started.sandbox.gaps if started.sandbox else ()
    return Outcome(dict(line.split(" ", 1) for line in lines), why, gaps)


def test_each_attack_is_refused_and_nothing_outlives_the_program(
    world: World, tmp_path: Path
) -> None:
    outcome = run(world, tmp_path, SandboxRequest())

    assert outcome.answers.pop("own") == "folder and loopback work"
    assert outcome.succeeded <= possible(outcome.gaps)
    assert left_behind(world.folder) == []
    if not outcome.gaps:
        assert (world.received, piped(world)) == ([], b"")
        assert world.victim.poll() is None
        assert not (world.folder / "new").exists()
        # Its files were in a file system of its own.
        assert list((tmp_path / "own").iterdir()) == []


def test_with_the_network_only_that_is_reached(world: World, tmp_path: Path) -> None:
    outcome = run(world, tmp_path, SandboxRequest(network=True))

    reached = outcome.succeeded - possible(outcome.gaps)
    assert reached - {"remote"} == {"port"}  # a machine may have no network either
    if not outcome.gaps:
        assert world.received == [b"nothing"]
        assert world.victim.poll() is None


def test_without_the_sandbox_the_same_attacks_succeed(world: World, tmp_path: Path) -> None:
    outcome = run(world, tmp_path, SandboxRequest(disabled=True))

    assert outcome.succeeded >= INSIDE
    assert (world.received.count(b"a token"), piped(world)) == (3, b"a token")
    assert world.victim.wait(timeout=PATIENCE) == -15
    # It still ends with all that it has started.
    assert left_behind(world.folder) == []


def test_bubblewrap_makes_the_same_sandbox_where_it_is_installed(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels = list(launching._levels(tmp_path / "own", SandboxRequest()))
    level = IN_BUBBLEWRAP if IN_BUBBLEWRAP in levels else WHOLE
    monkeypatch.setattr(launching, "_levels", lambda *_: [level, NONE])
    outcome = run(world, tmp_path, SandboxRequest())

    # bubblewrap makes new terminals of its own
    assert outcome.succeeded - {"devices"} <= possible(outcome.gaps)
    assert left_behind(world.folder) == []
    if not outcome.gaps:
        assert (world.received, piped(world)) == ([], b"")


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
    outcome = run(world, tmp_path, SandboxRequest(), *forks)

    assert outcome.why_ended == "it had more than 100 processes"
    assert left_behind(world.folder) == []


def test_removed_files_count_as_disk(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = str(tmp_path / "own")
    limited = SandboxRequest(disk_bytes=50 << 20)
    command = [sys.executable, "-S", "-c", UNLINKED, own]

    in_memory = run(world, tmp_path, limited, *command)
    if not in_memory.gaps:
        assert in_memory.answers == {"refused": "No space left on device"}
    # On the disk itself, where the memory is small.
    monkeypatch.setattr(launching, "_SUPERVISOR", LITTLE_MEMORY + launching._SUPERVISOR)
    assert run(world, tmp_path, limited, *command).why_ended == "it wrote more than 50 MiB"


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
request = SandboxRequest(readable=tuple(map(Path, sys.argv[4:])))
started = start_program(sys.argv[3:], Path(sys.argv[2]), sys.stderr.buffer, request, {})
print(started.process.stdout.read().decode(), end="")
started.close()
print(started.sandbox.gaps)
"""


def test_a_user_without_rights_has_the_same_sandbox(world: World, tmp_path: Path) -> None:
    """In a user namespace, which a process without capabilities may enter, too."""
    attack = [sys.executable, str(ATTACKS), str(world.folder)]
    command = [sys.executable, "-c", RUNS, str(PARENT), str(tmp_path / "own"), *attack]
    given_up = ["setpriv", "--bounding-set", "-all,+setfcap"]
    given_up = given_up if os.getuid() == 0 and works(*given_up) else []
    run = subprocess.run(
        [*given_up, *command], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    *answers, own, gaps = run.stdout.splitlines()

    assert own == "own folder and loopback work"
    succeeded = {answer.split(" ")[0] for answer in answers if answer.endswith(" done")}
    assert succeeded <= possible(literal_eval(gaps))
    assert run.stderr.count("\n") == (gaps != "()")
    assert left_behind(world.folder) == []


@pytest.mark.parametrize("level", ["mnt user", "pid user"])
def test_a_machine_without_namespaces_runs_the_program_with_a_warning(
    world: World, tmp_path: Path, level: str
) -> None:
    """Within a user namespace, which has limits of its own."""
    attack = [sys.executable, str(ATTACKS), str(world.folder)]
    code = f"KINDS = {level!r}{WITHOUT_NAMESPACES}{RUNS}"
    command = [sys.executable, "-c", code, str(PARENT), str(tmp_path / "own"), *attack]
    alone = ["unshare", "--user", "--map-root-user"]
    run = subprocess.run(
        [*(alone if works(*alone) else ()), *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    *answers, _, gaps = run.stdout.splitlines()
    done = {answer.split(" ")[0] for answer in answers if answer.endswith(" done")}

    assert left_behind(world.folder) == []
    assert run.stderr.startswith("this machine has no whole sandbox (")
    assert run.stderr.count("\n") == 1
    if level == "mnt user":  # what worked before still works
        assert done >= INSIDE
        assert "can reach the network, read all files that you can read, change" in run.stderr
    else:
        assert done <= possible(literal_eval(gaps))
        assert "see and end other processes" in run.stderr


WITHOUT_NAMESPACES = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from explorer.sandbox import launching, supervisor
try:
    for kind in KINDS.split():
        Path(f"/proc/sys/user/max_{kind}_namespaces").write_text("0")
except OSError:  # a container's are not to be changed
    levels = [supervisor.FILES_AND_NETWORK] if "pid" in KINDS else []
    launching._levels = lambda *_: [*levels, supervisor.NONE]
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_a_program_ends_with_the_process_that_started_it(
    tmp_path: Path, end: signal.Signals
) -> None:
    sleeps = [sys.executable, "-S", "-c", SLEEPS, str(tmp_path)]
    command = [sys.executable, "-c", f"{HEARS_SIGHUP}{RUNS}", str(PARENT), str(tmp_path), *sleeps]
    started = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert await_count(tmp_path, 2)
    finally:
        started.send_signal(end)
        started.communicate(timeout=PATIENCE)

    assert await_count(tmp_path, 0)


HEARS_SIGHUP = """
import signal
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # below nohup, the tests hand on that they ignore it
"""
SLEEPS = """
import subprocess, sys, time
waits = [sys.executable, "-S", "-c", "import time; time.sleep(600)", "left behind", sys.argv[1]]
subprocess.Popen(waits, start_new_session=True)
subprocess.Popen(waits)
time.sleep(600)
"""


def await_count(folder: Path, number: int) -> bool:
    """Wait until so many processes are left behind."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if len(left_behind(folder)) == number:
            return True
        time.sleep(0.05)
    return False
