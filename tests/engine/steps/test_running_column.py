"""State shapes ``count`` and ``total``: an aggregate that goes up record by record."""

from typing import Any

from hypothesis import given

from explorer.engine.state.aggregates import Aggregate
from explorer.engine.steps.running_column import RunningColumn
from tests.engine.operators.steps import BATCHES, MORE, Given, emitted, records

SUM = Aggregate(name="made", function="sum", column=1)
COUNT = Aggregate(name="made", function="count", column=None)


@given(BATCHES)
def test_running_columns_go_up_record_by_record(given: Given) -> None:
    counts: dict[str, int] = {}
    sums: dict[str, int | None] = {}
    wanted: dict[str, list[list[Any]]] = {"count": [], "sum": []}
    for k, n, time in records(given):
        counts[k] = counts.get(k, 0) + 1
        before = sums.get(k)
        sums[k] = before if n is None else n + (before or 0)
        wanted["count"].append([k, n, counts[k], time])
        wanted["sum"].append([k, n, sums[k], time])

    for aggregate in (COUNT, SUM):
        step = RunningColumn(keys=(0,), aggregate=aggregate, row_type=MORE)
        assert emitted(step, given) == wanted[aggregate.function]
