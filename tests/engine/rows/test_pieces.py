"""Pieces of a batch that fit a frame."""

import pytest
from hypothesis import given

from explorer.engine.rows import pieces as piecewise
from explorer.engine.rows.batch import Batch, concat, from_rows
from explorer.engine.rows.errors import RowError
from explorer.engine.rows.pieces import fitting, pieces, row_bytes
from explorer.engine.rows.sizes import ROW_BYTES
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING, RowType, parse_schema
from tests.engine.task.batches import batches


@given(batches())
def test_pieces_are_the_batch_again(batch: Batch) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(piecewise, "BATCH_BYTES", 40)
        parts = list(pieces("o", batch))

    assert repr(concat(parts).rows()) == repr(batch.rows())
    assert all(len(part) == 1 or row_bytes(part).sum() <= 40 for part in parts)
    assert len(fitting(batch, 10**9)) == len(batch)


def test_the_weight_of_a_row_is_that_of_its_values() -> None:
    row_type = RowType.of(w=STRING)
    batch = from_rows(row_type, [("é",), (None,), ("",), ("abc",)])

    assert row_bytes(batch).tolist() == [2, 0, 0, 3]


def test_a_small_batch_is_one_piece_and_nothing_is_copied() -> None:
    batch = from_rows(RowType.of(n=LONG), [(1,), (2,)])

    (found,) = pieces("o", batch)
    assert found is batch


def test_a_piece_begins_where_the_one_before_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piecewise, "BATCH_BYTES", 10)
    batch = from_rows(RowType.of(w=STRING), [("a" * size,) for size in (4, 6, 1, 12, 2)])

    found = [[len(row[0]) for row in piece.rows()] for piece in pieces("o", batch)]
    assert found == [[4, 6], [1], [12], [2]]


def test_a_row_that_is_too_large_is_named() -> None:
    batch = from_rows(parse_schema("n LONG, w STRING"), [(1, "a"), (2, "b" * (ROW_BYTES + 1))])

    with pytest.raises(
        RowError, match="operator 'o', the row that it gives: the row takes 8,388,6"
    ) as e:
        list(pieces("o", batch))
    assert e.value.row["n"] == 2


def test_as_many_rows_fit_as_need_no_more() -> None:
    batch = from_rows(RowType.of(n=LONG), [(turn,) for turn in range(10)])

    assert [len(fitting(batch, size)) for size in (0, 7, 8, 24, 80, 1000)] == [0, 0, 1, 3, 10, 10]


def test_every_type_has_its_weight() -> None:
    row_type = RowType.of(n=LONG, x=DOUBLE, w=STRING, b=BOOLEAN)

    assert row_bytes(from_rows(row_type, [(1, 1.0, "ab", True)])).tolist() == [18]
