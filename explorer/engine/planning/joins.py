"""Operators that bring rows of two inputs together."""

from collections.abc import Sequence

from explorer.documents.columns import brings_together
from explorer.engine import plan
from explorer.engine.planning.aggregates import column_position, key_positions
from explorer.engine.planning.keyed_work import by_the_clock, time_windows
from explorer.engine.planning.work import Arriving, Outcome, Setting, given_type, where
from explorer.engine.rows.errors import ExpressionError
from explorer.model.pipeline import Transformation
from explorer.model.row_type import RowType, SchemaError


def interval_join(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """Pairs of rows of one key within an interval; without one both inputs' rows go on."""
    if t.between is None:
        return Outcome()
    one, other, joined = _sides(t, arriving)
    join = plan.IntervalJoin(
        keys=_keys(t, one, other),
        joined=joined,
        columns=one.selected,
        row_type=given_type(t, one.gives),
        lower=t.between.lower,
        upper=t.between.upper,
    )
    return Outcome(steps=_steps(join, (1, one.row_type), (2, other.row_type)))


def _steps(
    join: plan.IntervalJoin | plan.WindowedJoin | plan.Lookup,
    one: tuple[int, RowType],
    other: tuple[int, RowType],
) -> plan.Steps:
    """The work of both sides, of which each comes on an input as rows of a type."""
    return ((*one, plan.Side(join=join, side=0)), (*other, plan.Side(join=join, side=1)))


def windowed_join(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """What the rows of both inputs in one window come to; they arrive on one input, tagged.

    Without a function, which a coGroup may lack, they go on as they came.
    """
    if not brings_together(t) or t.window is None:
        return Outcome(steps=tuple((0, _tagged(one), plan.Tag(tag=0)) for one in arriving))
    one, other, joined = _sides(t, arriving)
    sides = _tagged(one), _tagged(other)
    join = plan.WindowedJoin(
        keys=_keys(t, one, other),
        joined=joined,
        columns=one.selected,
        row_type=given_type(t, one.gives),
        windows=time_windows(t, t.window),
        function=t.group or "inner",
        sides=sides,
    )
    steps = _steps(join, (0, sides[0]), (0, sides[1]))
    return by_the_clock(t, t.window, Outcome(steps=steps), setting)


def _tagged(one: Arriving) -> RowType:
    return one.row_type.tagged(one.input)


def look_up(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """The first input's rows with what the second told; without a select all rows go on."""
    if t.select is None:
        return Outcome()
    one, other, joined = _sides(t, arriving)
    lookup = plan.Lookup(
        keys=_lookup_keys(t, one, other),
        joined=joined,
        columns=one.selected,
        row_type=given_type(t, one.gives),
        added=len(other.row_type.names),
    )
    warning = (
        f"transformation {t.id!r}: which rows of its second input are there when one of the first "
        "comes is chance in Flink; a trial takes the second input first"
    )
    steps = _steps(lookup, (1, one.row_type), (2, other.row_type))
    return Outcome(steps=steps, warnings=(warning,), first_input=2)


def _lookup_keys(
    t: Transformation, one: Arriving, other: Arriving
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if t.lookup is None:
        return _keys(t, one, other)
    mine = column_position(
        t.lookup.column, one.row_type, where(t, "lookup.column"), t.lookup.column
    )
    theirs = column_position(t.lookup.key, other.row_type, where(t, "lookup.key"), t.lookup.key)
    kinds = one.row_type.types[mine], other.row_type.types[theirs]
    if kinds[0] is not kinds[1]:
        problem = f"it is looked up by {t.lookup.column!r}, which is {kinds[0]}, and is {kinds[1]}"
        raise ExpressionError(where(t, "lookup.key"), t.lookup.key, problem)
    return (mine,), (theirs,)


def _sides(t: Transformation, arriving: Sequence[Arriving]) -> tuple[Arriving, Arriving, RowType]:
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


def _keys(
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
