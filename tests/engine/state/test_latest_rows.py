"""The newest row of each place."""

import numpy as np

from explorer.engine.rows.batch import from_rows
from explorer.engine.state.latest_rows import LatestRows
from explorer.model.row_type import LONG, RowType

ROW = RowType.of(n=LONG)


def put(latest: LatestRows, **numbers: int) -> None:
    """Put a number at each place ``p0``, ``p1``, ..."""
    places = np.array([int(name[1:]) for name in numbers])
    latest.put(from_rows(ROW, [[number] for number in numbers.values()]), places)


def at(latest: LatestRows, *places: int) -> list[int | None] | None:
    columns = latest.columns(np.array(places))
    return None if columns is None else columns[0].to_pylist()


def test_no_row_has_come_at_all() -> None:
    assert at(LatestRows(), 0, 1) is None


def test_a_newer_row_replaces_an_older_one() -> None:
    latest = LatestRows()
    put(latest, p0=1, p2=2)
    put(latest, p2=3)

    assert at(latest, 2, 1, 0, 2) == [3, None, 1, 3]


def test_a_forgotten_row_is_gone() -> None:
    latest = LatestRows()
    put(latest, p0=1, p1=2)
    latest.forget(np.array([0]))

    assert at(latest, 0, 1) == [None, 2]


def test_replaced_rows_do_not_pile_up() -> None:
    latest = LatestRows()
    for number in range(1_500):
        put(latest, p0=number, p1=-number)

    assert at(latest, 0, 1) == [1_499, -1_499]
    assert latest._rows is not None
    assert len(latest._rows) < 2_000
