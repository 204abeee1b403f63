"""Plans windows, keyed or not: each family of windows is an operator module of its own."""

from collections.abc import Sequence

from explorer.engine.operators.count_windows import plan_count_windows
from explorer.engine.operators.end_aggregate import plan_end_aggregate
from explorer.engine.operators.planned import Arriving, Outcome, PlanningContext
from explorer.engine.operators.window_aggregate import plan_time_windows
from explorer.model.pipeline import Transformation


def plan_operator(
    t: Transformation, arriving: Sequence[Arriving], setting: PlanningContext
) -> Outcome:
    """Plan the aggregates of windows; without any rows are passed on."""
    if not t.aggregate:
        return Outcome()
    if t.window is None or t.window.assigner == "end_of_stream":
        return plan_end_aggregate(t, arriving)
    if t.window.assigner == "count":
        return plan_count_windows(t, t.window, arriving)
    return plan_time_windows(t, t.window, arriving, setting)
