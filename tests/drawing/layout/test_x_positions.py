"""Positions within ranks, nearest to their neighbours."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.drawing.layout.x_positions import DUMMY_GAP, fit_rising, nearest_positions

NUMBERS = st.floats(-1000, 1000, allow_nan=False)


@given(st.lists(NUMBERS, min_size=1, max_size=30))
def test_the_nearest_rising_sequence_rises_and_has_the_same_mean(values: list[float]) -> None:
    found = fit_rising(values, [1.0] * len(values))

    assert all(one <= other + 1e-9 for one, other in pairwise(found))
    assert sum(found) == pytest.approx(sum(values), abs=1e-6)


def test_a_rising_sequence_stays() -> None:
    assert fit_rising([1.0, 2.0, 5.0], [1.0, 9.0, 1.0]) == [1.0, 2.0, 5.0]
    assert fit_rising([2.0, 1.0], [1.0, 3.0]) == [1.25, 1.25]


def test_a_parent_stands_above_the_middle_of_its_children() -> None:
    up = [[], [(0, 0.0, 1.0)], [(0, 0.0, 1.0)]]
    down = [[(1, 0.0, 1.0), (2, 0.0, 1.0)], [], []]
    xs = nearest_positions([[0], [1, 2]], [100.0] * 3, 3, (up, down), 30.0)

    assert xs[2] - xs[1] == pytest.approx(130.0)
    assert xs[0] == pytest.approx((xs[1] + xs[2]) / 2)


def test_items_preserve_their_order_and_their_gaps() -> None:
    up = [[], [], [(1, 0.0, 1.0)], [(0, 0.0, 1.0)]]
    down = [[(3, 0.0, 1.0)], [(2, 0.0, 1.0)], [], []]
    xs = nearest_positions([[0, 1], [2, 3]], [50.0, 50.0, 50.0, 0.0], 3, (up, down), 20.0)

    assert xs[1] - xs[0] >= 70.0 - 1e-9
    assert xs[3] - xs[2] >= 25.0 + DUMMY_GAP - 1e-9
