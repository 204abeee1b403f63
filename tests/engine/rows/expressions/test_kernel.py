"""Columns and scalars as arguments, the rows that matter and the report of one that fails."""

import numpy as np
import pyarrow as pa
import pytest

from explorer.engine.rows.errors import RowFailure
from explorer.engine.rows.expressions.ir import DATE
from explorer.engine.rows.expressions.kernel import (
    BatchRows,
    arrow_type,
    as_array,
    as_numpy,
    by_distinct,
    casts,
    check_read,
    column_of,
    scalar_bytes,
)
from explorer.engine.rows.expressions.numbers import to_long
from explorer.engine.rows.sizes import WORK_BYTES, BatchTooLargeError, Budget
from explorer.model.row_type import LONG, STRING
from tests.engine.rows.expressions.asked import asked


def test_the_first_bad_row_fails_if_it_matters() -> None:
    bad = np.array([False, True, True])

    with pytest.raises(RowFailure, match="row 1") as failure:
        asked(3).fail(bad, lambda index: f"row {index}")
    assert failure.value.index == 1
    with pytest.raises(RowFailure, match="row 2"):
        asked(3).among(np.array([True, False, True])).fail(bad, lambda index: f"row {index}")
    asked(3).among(np.array([True, False, False])).fail(bad, str)


def test_rows_are_narrowed_down_step_by_step() -> None:
    rows = asked(3).among(np.array([True, True, False])).among(np.array([False, True, True]))

    assert rows.active is not None
    assert rows.active.tolist() == [False, True, False]


def test_a_made_column_is_counted_and_a_scalar_is_not() -> None:
    rows = BatchRows(2, Budget())

    rows.made(pa.scalar("a" * 100))
    rows.made(pa.array([1, 2]))
    with pytest.raises(BatchTooLargeError, match=f"{WORK_BYTES - 16:,} are left"):
        rows.budget.check(WORK_BYTES)


def test_a_scalar_is_repeated_for_every_row() -> None:
    assert as_array(pa.scalar("a"), asked(3)).to_pylist() == ["a"] * 3
    assert [scalar_bytes(pa.scalar(one)) for one in ("abc", 1, None)] == [3, 8, 8]
    with pytest.raises(BatchTooLargeError):
        as_array(pa.scalar("a" * (WORK_BYTES // 2 + 1)), asked(2))


def test_values_come_with_where_they_are_null() -> None:
    values, nulls = as_numpy(pa.array([1, None]))
    assert (values[0], np.asarray(nulls).tolist()) == (1, [False, True])
    assert as_numpy(pa.scalar(5)) == (5, False)
    assert as_numpy(pa.scalar(None, pa.int64()))[1] is True
    assert as_numpy(pa.array([1]))[1] is False


def test_a_column_is_null_where_the_mask_is_set() -> None:
    values = np.array([1, 2])

    assert column_of(values, np.array([True, False])).to_pylist() == [None, 2]
    assert column_of(values, nulls=True).to_pylist() == [None, None]
    assert column_of(values, nulls=False).to_pylist() == [1, 2]


def test_equal_values_are_computed_once() -> None:
    computed: list[str] = []

    def upper(text: str) -> str:
        computed.append(text)
        return text.upper()

    column = pa.array(["a", "b", None, "a"])
    assert by_distinct(column, upper, pa.string()).to_pylist() == ["A", "B", None, "A"]
    assert computed == ["a", "b"]


def test_a_text_that_was_not_read_is_named() -> None:
    words = pa.array(["1", None, "x" * 200])

    with pytest.raises(RowFailure, match=f"^'{'x' * 80}' is no number$"):
        check_read(asked(3), words, pa.array([1, None, None]), "number")


def test_times_are_stored_in_memory_as_longs() -> None:
    assert [arrow_type(kind) for kind in (DATE, STRING, None)] == [
        pa.int64(),
        pa.string(),
        pa.null(),
    ]


def test_a_cast_fails_where_a_tried_one_is_null() -> None:
    strict, tried = casts("LONG", (STRING,), LONG, to_long)
    words = pa.array(["1", "one"])

    assert (strict.name, tried.name) == ("cast LONG", "try_cast LONG")
    assert tried.kernel(asked(2), words).to_pylist() == [1, None]
    with pytest.raises(RowFailure):
        strict.kernel(asked(2), words)


def test_both_casts_have_one_argument_and_are_no_functions_of_a_list() -> None:
    for function in casts("LONG", (STRING,), LONG, to_long):
        assert (function.params, function.result, function.symbol) == (((STRING,),), LONG, True)
