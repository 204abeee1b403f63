"""Flink 2.2's own SQL was asked what these expressions are; ours are the same, row by row."""

from typing import Any

import pytest

from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.errors import ExpressionError, RowFailure
from explorer.engine.rows.expressions.evaluator import evaluate
from explorer.engine.rows.expressions.parser import compile_expression
from explorer.java_double_text import java_double_text
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING, parse_schema
from tests.engine.rows.asked_expressions import COLUMNS, EXPRESSIONS, ROWS
from tests.golden_files import cases
from tests.many_cases import for_each

ROW = parse_schema(COLUMNS)
KINDS = {"BIGINT": LONG, "INT": LONG, "DOUBLE": DOUBLE, "BOOLEAN": BOOLEAN, "STRING": STRING}
CASES = list(cases("expressions"))
ANSWERED = [case for case in CASES if "values" in case]
REFUSED = [case for case in CASES if "error" in case]


def written(value: Any) -> str | None:
    """A value as the asking program prints it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return java_double_text(value) if isinstance(value, float) else str(value)


def test_all_that_is_listed_was_asked() -> None:
    assert [case["expression"] for case in CASES] == list(EXPRESSIONS)
    assert len(REFUSED) > 8


@pytest.mark.slow
@for_each("case", ANSWERED, lambda case: case["expression"])
def test_values_are_those_of_flink(case: dict[str, Any]) -> None:
    expression = compile_expression(case["expression"], ROW, "select.y")

    found = evaluate(expression, from_rows(ROW, ROWS)).to_pylist()

    # SQL writes TRUE where a program's String.valueOf, which a trial imitates, writes true.
    as_java = case["expression"] == "cast(b as string)"
    values = [value and value.lower() for value in case["values"]] if as_java else case["values"]
    assert [written(value) for value in found] == values
    kind = case["type"].removesuffix(" NOT NULL").partition("(")[0].replace("VARCHAR", "STRING")
    assert expression.type is KINDS[kind.replace("CHAR", "STRING")]


@for_each("case", REFUSED, lambda case: case["expression"])
def test_expressions_that_flink_refuses_are_refused(case: dict[str, Any]) -> None:
    with pytest.raises((ExpressionError, RowFailure)):
        evaluate(compile_expression(case["expression"], ROW, "select.y"), from_rows(ROW, ROWS))
