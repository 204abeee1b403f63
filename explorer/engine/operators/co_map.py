"""Computes a new row of each row of two inputs. Mirrors ``CoStreamMap``."""

from explorer.engine.operators.map import plan_select
from explorer.engine.operators.pass_on import PassOn
from explorer.engine.steps.planned import Outcome, PlanningRequest, distinct_types
from explorer.model.row_type import SchemaError


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan ``select1`` and ``select2``; an input without one passes its rows on."""
    alike = "select1 and select2" if request.t.select1 and request.t.select2 else ""
    return plan_selects(request, alike, ", and ")


def plan_selects(request: PlanningRequest, alike: str, between: str) -> Outcome:
    """Plan a ``select`` for each input.

    ``alike`` names what must produce the same columns; empty: nothing must. ``between`` separates
    the row types in the message. Raises ``SchemaError``.
    """
    steps = [
        plan_select(request, arriving) if arriving.selected else PassOn()
        for arriving in request.arriving
    ]
    row_types = distinct_types(map(request.given_type, request.arriving))
    if alike and len(row_types) > 1:
        shown = between.join(map(str, row_types))
        msg = f"{request.label}: {alike} must give the same columns, and give {shown}"
        raise SchemaError(msg)
    return request.each(steps)
