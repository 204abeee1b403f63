"""From the plan of an operator to the thing that does its work."""

from collections.abc import Callable
from typing import Any, Final

from explorer.rows.row_type import RowType
from explorer.task import plan
from explorer.task.operators import stateless
from explorer.task.operators.reduce import Reduce
from explorer.task.operators.step import Collector, Step
from explorer.task.operators.windows import WindowAggregate

_MAKERS: Final[dict[type[plan.Step], Callable[[str, Any, RowType], Step]]] = {
    plan.PassOn: lambda _operator, _step, _row: stateless.pass_on(),
    plan.Drop: lambda _operator, _step, _row: stateless.drop(),
    plan.Select: lambda operator, step, _row: stateless.select(operator, step),
    plan.Where: lambda operator, step, _row: stateless.where(operator, step),
    plan.SplitText: lambda operator, step, _row: stateless.split_text(operator, step),
    plan.Route: lambda operator, step, _row: stateless.route(operator, step),
    plan.AssignTimestamps: lambda operator, step, _row: stateless.assign_timestamps(operator, step),
    plan.Reduce: lambda _operator, step, _row: Reduce(step),
    plan.WindowAggregate: WindowAggregate,
    plan.Collect: lambda _operator, step, _row: Collector(step),
}
"""One row a step."""


def make_step(operator: str, step: plan.Step, row_type: RowType) -> Step:
    """The work of one step of ``operator`` on rows of ``row_type``."""
    return _MAKERS[type(step)](operator, step, row_type)
