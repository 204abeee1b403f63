"""Plans a keyed process function: each shape of state is an operator module of its own."""

from collections.abc import Callable
from typing import Final

from explorer.engine.steps import after_pause, first_only, greatest, previous_value, running_column
from explorer.engine.steps.keyed import ShapedState
from explorer.engine.steps.planned import Arriving, Outcome, PlanningRequest
from explorer.engine.steps.step import Step
from explorer.model.pipeline import Shape

_SHAPES: Final[dict[Shape, Callable[[ShapedState], Step]]] = {
    "count": running_column.plan_count,
    "last": previous_value.plan_shape,
    "total": running_column.plan_total,
    "deduplicate": first_only.plan_shape,
    "top": greatest.plan_shape,
    "pause": after_pause.plan_shape,
}


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the state for each row type; without one rows are passed on."""
    state = request.t.state
    if state is None:
        return Outcome()

    def build(arriving: Arriving) -> Step:
        keys, row_type = request.keys(arriving), request.given_type(arriving)
        return _SHAPES[state.shape](
            ShapedState(
                request=request, arriving=arriving, state=state, keys=keys, row_type=row_type
            )
        )

    warning = (
        f"{request.label}: in BATCH mode Flink sorts the input of a keyed operator by key "
        "and timestamp; a trial takes rows as they come, so state may see them in another order"
    )
    steps = [build(item) for item in request.arriving]
    return request.each(steps, (warning,) if request.context.batch else ())
