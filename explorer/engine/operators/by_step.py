"""From the plan of an operator to the thing that does its work."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from explorer.engine import plan
from explorer.engine.operators.collector import Collector, FedBack
from explorer.engine.operators.count_windows import CountWindows
from explorer.engine.operators.end_aggregate import EndAggregate
from explorer.engine.operators.event_time import AssignTimestamps
from explorer.engine.operators.interval_join import IntervalJoin
from explorer.engine.operators.keyed_process import (
    AfterPause,
    FirstOnly,
    Greatest,
    PreviousValue,
    RunningColumn,
)
from explorer.engine.operators.lookup import Lookup
from explorer.engine.operators.reduce import Reduce
from explorer.engine.operators.stateless import Stateless
from explorer.engine.operators.step import Emission, Share, Step
from explorer.engine.operators.synthetic import Synthetic
from explorer.engine.operators.windowed_join import WindowedJoin
from explorer.engine.operators.windows import WindowAggregate
from explorer.engine.rows.batch import Batch
from explorer.model.row_type import RowType

_Join: TypeAlias = IntervalJoin | WindowedJoin | Lookup
_JOINS: Final[dict[type[plan.Join], Callable[[str, Any], _Join]]] = {
    plan.IntervalJoin: IntervalJoin,
    plan.WindowedJoin: WindowedJoin,
    plan.Lookup: Lookup,
}
"""By what brings rows of two inputs together, its work, which both sides share."""


class _Side:
    """One input's part in the work of an operator of two."""

    def __init__(self, operator: str, step: plan.Side, _: RowType, share: Share) -> None:
        self._side = step.side
        if "both sides" not in share.common:
            share.common["both sides"] = _JOINS[type(step.join)](operator, step.join)
        self._join: _Join = share.common["both sides"]

    def process(self, batch: Batch) -> list[Emission]:
        """What comes of these rows, and of those of both inputs before them."""
        return self._join.process(batch, self._side)

    def advance(self, time: int) -> list[Emission]:
        """What waited for the watermark."""
        return self._join.advance(time, self._side)


_MAKERS: Final[dict[type[plan.Step], Callable[[str, Any, RowType, Share], Step]]] = {
    plan.FeedBack: lambda *_: FedBack(),
    plan.AssignTimestamps: lambda operator, step, _, share: AssignTimestamps(operator, step, share),
    plan.Reduce: lambda _, step, *__: Reduce(step),
    plan.WindowAggregate: lambda operator, step, row, _: WindowAggregate(operator, step, row),
    plan.EndAggregate: lambda _, step, row, __: EndAggregate(step, row),
    plan.CountWindows: lambda _, step, row, __: CountWindows(step, row),
    plan.RunningColumn: lambda _, step, row, __: RunningColumn(step, row),
    plan.PreviousValue: lambda _, step, *__: PreviousValue(step),
    plan.FirstOnly: lambda _, step, *__: FirstOnly(step),
    plan.Greatest: lambda _, step, *__: Greatest(step),
    plan.AfterPause: lambda operator, step, *_: AfterPause(operator, step),
    plan.Side: _Side,
    plan.Synthesize: lambda _, step, __, share: Synthetic(step, share),
    plan.Collect: lambda _, step, row, share: Collector(step, row, share),
}
"""One row a step that keeps something, or waits for something."""


def make_step(operator: str, step: plan.Step, row_type: RowType, share: Share) -> Step:
    """The work of one step of ``operator`` on rows of ``row_type``, in one subtask of its task."""
    make = _MAKERS.get(type(step))
    return Stateless(operator, step) if make is None else make(operator, step, row_type, share)
