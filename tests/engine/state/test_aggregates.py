"""Aggregates that a document names, and key columns."""

import pytest

from explorer.engine.rows.errors import ExpressionError
from explorer.engine.state.aggregates import Aggregate, key_positions, read_aggregates
from explorer.model.row_type import BOOLEAN, LONG, STRING, RowType
from tests.many_cases import for_each

ROW = RowType.of(k=STRING, n=LONG, b=BOOLEAN)


def test_aggregates_name_their_columns() -> None:
    found = read_aggregates({"total": "sum(n)", "all": "count(*)"}, ROW, "here", count=True)

    assert found == (
        Aggregate(name="total", function="sum", column=1),
        Aggregate(name="all", function="count", column=None),
    )


@for_each(
    ("text", "says"),
    [
        ("count(*)", r"is one of sum\(column\), min\(column\), max\(column\)"),
        ("avg(n)", "an aggregate is one of"),
        ("sum(k)", "sum does not accept 'k', which is STRING"),
        ("max(b)", "max does not accept 'b', which is BOOLEAN"),
        ("sum(m)", "there is no column 'm'; the columns are k STRING, n LONG, b BOOLEAN"),
    ],
)
def test_an_impossible_aggregate_is_refused(text: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=says):
        read_aggregates({"x": text}, ROW, "here", count=False)


def test_without_key_columns_the_whole_row_is_the_key() -> None:
    assert key_positions(None, ROW, "here") == (0, 1, 2)
    assert key_positions(("n", "k"), ROW, "here") == (1, 0)
