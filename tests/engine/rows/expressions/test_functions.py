"""The closed list of functions: their types, and that each is tried."""

import pytest

from explorer.engine.rows.expressions.functions import (
    FUNCTION_NAMES,
    FUNCTIONS,
    SPECIAL_FORMS,
    common,
)
from explorer.engine.rows.expressions.ir import DATE, TIMESTAMP
from explorer.engine.rows.expressions.parser import FUNCTIONS_BY_NAME
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING
from tests.engine.rows.asked_expressions import EXPRESSIONS
from tests.engine.rows.expressions.test_evaluator import VALUES


def test_every_listed_function_is_tried_here() -> None:
    tried = " ".join((*(text for text, _, _ in VALUES), *EXPRESSIONS))

    assert [name for name in FUNCTION_NAMES if f"{name}(" not in tried and name != "case"] == []
    assert set(SPECIAL_FORMS) & set(FUNCTIONS) == set()


def test_long_and_double_meet_in_double_and_null_fits_anywhere() -> None:
    assert common([LONG, None, LONG], "it") is LONG
    assert common([None, LONG, DOUBLE], "it") is DOUBLE
    assert common([None], "it") is None
    with pytest.raises(TypeError, match="LONG and STRING"):
        common([LONG, STRING], "it")
    with pytest.raises(TypeError, match="TIMESTAMP and DATE"):
        common([TIMESTAMP, DATE], "it")


def test_a_list_of_functions_leaves_out_operators() -> None:
    assert {"+", "like", "cast LONG", "extract year DATE"} <= FUNCTIONS.keys()
    assert not {"+", "like", "cast LONG", "extract year DATE"} & {*FUNCTION_NAMES}
    assert list(FUNCTION_NAMES) == sorted(FUNCTION_NAMES)


def test_a_literal_argument_is_one_that_the_function_has() -> None:
    for function in FUNCTIONS.values():
        assert all(place < len(function.params) for place in function.literal), function.name
        assert function.required is None or function.required <= len(function.params)


def test_the_parser_has_no_form_of_its_own_for_patterns_and_parts() -> None:
    assert {"regexp_extract", "timestampadd", "dayofweek"} <= FUNCTIONS_BY_NAME


def test_a_comparison_is_boolean_and_arithmetic_has_the_common_type() -> None:
    assert {FUNCTIONS[name].result for name in ("=", "<", "in", "like", "is null")} == {BOOLEAN}
    assert {FUNCTIONS[name].result for name in ("+", "-", "*", "%", "coalesce")} == {None}
