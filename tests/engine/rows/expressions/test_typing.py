"""Types of arguments and results."""

import pytest

from explorer.engine.rows.expressions.ir import DATE, NULL, TIMESTAMP, Call, ColumnRef, Literal
from explorer.engine.rows.expressions.typing import apply, case, cast, coerced
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING, ColumnType
from tests.many_cases import for_each


def column(kind: ColumnType) -> ColumnRef:
    return ColumnRef(index=0, type=kind)


ONE = Literal(value=1, type=LONG)


def test_arithmetic_has_the_type_that_its_arguments_have_in_common() -> None:
    assert apply("+", [column(LONG), ONE]).type is LONG
    widened = apply("+", [column(LONG), Literal(value=1.5, type=DOUBLE)])

    assert isinstance(widened, Call)
    assert widened.type is DOUBLE
    assert [arg.type for arg in widened.args] == [DOUBLE, DOUBLE]


def test_a_null_has_the_expected_type() -> None:
    assert apply("lower", [NULL]) == Call(
        function="lower", args=(Literal(value=None, type=STRING),), type=STRING
    )
    assert coerced(NULL, None) == NULL


def test_a_literal_is_widened_without_a_cast() -> None:
    assert coerced(ONE, DOUBLE) == Literal(value=1.0, type=DOUBLE)
    assert coerced(column(LONG), DOUBLE) == Call(
        function="cast DOUBLE", args=(column(LONG),), type=DOUBLE
    )


@for_each(
    ("name", "args", "says"),
    [
        ("lower", [column(LONG)], "lower takes STRING, and argument 1 is LONG"),
        ("substring", [column(STRING)], "substring takes 2 to 3 arguments, not 1"),
        ("abs", [ONE, ONE], "abs takes 1 argument, not 2"),
        ("coalesce", [], "coalesce takes at least 1 argument, not 0"),
        ("=", [column(LONG), column(STRING)], "= cannot join LONG and STRING; cast one of them"),
        ("left", [column(STRING), column(STRING)], "left takes LONG, and argument 2 is STRING"),
        ("starts_with", [column(STRING), column(STRING)], "argument 2 of starts_with must stand"),
        ("starts_with", [column(STRING), NULL], "argument 2 of starts_with must stand"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(
    name: str, args: list[ColumnRef | Literal], says: str
) -> None:
    with pytest.raises(TypeError, match=says):
        apply(name, args)


def test_a_cast_to_the_same_type_is_nothing() -> None:
    assert cast(column(LONG), LONG) == column(LONG)
    assert cast(NULL, DATE) == Literal(value=None, type=DATE)


def test_a_cast_of_a_time_is_named_by_both_types() -> None:
    text = Literal(value="2024-01-01", type=STRING)
    tried = cast(text, TIMESTAMP, "try_cast")

    assert isinstance(tried, Call)
    assert tried.function == "try_cast TIMESTAMP STRING"
    day = cast(tried, DATE, "try_cast")
    assert isinstance(day, Call)
    assert day.function == "cast DATE TIMESTAMP"
    with pytest.raises(TypeError, match="no cast from LONG to DATE"):
        cast(ONE, DATE)


def test_the_values_of_a_case_have_a_type_in_common() -> None:
    found = case([(column(BOOLEAN), ONE)], Literal(value=1.5, type=DOUBLE))

    assert found.type is DOUBLE
    with pytest.raises(TypeError, match="a condition must be BOOLEAN, and this is LONG"):
        case([(ONE, ONE)], NULL)
    with pytest.raises(TypeError, match="the values of a case cannot join LONG and STRING"):
        case([(column(BOOLEAN), ONE)], column(STRING))
