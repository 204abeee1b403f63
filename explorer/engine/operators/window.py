"""Plans windows, keyed or not: each family of windows is an operator module of its own."""

from explorer.engine.steps.count_windows import plan_count_windows
from explorer.engine.steps.end_aggregate import plan_end_aggregate
from explorer.engine.steps.planned import Outcome, PlanningRequest
from explorer.engine.steps.window_aggregate import plan_time_windows


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the aggregates of windows; without any rows are passed on."""
    window = request.t.window
    if not request.t.aggregate:
        return Outcome()
    if window is None or window.assigner == "end_of_stream":
        return plan_end_aggregate(request)
    if window.assigner == "count":
        return plan_count_windows(request, window)
    return plan_time_windows(request, window)
