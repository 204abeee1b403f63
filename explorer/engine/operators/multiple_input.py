"""Computes a new row of each row of many inputs. Mirrors ``MultipleInputStreamOperator``."""

from collections.abc import Sequence

from explorer.engine.operators.co_map import plan_selects
from explorer.engine.operators.planned import Arriving, Outcome, PlanningContext
from explorer.model.pipeline import Transformation


def plan_operator(
    t: Transformation, arriving: Sequence[Arriving], setting: PlanningContext
) -> Outcome:
    """Plan a ``select`` for each input that has one in ``selects``."""
    return plan_selects(t, arriving, "all inputs" if t.selects else "", "; and ")
