"""Operators that bring rows of two inputs together."""

from collections.abc import Sequence

from explorer.model.pipeline import Between, Transformation
from explorer.rows.row_type import RowType, SchemaError
from explorer.task import plan
from explorer.trial.aggregates import key_positions
from explorer.trial.work import Arriving, Outcome, Setting, given_type, where


def interval_join(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """Pairs of rows of one key within an interval; without one both inputs' rows go on."""
    if t.between is None:
        return Outcome()
    sides = {one.input: one for one in arriving}
    joined = arriving[0].joined if arriving else None
    if joined is None or len(sides) != len(arriving):
        msg = (
            f"transformation {t.id!r}: it joins rows of one type with rows of one type, and an "
            "input of it has several; give them the same columns with a select"
        )
        raise SchemaError(msg)
    join = _join(t, t.between, [sides[1], sides[2]], joined)
    return Outcome(
        steps=(
            (1, sides[1].row_type, plan.JoinSide(join=join, side=0)),
            (2, sides[2].row_type, plan.JoinSide(join=join, side=1)),
        )
    )


def _join(
    t: Transformation, between: Between, sides: Sequence[Arriving], joined: RowType
) -> plan.IntervalJoin:
    first, second = (key_positions(one.keys, one.row_type, where(t, "keys")) for one in sides)
    types = [
        [one.row_type.types[at] for at in keys]
        for one, keys in zip(sides, (first, second), strict=True)
    ]
    if types[0] != types[1]:
        shown = " and ".join(", ".join(map(str, kinds)) for kinds in types)
        msg = f"transformation {t.id!r}: its inputs have keys of different types, {shown}"
        raise SchemaError(msg)
    return plan.IntervalJoin(
        keys=(first, second),
        lower=between.lower,
        upper=between.upper,
        joined=joined,
        columns=sides[0].selected,
        row_type=given_type(t, sides[0].gives),
    )
