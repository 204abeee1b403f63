"""Counters of a subtask: their positions in the file, and their datagrams."""

import socket
from pathlib import Path

import pytest

from explorer.engine.counters import OperatorCounters
from explorer.engine.task.published_counters import (
    BEGUN,
    ENDED,
    FINISHED,
    RUNNING,
    WIDTH,
    Layout,
    ProgressTarget,
    Sender,
    Writer,
    create,
    open_datagram,
    operator_at,
    seal_datagram,
    width,
)
from tests.engine.task.jobs import job_of, source

JOB = job_of(
    source(1),
    {"id": "r", "type": "rebalance", "inputs": ["s"]},
    {"id": "m", "type": "map", "inputs": ["r"], "parallelism": 2},
    {"id": "o", "type": "sink", "inputs": ["m"], "parallelism": 2},
)


def test_every_subtask_has_a_place_of_its_own() -> None:
    layout = Layout(JOB)
    first, second = JOB.tasks

    assert layout.starts == [0, width(first)]
    assert layout.size == width(first) + 2 * width(second)
    assert width(second) == operator_at(len(second.operators))


def test_counters_are_written_to_the_file_of_all(tmp_path: Path) -> None:
    path = tmp_path / "progress"
    create(path, JOB)
    at, size = Layout(JOB).starts[1], width(JOB.tasks[1])
    writer = Writer(ProgressTarget(file=str(path)), at, size, Sender(None, "secret"))
    writer.state(RUNNING)
    counters = OperatorCounters(node=1)
    counters.records_in, counters.records_out, counters.nanoseconds = 5, 6, 7
    writer.show(1, counters)

    numbers = memoryview(path.read_bytes()).cast("q")
    mine = numbers[at : at + size]
    assert len(numbers) == Layout(JOB).size
    assert [*mine[operator_at(1) : operator_at(1) + 3]] == [5, 6, 7]
    assert (mine[0], mine[BEGUN] > 0, mine[ENDED]) == (RUNNING, True, 0)
    assert [*numbers[:at]] == [0] * at
    writer.state(FINISHED)
    assert memoryview(writer.values).cast("q")[ENDED] > 0


def test_a_file_that_is_not_there_leaves_counters_in_memory(tmp_path: Path) -> None:
    writer = Writer(ProgressTarget(file=str(tmp_path / "gone")), 0, 6, Sender(None, ""))
    writer.state(RUNNING)

    assert len(writer.values) == 6 * WIDTH
    assert not (tmp_path / "gone").exists()


def test_a_datagram_is_opened_with_its_secret_only() -> None:
    datagram = seal_datagram("secret", 12, b"counters")

    assert open_datagram("secret", datagram) == (12, b"counters")
    assert open_datagram("other", datagram) is None
    assert open_datagram("secret", datagram[:-1]) is None
    assert open_datagram("secret", b"short") is None


def test_a_state_is_sent_to_the_driver() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as driver:
        driver.bind(("127.0.0.1", 0))
        driver.settimeout(10)
        sender = Sender(driver.getsockname(), "secret")
        writer = Writer(ProgressTarget(), 4, 6, sender)
        writer.state(RUNNING)

        assert open_datagram("secret", driver.recv(1000)) == (4, writer.values)
        sender.close()
    assert not sender.is_open


@pytest.mark.parametrize("address", [None, ("no.such.host.invalid", 9)])
def test_a_sender_without_a_driver_drops_everything(address: tuple[str, int] | None) -> None:
    sender = Sender(address, "secret")
    sender.send(0, b"x")
    sender.close()

    assert not sender.is_open
