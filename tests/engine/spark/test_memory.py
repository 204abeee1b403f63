"""Workers need no more memory for ten times as many rows."""

from pathlib import Path
from typing import Any

import pytest

from tests.engine.on_spark import children, java_process, numbers, start
from tests.patience import PATIENCE

pytestmark = pytest.mark.spark

ROOM = 48 << 20
"""Bytes by which a worker's peak may differ from run to run; all the rows' columns need more
than twice as much."""


def peaks() -> list[int]:
    """Peak memory of each worker so far, in bytes."""
    workers = [
        worker
        for daemon in children(java_process(), b"explorer.engine.spark.workers")
        for worker in children(daemon, b"explorer.engine.spark.workers")
    ]
    reported = [Path(f"/proc/{worker}/status").read_text().split("\n") for worker in workers]
    return [
        int(line.split()[1]) << 10
        for lines in reported
        for line in lines
        if line.startswith("VmHWM")
    ]


def run(rows: int) -> int:
    document: dict[str, Any] = numbers(rows - 1, first="n * 3 + 1", second="n - 1")
    trial = start(document, collect=False)
    assert trial.wait(PATIENCE)
    assert trial.report is not None, trial.error
    assert trial.report.vertices[1].records_in == rows
    return max(peaks())


def test_ten_times_as_many_rows_need_no_more_memory() -> None:
    few, many = run(800_000), run(8_000_000)

    assert 3 * ROOM < 2 * 16_000_000 * 8
    assert many < few + ROOM
