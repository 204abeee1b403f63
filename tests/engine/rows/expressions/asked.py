"""Rows that the tests of expressions compute over, and the values of an expression."""

from typing import Any

from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.expressions.evaluator import evaluate
from explorer.engine.rows.expressions.kernel import BatchRows
from explorer.engine.rows.expressions.parser import compile_expression
from explorer.engine.rows.sizes import Budget
from explorer.model.row_type import parse_schema

ROW = parse_schema("n LONG, k LONG, x DOUBLE, w STRING, b BOOLEAN")
TOP, BOTTOM = 2**63 - 1, -(2**63)
ROWS = from_rows(
    ROW,
    [
        (7, 0, 1.5, "Hello wörld", True),
        (-7, 3, -2.5, "", False),
        (None, 5, None, None, None),
        (TOP, -2, 2.0, " 42 ", True),
    ],
)


def values(text: str) -> list[Any]:
    """The values of an expression, one a row of ``ROWS``."""
    found: list[Any] = evaluate(compile_expression(text, ROW, "select.y"), ROWS).to_pylist()
    return found


def asked(count: int) -> BatchRows:
    """So many rows, of which every one matters."""
    return BatchRows(count, Budget())
