"""Computes a new row of each row of two inputs. Mirrors ``CoStreamMap``."""

from collections.abc import Sequence

from explorer.engine.operators.map import plan_select
from explorer.engine.operators.pass_on import PassOn
from explorer.engine.operators.planned import (
    Arriving,
    Outcome,
    PlanningContext,
    distinct_types,
    each,
    given_type,
)
from explorer.model.pipeline import Transformation
from explorer.model.row_type import SchemaError


def plan_operator(
    t: Transformation, arriving: Sequence[Arriving], setting: PlanningContext
) -> Outcome:
    """Plan ``select1`` and ``select2``; an input without one passes its rows on."""
    alike = "select1 and select2" if t.select1 and t.select2 else ""
    return plan_selects(t, arriving, alike, ", and ")


def plan_selects(
    t: Transformation, arriving: Sequence[Arriving], alike: str, between: str
) -> Outcome:
    """Plan a ``select`` for each input.

    ``alike`` names what must produce the same columns; empty: nothing must. ``between`` separates
    the row types in the message. Raises ``SchemaError``.
    """
    outcome = each(
        arriving,
        [plan_select(t, one) if one.selected else PassOn() for one in arriving],
    )
    given = distinct_types([given_type(t, one.gives) for one in arriving])
    if alike and len(given) > 1:
        shown = between.join(map(str, given))
        msg = f"transformation {t.id!r}: {alike} must give the same columns, and give {shown}"
        raise SchemaError(msg)
    return outcome
