"""Fields, planning and work that all joins of two inputs share."""

from typing import Literal, Protocol, TypeAlias

import msgspec

from explorer.engine.rows.batch import Batch, Column, Longs
from explorer.engine.rows.expressions.ir import Expression
from explorer.engine.rows.origins import Origins
from explorer.engine.steps.planned import Arriving, PlanningRequest
from explorer.engine.steps.step import Step, Steps
from explorer.engine.steps.step_work import Emission, SubtaskContext, evaluate_select
from explorer.model.row_type import RowType, SchemaError

SideNumber: TypeAlias = Literal[0, 1]
Keys: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The positions of the key columns by side."""


class Join(msgspec.Struct, frozen=True, kw_only=True):
    """Fields of one input's step of a join; the steps of both inputs differ in ``side`` alone."""

    side: SideNumber
    keys: Keys
    joined: RowType
    """The columns of both rows."""
    columns: tuple[Expression, ...]
    """The expressions of its ``select``; none: the rows go on as they are."""
    row_type: RowType

    def emit(
        self,
        operator: str,
        columns: tuple[Column, ...],
        times: Longs | None,
        origins: Origins | None,
    ) -> Batch:
        """Evaluate the ``select`` on the columns of both rows."""
        batch = Batch(self.joined, columns, times, origins)
        return evaluate_select(operator, self.columns, self.row_type, batch)


class JoinWork(Protocol):
    """The work that both sides of a join share in one subtask."""

    def process(self, batch: Batch, side: int) -> list[Emission]:
        """Process records of one side; return what is emitted."""

    def advance(self, time: int, side: int) -> list[Emission]:
        """Process a watermark; return what is emitted before it."""


class SideWork:
    """One input's part of the work of a join."""

    def __init__(self, join: JoinWork, side: SideNumber, share: SubtaskContext) -> None:
        """``join`` is dropped where the other side has already shared its own."""
        self._join: JoinWork = share.common.setdefault("both sides", join)
        self._side = side

    def process(self, batch: Batch) -> list[Emission]:
        return self._join.process(batch, self._side)

    def advance(self, time: int) -> list[Emission]:
        return self._join.advance(time, self._side)


def steps_of(join: Step, pair: tuple[int, RowType], other_pair: tuple[int, RowType]) -> Steps:
    """Return the steps of both sides, each on an input for rows of a type; ``join``: of side 0."""
    return ((*pair, join), (*other_pair, msgspec.structs.replace(join, side=1)))


def both_sides(request: PlanningRequest) -> tuple[Arriving, Arriving, RowType]:
    """Return the rows of each input, and the columns of both; raises ``SchemaError``."""
    sides = {arriving.input: arriving for arriving in request.arriving}
    joined = request.arriving[0].joined if request.arriving else None
    if joined is None or len(sides) != len(request.arriving):
        msg = (
            f"{request.label}: it brings rows of one type together with rows of one type, "
            "and an input of it has several; give them the same columns with a select"
        )
        raise SchemaError(msg)
    return sides[1], sides[2], joined


def join_keys(request: PlanningRequest, arriving: Arriving, other_arriving: Arriving) -> Keys:
    """Return the key columns of both inputs; raises ``SchemaError`` where their types differ."""
    first, second = request.keys(arriving), request.keys(other_arriving)
    types = arriving.row_type.pick(first).types, other_arriving.row_type.pick(second).types
    if types[0] != types[1]:
        shown = " and ".join(", ".join(map(str, kinds)) for kinds in types)
        msg = f"{request.label}: its inputs have keys of different types, {shown}"
        raise SchemaError(msg)
    return first, second
