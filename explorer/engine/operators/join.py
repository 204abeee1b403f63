"""Fields, planning and work that all joins of two inputs share."""

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

import msgspec

from explorer.engine.operators.aggregates import key_positions
from explorer.engine.operators.planned import Arriving, where
from explorer.engine.operators.step import Step, Steps
from explorer.engine.operators.step_work import Emission, Share
from explorer.engine.rows.batch import Batch
from explorer.engine.rows.expressions.ir import Expression
from explorer.model.pipeline import Transformation
from explorer.model.row_type import RowType, SchemaError

SideNumber: TypeAlias = Literal[0, 1]


class Join(msgspec.Struct, frozen=True, kw_only=True):
    """Fields of one input's step of a join; the steps of both inputs differ in ``side`` alone."""

    side: SideNumber
    keys: tuple[tuple[int, ...], tuple[int, ...]]
    """The positions of the key columns by side."""
    joined: RowType
    """The columns of both rows."""
    columns: tuple[Expression, ...]
    """The expressions of its ``select``; none: the rows go on as they are."""
    row_type: RowType


class JoinWork(Protocol):
    """The work that both sides of a join share in one subtask."""

    def process(self, batch: Batch, side: int) -> list[Emission]:
        """Process records of one side; return what is emitted."""

    def advance(self, time: int, side: int) -> list[Emission]:
        """Process a watermark; return what is emitted before it."""


class SideWork:
    """One input's part of the work of a join."""

    def __init__(self, join: JoinWork, side: SideNumber, share: Share) -> None:
        """``join`` is dropped where the other side has already shared its own."""
        self._join: JoinWork = share.common.setdefault("both sides", join)
        self._side = side

    def process(self, batch: Batch) -> list[Emission]:
        """Process records; return what is emitted."""
        return self._join.process(batch, self._side)

    def advance(self, time: int) -> list[Emission]:
        """Process a watermark; return what is emitted before it."""
        return self._join.advance(time, self._side)


def steps_of(join: Step, one: tuple[int, RowType], other: tuple[int, RowType]) -> Steps:
    """Return the steps of both sides, each on an input for rows of a type; ``join``: of side 0."""
    return ((*one, join), (*other, msgspec.structs.replace(join, side=1)))


def both_sides(
    t: Transformation, arriving: Sequence[Arriving]
) -> tuple[Arriving, Arriving, RowType]:
    """What reaches each input, and the columns of both."""
    sides = {one.input: one for one in arriving}
    joined = arriving[0].joined if arriving else None
    if joined is None or len(sides) != len(arriving):
        msg = (
            f"transformation {t.id!r}: it brings rows of one type together with rows of one type, "
            "and an input of it has several; give them the same columns with a select"
        )
        raise SchemaError(msg)
    return sides[1], sides[2], joined


def join_keys(
    t: Transformation, one: Arriving, other: Arriving
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The key columns of both inputs, which are of the same types."""
    sides = one, other
    first, second = (key_positions(side.keys, side.row_type, where(t, "keys")) for side in sides)
    types = [
        [side.row_type.types[at] for at in keys]
        for side, keys in zip(sides, (first, second), strict=True)
    ]
    if types[0] != types[1]:
        shown = " and ".join(", ".join(map(str, kinds)) for kinds in types)
        msg = f"transformation {t.id!r}: its inputs have keys of different types, {shown}"
        raise SchemaError(msg)
    return first, second
