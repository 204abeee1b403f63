"""Origins of rows in a traced run."""

import numpy as np

from explorer.engine.rows.origins import NOTHING, Descent, Origins, joined_ends


def test_numbers_continue_and_have_their_origins() -> None:
    descent = Descent()
    sources = descent.sources(2)
    made = descent.add(sources[[1, 1, 0]])

    assert (sources.tolist(), made.tolist(), len(descent)) == ([0, 1], [2, 3, 4], 5)
    assert descent.parents().tolist() == [
        [NOTHING, NOTHING, 1, 1, 0],
        [NOTHING] * 5,
    ]
    assert Descent().parents().shape == (2, 0)


def test_two_rows_that_took_part_are_both_parents() -> None:
    descent = Descent()
    left, right = (Origins(descent, descent.sources(2)) for _ in range(2))

    joined = left.joined(right)
    assert joined.numbers.tolist() == [4, 5]
    assert descent.parents()[:, 4:].tolist() == [[0, 1], [2, 3]]
    assert left.joined(None) is left


def test_origins_are_picked_as_their_records_are() -> None:
    origins = Origins(Descent(), np.array([7, 8, 9]))

    assert origins.at(np.array([2, 0])).numbers.tolist() == [9, 7]
    assert origins.at(np.array([False, True, False])).numbers.tolist() == [8]
    assert origins.at(slice(1, 3)).numbers.tolist() == [8, 9]


def test_batches_behind_one_another_have_origins_if_all_have() -> None:
    descent = Descent()
    one, other = (Origins(descent, descent.sources(2)) for _ in range(2))

    joined = joined_ends([one, other])
    assert joined is not None
    assert joined.numbers.tolist() == [0, 1, 2, 3]
    assert joined_ends([one, None]) is None
    assert joined_ends([]) is None
