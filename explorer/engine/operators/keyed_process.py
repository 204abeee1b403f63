"""Plans a keyed process function: each shape of state is an operator module of its own."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from explorer.engine.operators import (
    after_pause,
    first_only,
    greatest,
    previous_value,
    running_column,
)
from explorer.engine.operators.aggregates import key_positions
from explorer.engine.operators.keyed import ShapedState
from explorer.engine.operators.planned import Arriving, Outcome, PlanningContext, each, where
from explorer.engine.operators.step import Step
from explorer.model.pipeline import Shape, Transformation

_SHAPES: Final[dict[Shape, Callable[[ShapedState], Step]]] = {
    "count": running_column.plan_count,
    "last": previous_value.plan_shape,
    "total": running_column.plan_total,
    "deduplicate": first_only.plan_shape,
    "top": greatest.plan_shape,
    "pause": after_pause.plan_shape,
}


def plan_operator(
    t: Transformation, arriving: Sequence[Arriving], setting: PlanningContext
) -> Outcome:
    """Plan the state for each row type; without one rows are passed on."""
    if t.state is None:
        return Outcome()
    state = t.state

    def build(one: Arriving) -> Step:
        keys = key_positions(one.keys, one.row_type, where(t, "keys"))
        return _SHAPES[state.shape](ShapedState(t=t, one=one, state=state, keys=keys))

    outcome = each(arriving, [build(one) for one in arriving])
    if not setting.batch:
        return outcome
    warning = (
        f"transformation {t.id!r}: in BATCH mode Flink sorts the input of a keyed operator by key "
        "and timestamp; a trial takes rows as they come, so state may see them in another order"
    )
    return msgspec.structs.replace(outcome, warnings=(warning,))
