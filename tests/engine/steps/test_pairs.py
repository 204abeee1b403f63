"""Pairs of the rows that both inputs have in one window."""

from typing import Any

import numpy as np
import pytest

from explorer.engine.rows.batch import from_rows
from explorer.engine.steps import pairs as module
from explorer.engine.steps.join import Join
from explorer.engine.steps.pairs import Fires, JoinSide, pairs
from explorer.model.row_type import LONG, RowType

ROW = RowType.of(n=LONG)
BOTH = RowType.of(n=LONG, m=LONG)


JOIN = Join(side=0, keys=((), ()), joined=BOTH, columns=(), row_type=BOTH)
"""A join without a select."""


def side(*rows: tuple[int, int]) -> JoinSide:
    """Rows of a window's number and a value."""
    return JoinSide(
        from_rows(ROW, [[n] for _, n in rows]), np.array([window for window, _ in rows])
    )


FIRES = Fires(
    (side((0, 1), (0, 2), (1, 3)), side((0, 10), (0, 20), (2, 30))),
    places=np.arange(3),
    ends=np.array([5, 15, 25]),
)
INNER = [[1, 10, 4], [1, 20, 4], [2, 10, 4], [2, 20, 4]]
FIRST_ALONE = [3, None, 14]
SECOND_ALONE = [None, 30, 24]


@pytest.mark.parametrize("at_once", [1, 1 << 20])
@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        ("inner", INNER),
        ("left_outer", [*INNER, FIRST_ALONE]),
        ("right_outer", [*INNER, SECOND_ALONE]),
        ("full_outer", [*INNER, FIRST_ALONE, SECOND_ALONE]),
    ],
)
def test_each_row_is_paired_with_each_of_its_window(
    monkeypatch: pytest.MonkeyPatch, at_once: int, function: str, wanted: list[Any]
) -> None:
    monkeypatch.setattr(module, "_PAIRS_AT_ONCE", at_once)
    found = []
    for batch in pairs("join", JOIN, function, FIRES):
        assert batch.timestamps is not None
        found += [[*row, t] for row, t in zip(batch.rows(), batch.timestamps.tolist(), strict=True)]

    assert found == wanted
