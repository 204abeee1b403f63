"""What keyed steps share: their words, and a column more."""

import numpy as np
import pyarrow as pa

from explorer.engine.operators.reduce import Reduce
from explorer.engine.rows.batch import from_rows
from explorer.engine.state.aggregates import Aggregate
from explorer.engine.steps.keyed import by_functions, by_keys, extended
from explorer.model.row_type import LONG, STRING, RowType

ROW = RowType.of(k=STRING, w=STRING, n=LONG)
SUM = Aggregate(name="n", function="sum", column=2)
LEAST = Aggregate(name="least", function="min", column=2)


def reduced(*keys: int) -> Reduce:
    """A reduce with these key columns."""
    return Reduce(keys=keys, aggregates=(SUM, LEAST), row_type=ROW)


def test_key_columns_are_named_in_their_order() -> None:
    assert by_keys(reduced(1, 0)) == " by w and k"
    assert by_keys(reduced()) == ""


def test_aggregates_are_named_with_their_functions() -> None:
    assert by_functions(reduced(0), (SUM, LEAST)) == "n by sum and least by min by k"


def test_a_column_more_leaves_the_records_as_they_are() -> None:
    batch = from_rows(ROW, [["a", "x", 1], ["b", "y", 2]]).with_timestamps(np.array([5, 6]))
    more = RowType.of(k=STRING, w=STRING, n=LONG, twice=LONG)
    wider = extended(batch, more, pa.array([2, 4]))

    assert [list(row) for row in wider.rows()] == [["a", "x", 1, 2], ["b", "y", 2, 4]]
    assert wider.timestamps is not None
    assert wider.timestamps.tolist() == [5, 6]
