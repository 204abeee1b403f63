"""After a killed process or a lost file a trial succeeds or has one message, and the next works."""

import logging
import os
import shutil
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from logging.handlers import BufferingHandler
from pathlib import Path

import pytest
from py4j.java_gateway import GatewayClient

from tests.engine.on_spark import (
    ENDLESS,
    assert_usable,
    children,
    engine,
    java_process,
    numbers,
    runs_on,
    start,
    wait_until,
)
from tests.patience import PATIENCE

pytestmark = pytest.mark.spark

SILENT = numbers(10**15)
SILENT["transformations"][1] = {"id": "m", "type": "filter", "inputs": ["s"], "where": "n < 0"}
"""A loop that never ends and writes nothing."""


def daemon() -> int:
    """The process that forks Spark's Python workers, in an engine that has one.

    Workers live on without it, and while they do Spark starts no other.
    """
    if not children(java_process(), b"explorer.engine.spark.workers"):
        os.kill(java_process(), signal.SIGKILL)
        assert_usable()
    return children(java_process(), b"explorer.engine.spark.workers")[0]


def worker() -> int:
    return children(daemon(), b"pyspark")[0]


def has_gone(process: int) -> bool:
    """Whether a process has ended and was reaped; until then Spark considers it alive."""
    engine()._context._gateway.proc.poll()
    return not Path(f"/proc/{process}").exists()


@pytest.mark.parametrize(
    ("victim", "says"),
    [
        (worker, "A Python worker ended in the middle of 'Source: "),
        (java_process, "Spark's Java process ended in the middle of 'Source: "),
    ],
)
def test_a_process_killed_while_it_is_busy_ends_one_trial_only(
    victim: Callable[[], int], says: str
) -> None:
    assert_usable()
    daemon()
    trial = start(SILENT, collect=False)
    wait_until(lambda: runs_on(trial))
    workers = children(daemon(), b"pyspark")
    os.kill(victim(), signal.SIGKILL)

    assert trial.wait(PATIENCE)
    assert trial.state == "failed"
    assert trial.error is not None
    assert trial.error.startswith(says)
    # Spark has the daemon end the others after two seconds; a test may end the daemon before.
    for other in workers:
        with suppress(ProcessLookupError):
            os.kill(other, signal.SIGKILL)
    assert_usable()


def test_workers_without_their_daemon_do_their_work() -> None:
    assert_usable()
    found, document = daemon(), numbers(10**7)
    document["transformations"][1] = SILENT["transformations"][1] | {"where": "n % 1000 = 7"}
    trial = start(document)
    wait_until(lambda: runs_on(trial))
    os.kill(found, signal.SIGKILL)
    state = trial.state

    assert trial.wait(PATIENCE)
    assert (state, trial.error) == ("running", None)
    assert trial.report is not None
    assert trial.report.sinks["o"].rows == 10_000
    assert_usable()


@pytest.mark.parametrize("victim", [worker, daemon, java_process])
def test_a_process_killed_while_nothing_runs_ends_no_trial(victim: Callable[[], int]) -> None:
    assert_usable()
    killed = victim()
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: has_gone(killed))

    assert_usable()


def test_a_connection_to_java_that_breaks_is_not_logged() -> None:
    assert_usable()
    log = BufferingHandler(capacity=1000)
    logging.getLogger().addHandler(log)
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = GatewayClient(port=server.getsockname()[1])
        calling = threading.Thread(target=lambda: client.send_command("c\n", retry=False))
        calling.start()
        java, _ = server.accept()
        java.recv(1)
        # Closed with something unread, so that the other side is told of a reset.
        java.close()
        calling.join(PATIENCE)
    logging.getLogger().removeHandler(log)

    assert log.buffer == []


def test_a_java_process_without_memory_ends_one_trial_only() -> None:
    trial = start(ENDLESS, collect=False)
    wait_until(lambda: runs_on(trial))
    with pytest.raises(Exception, match=r"."):
        engine()._context._jvm.java.nio.ByteBuffer.allocate(2**31 - 1)

    assert trial.wait(PATIENCE)
    assert trial.state == "failed"
    assert trial.error is not None
    assert trial.error.startswith("Spark's Java process ended in the middle of 'Source: ")
    assert_usable()


def remove_files(folder: Path) -> None:
    for file in folder.glob("blockmgr-*/*/*"):
        file.unlink(missing_ok=True)


def remove_folders(folder: Path) -> None:
    for blocks in folder.glob("blockmgr-*"):
        shutil.rmtree(blocks, ignore_errors=True)


def remove_all(folder: Path) -> None:
    # Spark may write another file meanwhile, as it may when a cleaner comes by.
    shutil.rmtree(folder, ignore_errors=True)


MANY = numbers(200_000)
MANY["environment"]["parallelism"] = 8
"""More rows than Spark sends with a task's result, so that files are used, too."""


def assert_all_come() -> None:
    trial = start(MANY, limit=None)
    assert trial.wait(PATIENCE)
    assert trial.report is not None, trial.error
    assert len(trial.report.sinks["o"].data or ()) == 200_001


@pytest.mark.parametrize("remove", [remove_files, remove_all])
def test_files_that_were_removed_end_one_trial_only(remove: Callable[[Path], None]) -> None:
    assert_usable()
    trial = start(MANY, limit=None)
    wait_until(lambda: bool(trial.progress().vertices[0].finished_subtasks))
    remove(engine().folder)

    assert trial.wait(PATIENCE)
    if trial.report is None:
        assert trial.error is not None
        assert trial.error.startswith("Spark lost files of its own in the middle of ")
    else:
        assert len(trial.report.sinks["o"].data or ()) == 200_001
    assert_all_come()


@pytest.mark.parametrize("remove", [remove_folders, remove_all])
def test_files_that_are_removed_while_nothing_runs_end_no_trial(
    remove: Callable[[Path], None],
) -> None:
    assert_usable()
    cleaned = engine()
    remove(cleaned.folder)

    assert_all_come()
    assert engine() is not cleaned


@pytest.mark.parametrize("size", ["another", "the same"])
def test_a_file_that_is_replaced_in_mid_trial_is_reported(tmp_path: Path, size: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("n\n" + "12\n" * 100_000)
    document = numbers()
    document["environment"]["parallelism"] = 32
    document["transformations"][0]["rows"] = {"path": "rows.csv", "format": "csv"}
    trial = start(document, data_dir=tmp_path, limit=None)
    wait_until(lambda: bool(trial.progress().vertices[0].finished_subtasks))
    new = tmp_path / "new.csv"
    new.write_text("n\n" + "34\n" * (100_000 if size == "the same" else 99_999))
    new.rename(path)

    assert trial.wait(PATIENCE)
    assert trial.error is not None
    assert trial.error.startswith("file 'rows.csv' was changed after this trial was lined up")
    assert_usable()
