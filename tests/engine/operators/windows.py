"""Aggregates over windows that several tests use, and records for them."""

from typing import Literal

from hypothesis import strategies as st

from explorer.engine.state.aggregates import Aggregate
from explorer.engine.steps.window_aggregate import WindowAggregate
from explorer.engine.steps.window_plans import TimeWindows
from explorer.model.row_type import LONG, STRING, RowType

ROW = RowType.of(k=STRING, n=LONG)
RESULT = RowType.of(k=STRING, window_start=LONG, window_end=LONG, c=LONG, s=LONG, m=LONG)
Assigner = Literal["tumbling", "sliding", "session"]

RECORDS = st.tuples(st.sampled_from(("a", "b")), st.integers(-3, 3), st.integers(-30, 60))


def window_plan(assigner: Assigner, size: int, slide: int, lateness: int = 0) -> WindowAggregate:
    """Count, sum and maximum of ``n`` by ``k``."""
    return WindowAggregate(
        keys=(0,),
        aggregates=(
            Aggregate(name="c", function="count", column=None),
            Aggregate(name="s", function="sum", column=1),
            Aggregate(name="m", function="max", column=1),
        ),
        windows=TimeWindows(assigner=assigner, size=size, slide=slide, lateness=lateness),
        row_type=RESULT,
    )
