"""Rules about watermarks: alignment and idleness of sources."""

import pytest

from tests.checks.findings import messages
from tests.checks.pairs import ALIGNED, SOURCE, WINDOWED, changed, job, op, within

LINE = job(op("s", "source", timestamps=ALIGNED), op("out", "sink", "s"))


@pytest.mark.parametrize(
    ("release", "reason"),
    [("1.14", "Flink 1.14 has none: it came with 1.15"), ("1.15", ""), ("2.3", "")],
)
def test_alignment_came_with_1_15(release: str, reason: str) -> None:
    said = messages("WM01", LINE, release)

    assert [reason in one for one in said] == [True] * bool(reason)
    assert bool(messages("WM02", LINE, release)) == (not reason)


def test_a_batch_job_aligns_nothing() -> None:
    batch = within(LINE, runtime_mode="BATCH")

    assert "a BATCH job emits no watermark before its end" in messages("WM01", batch)[0]
    assert not messages("WM02", batch)


def test_a_source_with_a_strategy_assigns_timestamps() -> None:
    assert messages("ED10", WINDOWED)
    assert not messages("ED10", changed(WINDOWED, "s", timestamps={"column": "n"}))
    assert messages("ED10", job(SOURCE, *WINDOWED["transformations"][1:]))
