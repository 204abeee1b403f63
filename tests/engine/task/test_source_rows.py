"""Rows of a source's subtask: the subtask of each row, in batches, with timestamps."""

from pathlib import Path

import pytest

from explorer.engine import plan
from explorer.engine.rows.batch import BATCH_ROWS, NO_TIMESTAMP
from explorer.engine.rows.errors import SourceError
from explorer.engine.task.source_rows import read
from explorer.model.row_type import parse_schema
from tests.engine.rows.sources.files import (
    LINES,
    NUMBERS,
    file_source,
    source_rows,
)


@pytest.mark.slow
@pytest.mark.parametrize("parallelism", [1, 2, 3, 7])
@pytest.mark.parametrize(
    ("first", "last"), [(0, 999), (-5, 70_000), (3, 3), (2**63 - 3, 2**63 - 1)]
)
def test_every_pth_number_of_a_sequence_goes_to_a_subtask(
    first: int, last: int, parallelism: int
) -> None:
    source = plan.Source(rows=plan.SequenceRows(first=first, last=last), row_type=NUMBERS)
    for subtask in range(parallelism):
        wanted = list(range(first + subtask, last + 1, parallelism))

        assert [row[0] for row in source_rows(source, subtask, parallelism)] == wanted


def test_a_long_input_comes_in_batches(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("x\n" * 100_000)
    sizes = [len(batch) for batch in read(file_source(path, "text", LINES), 0, 1)]

    assert sum(sizes) == 100_000
    assert max(sizes) <= BATCH_ROWS


def test_inline_rows_are_dealt_out_too() -> None:
    row_type = parse_schema("word STRING, n LONG")
    values = (("a", 1), ("b", None), ("c", 3))
    source = plan.Source(rows=plan.InlineRows(values=values), row_type=row_type)

    assert [source_rows(source, subtask, 2) for subtask in (0, 1)] == [
        [["a", 1], ["c", 3]],
        [["b", None]],
    ]


def test_a_new_sources_records_carry_a_timestamp() -> None:
    rows = plan.SequenceRows(first=0, last=2)
    source = plan.Source(rows=rows, row_type=NUMBERS, timestamped=True)
    (batch,) = read(source, 0, 1)

    assert batch.timestamps is not None
    assert batch.timestamps.tolist() == [NO_TIMESTAMP] * 3


def test_a_subtask_skips_the_rows_of_a_file_that_belong_to_others(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("n\n" + "".join(f"{turn}\n" for turn in range(7)))
    source = file_source(path, "csv", NUMBERS)

    assert [[row[0] for row in source_rows(source, subtask, 3)] for subtask in range(3)] == [
        [0, 3, 6],
        [1, 4],
        [2, 5],
    ]


def test_a_subtask_beyond_the_last_row_reads_none(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("n\n1\n")

    assert source_rows(file_source(path, "csv", NUMBERS), 1, 2) == []


@pytest.mark.parametrize("parallelism", [1, 2])
def test_a_hybrid_source_reads_one_source_after_the_other(parallelism: int) -> None:
    parts = (plan.SequenceRows(first=10, last=13), plan.InlineRows(values=((1,), (2,), (3,))))
    source = plan.Source(rows=plan.HybridRows(parts=parts), row_type=NUMBERS)
    found = [source_rows(source, subtask, parallelism) for subtask in range(parallelism)]

    assert [[row[0] for row in rows] for rows in found] == {
        1: [[10, 11, 12, 13, 1, 2, 3]],
        2: [[10, 12, 1, 3], [11, 13, 2]],
    }[parallelism]


def test_a_source_assigns_the_timestamps_of_its_column() -> None:
    rows = plan.InlineRows(values=((5,), (3,)))
    (batch,) = read(plan.Source(rows=rows, row_type=NUMBERS, time_column=0), 0, 1)
    assert batch.timestamps is not None
    assert batch.timestamps.tolist() == [5, 3]

    missing = plan.InlineRows(values=((5,), (None,)))
    with pytest.raises(SourceError, match="a timestamp of a source is NULL, in column 'n'"):
        list(read(plan.Source(rows=missing, row_type=NUMBERS, time_column=0), 0, 1))
