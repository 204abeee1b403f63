"""Records that share one object where Flink reuses objects."""

import pyarrow as pa

from explorer.engine.rows.batch import from_rows
from explorer.engine.task.objects import SharedObjects
from explorer.model.row_type import LONG, RowType
from tests.engine.task.jobs import NUMBERS

BATCH = from_rows(NUMBERS, [(1,), (2,), (3,)])


def test_new_rows_are_new_objects() -> None:
    shared = SharedObjects()
    first, second = shared.number(BATCH), shared.number(BATCH)

    assert first.objects is not None
    assert second.objects is not None
    assert [*first.objects, *second.objects] == [0, 1, 2, 3, 4, 5]
    assert shared.number(first) is first


def test_every_reader_of_an_object_sees_its_change() -> None:
    shared = SharedObjects()
    numbered = shared.number(BATCH)
    shared.change(numbered.slice(1, 3).with_columns((pa.array([20, 30]),)))

    assert shared.current(numbered).rows() == [[1], [20], [30]]
    assert shared.current(numbered.slice(0, 1)).rows() == [[1]]


def test_the_latest_change_of_an_object_counts() -> None:
    shared = SharedObjects()
    numbered = shared.number(BATCH)
    shared.change(numbered.with_columns((pa.array([10, 20, 30]),)))
    shared.change(numbered.slice(2, 3).with_columns((pa.array([300]),)))

    assert shared.current(numbered).rows() == [[10], [20], [300]]


def test_an_object_of_another_type_is_another_one() -> None:
    shared = SharedObjects()
    numbered = shared.number(BATCH)
    shared.change(numbered.with_columns((pa.array([0, 0, 0]),)))

    other = numbered.with_row_type(RowType.of(m=LONG))
    assert shared.current(other) is other
    assert shared.current(BATCH) is BATCH


def test_new_records_forget_the_changes_of_old_ones() -> None:
    shared = SharedObjects()
    numbered = shared.number(BATCH)
    shared.change(numbered.with_columns((pa.array([0, 0, 0]),)))
    shared.fresh()

    assert shared.current(numbered) is numbered
