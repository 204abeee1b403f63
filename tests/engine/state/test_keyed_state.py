"""Places of keys, and runs of one key."""

import numpy as np
import pytest

from explorer.engine.rows.batch import from_rows
from explorer.engine.state.keyed_state import KeyedPlaces, OpenSlots, Runs
from explorer.model.row_type import DOUBLE, LONG, STRING, RowType

ROW = RowType.of(k=STRING, n=LONG)
RECORDS = from_rows(ROW, [["b", 1], ["a", 1], ["b", 1], [None, 2]])


@pytest.mark.parametrize(
    ("keys", "places"), [((0,), [0, 1, 0, 2]), ((1,), [0, 0, 0, 1]), ((), [0, 0, 0, 0])]
)
def test_keys_have_places_in_the_order_of_first_sight(
    keys: tuple[int, ...], places: list[int]
) -> None:
    assert KeyedPlaces().of(RECORDS, keys).tolist() == places


def test_a_key_of_two_columns_is_their_combination() -> None:
    places = KeyedPlaces().of(RECORDS, (0, 1)).tolist()

    assert places[0] == places[2]
    assert len(set(places)) == 3


def test_doubles_are_equal_as_in_java() -> None:
    batch = from_rows(RowType.of(d=DOUBLE), [[0.0], [-0.0], [float("nan")], [float("nan")]])

    zero, negative, *nans = KeyedPlaces().of(batch, (0,)).tolist()
    assert zero != negative
    assert nans[0] == nans[1]


def test_a_closed_slot_is_given_anew() -> None:
    slots = OpenSlots()
    one = np.array([1, 1])
    first, opened = slots.of(one, np.array([5, 6]))
    slots.close(first[:1])
    second, opened_then = slots.of(one, np.array([6, 7]))

    assert opened.tolist() == [0, 1]
    assert second.tolist() == [first[1], first[0]]
    assert opened_then.tolist() == [1]


def test_sums_of_doubles_are_rounded_as_if_records_came_one_by_one() -> None:
    values = np.random.default_rng(1).normal(size=500) * 10.0 ** (np.arange(500) % 40)
    places = np.tile([0, 1, 1, 2, 1], 100)
    runs = Runs.of(places)
    folded = values[runs.order]
    runs.fold(np.add, folded)

    sums = dict.fromkeys((0, 1, 2), 0.0)
    wanted = []
    for place, value in zip(places.tolist(), values.tolist(), strict=True):
        sums[place] = sums[place] + value if sums[place] else value
        wanted.append(sums[place])
    assert runs.back(folded).tolist() == wanted
