"""Aggregates and keys of open windows."""

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import from_rows
from explorer.engine.state.aggregate_state import Aggregates, Fired, KeyRows, joined_fired
from explorer.engine.state.aggregates import Aggregate
from explorer.engine.state.keyed_state import Runs
from explorer.model.row_type import LONG, STRING, RowType

ROW = RowType.of(k=STRING, n=LONG)
BATCH = from_rows(ROW, [["b", 1], ["a", 2], ["b", 3]])


def test_key_columns_are_found_by_place() -> None:
    keys = KeyRows()
    places = keys.of(BATCH, (0,))
    keys.of(from_rows(ROW, [["c", 4]]), (0,))

    assert places.tolist() == [0, 1, 0]
    assert keys.at(np.array([2, 0, 1]))[0].to_pylist() == ["c", "b", "a"]


def test_records_are_folded_into_their_slots() -> None:
    total = Aggregate(name="total", function="sum", column=1)
    count = Aggregate(name="count", function="count", column=None)
    state = Aggregates((total, count), ROW)
    runs = Runs.of(np.array([0, 1, 0]))
    state.roll(BATCH, runs)

    assert [column.to_pylist() for column in state.values(np.array([0, 1]))] == [[4, 2], [2, 1]]

    state.forget(np.array([0]))
    rolled, _ = state.roll(BATCH, runs)
    assert [column.to_pylist() for column in rolled] == [[1, 4, 4], [1, 2, 2]]


def test_windows_that_fired_one_after_the_other_are_one() -> None:
    def fired(place: int, value: int) -> Fired:
        at = np.array([place])
        return Fired(at, at * 10, at * 10 + 10, [pa.array([value])], None)

    both = joined_fired([fired(1, 7), fired(0, 8)])

    assert joined_fired([]) is None
    assert both is not None
    assert (both.places.tolist(), both.starts.tolist(), both.ends.tolist()) == (
        [1, 0],
        [10, 0],
        [20, 10],
    )
    assert both.aggregates[0].to_pylist() == [7, 8]
