"""A hostile jar, captured and rehearsed: it reaches nothing outside and leaves nothing behind."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import explorer
from explorer.capture.failures import CaptureError
from tests.capture.flinks import jar, lib
from tests.patience import PATIENCE
from tests.rehearsal.golden_cases import unpacked
from tests.sandbox.worlds import ATTACKS, World, left_behind, opened_world, piped

pytestmark = pytest.mark.flink
VERSION = "1.20.5"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with opened_world(tmp_path, monkeypatch) as opened:
        yield opened


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return jar("Attacks", VERSION, tmp_path_factory.mktemp("hostile"))


def attack(world: World) -> list[str]:
    return [sys.executable, str(ATTACKS), str(world.folder)]


def assert_untouched(world: World) -> None:
    assert (world.received, piped(world)) == ([], b"")
    assert world.victim.poll() is None
    assert not (world.folder / "new").exists()
    assert left_behind(world.folder) == []


def test_a_captured_jar_reaches_nothing_outside(world: World, hostile: Path) -> None:
    (document,) = explorer.capture(hostile, attack(world), flink_lib=lib(VERSION))
    answers = dict(line.split(" ", 1) for line in document["name"].split("; "))

    assert answers.pop("own") == "folder and loopback work"
    assert {name: text for name, text in answers.items() if not text.startswith("refused")} == {}
    assert "warnings" not in document
    assert_untouched(world)


def test_a_rehearsed_jar_neither(world: World, hostile: Path, tmp_path: Path) -> None:
    savepoint = unpacked(tmp_path) / "same-1.20.5-hashmap-canonical" / "savepoint"
    found = explorer.rehearse(savepoint, hostile, args=attack(world), flink_lib=lib(VERSION))

    assert found.sandbox is not None
    assert (found.sandbox.network, found.sandbox.gaps) == (False, ())
    # The savepoint is another program's; the answer is no forged one.
    assert (found.verdict, found.operators) == ("refused", ())
    assert_untouched(world)


@pytest.fixture(scope="module")
def forging(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return jar("Forges", VERSION, tmp_path_factory.mktemp("forging"))


@pytest.mark.parametrize("answer", ["!yi12a", "!xro999999"])
def test_an_answer_in_py4js_place_is_recognised(answer: str, forging: Path) -> None:
    """A number that is none, and an exception that is not there."""
    with pytest.raises(CaptureError) as refused:
        explorer.capture(forging, [answer], flink_lib=lib(VERSION))

    assert "what its Java virtual machine answers cannot be read" in str(refused.value)


def test_an_interrupted_capture_is_quiet_and_a_killed_one_is_swept(
    hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    starts = "import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', *sys.argv[1:-1]])"
    waits = [sys.executable, "-S", "-c", starts, "import time; time.sleep(600)", "left behind"]
    command = [sys.executable, "-m", "explorer", "capture", str(hostile), "--flink-lib"]
    ended = {}
    for end in (signal.SIGKILL, signal.SIGINT):
        started = subprocess.Popen(
            [*command, str(lib(VERSION)), "--", *waits, str(tmp_path), "and ends"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        await_count(tmp_path, 1)
        started.send_signal(end)
        out, err = started.communicate(timeout=PATIENCE)
        await_count(tmp_path, 0)
        lines = [line for line in err.splitlines() if not line.endswith("up to its jobs ...")]
        ended[end] = (started.returncode, out, "".join(lines))

    assert ended == {signal.SIGKILL: (-9, "", ""), signal.SIGINT: (130, "", "")}
    assert list(tmp_path.glob("explorer-*")) == []


def await_count(folder: Path, number: int) -> None:
    """Wait until so many processes are left behind, as a program starts or ends."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if len(left_behind(folder)) == number:
            return
        time.sleep(0.05)
    pytest.fail(f"not {number} processes")
