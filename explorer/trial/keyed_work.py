"""Operators that keep state by key and time: reduce, timestamps, windows."""

from collections.abc import Sequence

import msgspec

from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Transformation
from explorer.rows.errors import ExpressionError
from explorer.rows.row_type import LONG, RowType, SchemaError, checked
from explorer.task import plan
from explorer.trial.aggregates import aggregates, column_position, key_positions, reduce_aggregates
from explorer.trial.work import Arriving, Outcome, Setting, each, pass_on, where


def reduce(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """A rolling aggregate of a keyed stream."""
    if not t.aggregate and not setting.batch:
        return pass_on(t, arriving, setting)
    texts = t.aggregate or {}

    def build(one: Arriving) -> tuple[plan.Step, RowType]:
        step = plan.Reduce(
            keys=key_positions(one.keys, one.row_type, where(t, "keys")),
            aggregates=reduce_aggregates(texts, one.row_type, where(t, "aggregate")),
            row_type=one.row_type,
            final_only=setting.batch,
        )
        return step, one.row_type

    return each(arriving, build)


def timestamps(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """Event time from a column."""
    if t.timestamps is None:
        return pass_on(t, arriving, setting)
    times = t.timestamps
    place = where(t, "timestamps.column")

    def build(one: Arriving) -> tuple[plan.Step, RowType]:
        column = column_position(times.column, one.row_type, place, times.column)
        if one.row_type.types[column] is not LONG:
            problem = f"a timestamp is LONG milliseconds, and this is {one.row_type.types[column]}"
            raise ExpressionError(place, times.column, problem)
        step = plan.AssignTimestamps(column=column)
        return step, one.row_type

    return each(arriving, build)


def window(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """Aggregates by window, keyed or not."""
    if not t.aggregate or t.window is None:
        return pass_on(t, arriving, setting)
    outcome = each(arriving, lambda one: _window_step(t, one))
    if t.window.time == "event":
        return outcome
    who = f"transformation {t.id!r}: a processing-time window ends by the clock, and a trial"
    if setting.batch:
        # At the end of each key Flink's timer service of BATCH mode fires what is left.
        warning = f"{who} has none; all its records fall into the windows of time 0"
        return msgspec.structs.replace(outcome, warnings=(warning,))
    idle = tuple((number, row_type, plan.Drop()) for number, row_type, _ in outcome.steps)
    warning = f"{who} is over before; as in a short Flink job, no window fires"
    return msgspec.structs.replace(outcome, steps=idle, warnings=(warning,))


def _window_step(t: Transformation, one: Arriving) -> tuple[plan.Step, RowType]:
    assert t.window is not None  # noqa: S101 - the caller asked
    keys: tuple[int, ...] = ()
    if KINDS[t.type].key_selector != "constant":
        keys = key_positions(one.keys, one.row_type, where(t, "keys"))
    found = aggregates(t.aggregate or {}, one.row_type, where(t, "aggregate"), count=True)
    result = _window_row(one.row_type, keys, found, t.id)
    size, slide = _window_size(t)
    step = plan.WindowAggregate(
        keys=keys,
        aggregates=found,
        assigner=t.window.assigner,
        size=size,
        slide=slide,
        row_type=result,
        event_time=t.window.time == "event",
    )
    return step, result


def _window_row(
    row: RowType, keys: tuple[int, ...], found: Sequence[plan.Aggregate], who: str
) -> RowType:
    """The key columns, the window's ends, then the aggregates."""
    kinds = [LONG if one.column is None else row.types[one.column] for one in found]
    try:
        return checked(
            RowType(
                names=(
                    *(row.names[key] for key in keys),
                    "window_start",
                    "window_end",
                    *(one.name for one in found),
                ),
                types=(*(row.types[key] for key in keys), LONG, LONG, *kinds),
            )
        )
    except SchemaError as error:
        msg = f"transformation {who!r}: {error}"
        raise SchemaError(msg) from None


def _window_size(t: Transformation) -> tuple[int, int]:
    """The window's size and slide; of a session its gap, twice."""
    assert t.window is not None  # noqa: S101 - the caller asked
    window = t.window
    size = window.gap if window.assigner == "session" else window.size
    slide = window.slide if window.assigner == "sliding" else size
    if not size or not slide or size <= 0 or slide <= 0:
        field = "gap" if window.assigner == "session" else "size"
        field = "slide" if size and not slide else field
        msg = f"transformation {t.id!r}: a {window.assigner} window needs a {field} above 0"
        raise SchemaError(msg)
    return size, slide
