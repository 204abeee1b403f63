"""Rows that wait for partners or for the end of their window."""

import numpy as np

from explorer.engine.rows.batch import from_rows
from explorer.engine.state.buffered_rows import BufferedRows, Part
from explorer.model.row_type import LONG, RowType

ROW = RowType.of(n=LONG)


def part(*rows: tuple[int, int, int]) -> Part:
    """Rows of a number, a key's place and a time."""
    numbers, places, times = zip(*rows, strict=True)
    return from_rows(ROW, [[n] for n in numbers]), np.array(places), np.array(times)


def numbers(one: Part) -> list[int]:
    return [row[0] for row in one[0].rows()]


def test_rows_are_sorted_by_place_and_then_by_time() -> None:
    kept = BufferedRows()
    kept.add(*part((1, 1, 5), (2, 0, 9)))
    kept.add(*part((3, 0, 7)))
    kept.sort()

    assert numbers(kept.all()) == [3, 2, 1]
    assert (kept.places.tolist(), kept.times.tolist()) == ([0, 0, 1], [7, 9, 5])


def test_late_rows_come_back_when_all_before_them_are_stored() -> None:
    kept = BufferedRows()
    late = np.array([False, True, False, True])
    found = [
        (at, numbers(one), len(kept.places))
        for at, one in kept.add_in_turn(part((1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0)), late)
    ]

    assert found == [(1, [2], 1), (3, [4], 2)]
    assert numbers(kept.all()) == [1, 3]


def test_rows_that_are_not_retained_are_gone() -> None:
    kept = BufferedRows()
    assert not kept
    kept.add(*part((1, 0, 0), (2, 0, 0)))
    kept.add(*part((3, 0, 0)))
    kept.keep(np.array([True, False, False]))

    assert numbers(kept.all()) == [1]
    kept.keep(np.array([False]))
    assert not kept
