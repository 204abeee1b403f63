"""What does a keyed process function do with its rows? A builder for each shape of its state."""

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.engine import plan
from explorer.engine.planning.aggregates import column_position, key_positions
from explorer.engine.planning.work import Arriving, Outcome, Setting, each, given_type, where
from explorer.engine.rows.errors import ExpressionError
from explorer.model.pipeline import KeyedState, Shape, Transformation
from explorer.model.row_type import DOUBLE, LONG, RowType


class _Keyed(msgspec.Struct, frozen=True, kw_only=True):
    """A state on rows of one type."""

    t: Transformation
    one: Arriving
    state: KeyedState
    keys: tuple[int, ...]

    @property
    def row_type(self) -> RowType:
        """Of what goes on; raises ``SchemaError``."""
        return given_type(self.t, self.one.gives)

    @property
    def column(self) -> int:
        """The position of the column that it looks at."""
        name = self.state.column or ""
        return column_position(name, self.one.row_type, where(self.t, "state.column"), name)

    @property
    def number(self) -> int:
        """The same where it must be a number."""
        at = self.column
        kind = self.one.row_type.types[at]
        if kind not in (LONG, DOUBLE):
            problem = f"{self.state.shape} takes a LONG or DOUBLE column, and this is {kind}"
            raise ExpressionError(where(self.t, "state.column"), self.state.column or "", problem)
        return at


_Make: TypeAlias = Callable[[_Keyed], plan.Step]


def keyed_process(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """Keyed state of one shape; without one rows go on unchanged."""
    if t.state is None:
        return Outcome()
    state = t.state

    def build(one: Arriving) -> plan.Step:
        keys = key_positions(one.keys, one.row_type, where(t, "keys"))
        return _STEPS[state.shape](_Keyed(t=t, one=one, state=state, keys=keys))

    outcome = each(arriving, build)
    if not setting.batch:
        return outcome
    warning = (
        f"transformation {t.id!r}: in BATCH mode Flink sorts the input of a keyed operator by key "
        "and timestamp; a trial takes rows as they come, so state may see them in another order"
    )
    return msgspec.structs.replace(outcome, warnings=(warning,))


def _running(keyed: _Keyed, function: Literal["count", "sum"]) -> plan.Step:
    aggregate = plan.Aggregate(
        name=keyed.row_type.names[-1],
        function=function,
        column=None if function == "count" else keyed.number,
    )
    return plan.RunningColumn(keys=keyed.keys, aggregate=aggregate, row_type=keyed.row_type)


def _previous(keyed: _Keyed) -> plan.Step:
    return plan.PreviousValue(keys=keyed.keys, column=keyed.column, row_type=keyed.row_type)


def _first_only(keyed: _Keyed) -> plan.Step:
    more = () if keyed.state.column is None else (keyed.column,)
    return plan.FirstOnly(columns=(*keyed.keys, *more))


def _greatest(keyed: _Keyed) -> plan.Step:
    column, size = keyed.number, keyed.state.size or 1
    return plan.Greatest(keys=keyed.keys, column=column, size=size, row_type=keyed.row_type)


def _after_pause(keyed: _Keyed) -> plan.Step:
    gap = keyed.state.gap or 1
    return plan.AfterPause(keys=keyed.keys, gap=gap, row_type=keyed.row_type)


_STEPS: Final[dict[Shape, _Make]] = {
    "count": lambda keyed: _running(keyed, "count"),
    "last": _previous,
    "total": lambda keyed: _running(keyed, "sum"),
    "deduplicate": _first_only,
    "top": _greatest,
    "pause": _after_pause,
}
