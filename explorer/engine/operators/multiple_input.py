"""Computes a new row of each row of many inputs. Mirrors ``MultipleInputStreamOperator``."""

from explorer.engine.operators.co_map import plan_selects
from explorer.engine.steps.planned import Outcome, PlanningRequest


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan a ``select`` for each input that has one in ``selects``."""
    return plan_selects(request, "all inputs" if request.t.selects else "", "; and ")
