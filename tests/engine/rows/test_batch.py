"""Batches: many records by column, with timestamps beside them."""

import numpy as np
import pyarrow as pa
import pytest

from explorer.engine.rows.batch import (
    ARROW,
    Batch,
    arrow_schema,
    concat,
    empty,
    from_rows,
    from_values,
    values_and_nulls,
)
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING, RowType

ROW = RowType.of(n=LONG, w=STRING)


def timed() -> Batch:
    batch = from_rows(ROW, [(turn, f"w{turn}") for turn in range(5)])
    return batch.with_timestamps(np.arange(5) * 10).with_objects(np.arange(5) + 100)


def numbers(batch: Batch) -> list[tuple[int, int, int]]:
    assert batch.timestamps is not None
    assert batch.objects is not None
    columns = (batch.column("n").to_pylist(), batch.timestamps.tolist(), batch.objects.tolist())
    return [*zip(*columns, strict=True)]


def test_timestamps_and_objects_go_with_the_records_that_are_picked() -> None:
    assert numbers(timed().take(np.array([3, 1]))) == [(3, 30, 103), (1, 10, 101)]
    keep = np.array([False, True, False, False, True])
    assert numbers(timed().filter(keep)) == [(1, 10, 101), (4, 40, 104)]
    assert numbers(timed().slice(2, 4)) == [(2, 20, 102), (3, 30, 103)]


def test_a_slice_shares_memory_and_a_copy_does_not() -> None:
    batch = timed()

    def places(one: Batch) -> list[int]:
        return [column.buffers()[1].address for column in one.columns]

    assert places(batch.slice(1, 3)) == places(batch)
    assert set(places(batch.copied())).isdisjoint(places(batch))
    assert batch.copied().rows() == batch.rows()


def test_batches_are_joined_in_their_order() -> None:
    batch = timed()

    joined = concat([batch.slice(3, 5), batch.slice(0, 1)])
    assert joined.column("n").to_pylist() == [3, 4, 0]
    assert joined.timestamps is not None
    assert joined.timestamps.tolist() == [30, 40, 0]
    assert concat([batch]) is batch


def test_rows_are_lists_and_one_row_is_by_name() -> None:
    batch = from_rows(ROW, [(1, "a"), (None, None)])

    assert batch.rows() == [[1, "a"], [None, None]]
    assert batch.row(1) == {"n": None, "w": None}
    assert len(empty(ROW)) == len(from_rows(ROW, [])) == 0
    with pytest.raises(KeyError):
        batch.column("x")


def test_each_type_is_stored_in_memory_as_in_arrow() -> None:
    row_type = RowType.of(n=LONG, x=DOUBLE, w=STRING, b=BOOLEAN)

    assert arrow_schema(row_type).types == [ARROW[kind] for kind in row_type.types]
    assert arrow_schema(row_type).names == ["n", "x", "w", "b"]


def test_values_come_back_as_a_column_null_where_they_were() -> None:
    column = pa.array([True, None, False])
    values, nulls = values_and_nulls(column)

    assert nulls is not None
    assert from_values(values, nulls) == column
    assert values_and_nulls(pa.array([1.5]))[1] is None
