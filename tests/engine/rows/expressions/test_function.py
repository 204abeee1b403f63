"""A row of the list of functions, and the two casts of a pair of types."""

import pyarrow as pa
import pytest

from explorer.engine.rows.errors import RowFailure
from explorer.engine.rows.expressions.function import casts
from explorer.engine.rows.expressions.numbers import to_long
from explorer.model.row_type import LONG, STRING
from tests.engine.rows.expressions.asked import asked


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
