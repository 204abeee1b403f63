"""Operators that keep state by key and time: reduce, timestamps, windows."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec

from explorer.engine import plan
from explorer.engine.planning.aggregates import (
    aggregates,
    column_position,
    key_positions,
    reduce_aggregates,
)
from explorer.engine.planning.work import (
    Arriving,
    Outcome,
    Setting,
    distinct_types,
    each,
    given_type,
    where,
)
from explorer.engine.rows.errors import ExpressionError
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Transformation, Window
from explorer.model.row_type import LONG, SchemaError

MAX_WINDOWS: Final = 100_000
"""Windows that one record falls into: as a day that slides by a second."""


def reduce(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """A rolling aggregate of a keyed stream."""
    if not t.aggregate and not setting.batch:
        return Outcome()
    texts = t.aggregate or {}

    def build(one: Arriving) -> plan.Step:
        return plan.Reduce(
            keys=key_positions(one.keys, one.row_type, where(t, "keys")),
            aggregates=reduce_aggregates(texts, one.row_type, where(t, "aggregate")),
            row_type=one.row_type,
            final_only=setting.batch,
        )

    return each(arriving, build)


def timestamps(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """Event time from a column."""
    if t.timestamps is None:
        return Outcome()
    times = t.timestamps
    place = where(t, "timestamps.column")

    def build(one: Arriving) -> plan.Step:
        column = column_position(times.column, one.row_type, place, times.column)
        if one.row_type.types[column] is not LONG:
            problem = f"a timestamp is LONG milliseconds, and this is {one.row_type.types[column]}"
            raise ExpressionError(place, times.column, problem)
        trails = times.out_of_orderness if times.watermarks == "punctuated" else None
        return plan.AssignTimestamps(column=column, punctuated=trails)

    outcome = each(arriving, build)
    if times.idleness is None:
        return outcome
    warning = (
        f"transformation {t.id!r}: a source is idle by the clock, and a trial has none; as in a "
        "short Flink job, none becomes idle"
    )
    return msgspec.structs.replace(outcome, warnings=(warning,))


def window(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """Aggregates by window, keyed or not."""
    if not t.aggregate:
        return Outcome()
    if t.window is None or t.window.assigner == "end_of_stream":
        return each(arriving, partial(_end_step, t))
    outcome = each(arriving, partial(_window_step, t, t.window))
    if t.window.assigner == "count":
        return outcome
    if t.window.late_output is not None:
        tagged = {t.window.late_output: distinct_types(one.row_type for one in arriving)}
        outcome = msgspec.structs.replace(outcome, tagged=tagged)
    return by_the_clock(t, t.window, outcome, setting)


def by_the_clock(t: Transformation, window: Window, outcome: Outcome, setting: Setting) -> Outcome:
    """The work of windows, with what a trial makes of those in processing time."""
    if window.time == "event":
        return outcome
    who = f"transformation {t.id!r}: a processing-time window ends by the clock, and a trial"
    if setting.batch:
        # At the end of each key Flink's timer service of BATCH mode fires what is left.
        warning = f"{who} has none; all its records fall into the windows of time 0"
        return msgspec.structs.replace(outcome, warnings=(warning,))
    idle = tuple((number, row_type, plan.Drop()) for number, row_type, _ in outcome.steps)
    warning = f"{who} is over before; as in a short Flink job, no window fires"
    return msgspec.structs.replace(outcome, steps=idle, warnings=(warning,))


def _window_keys(t: Transformation, one: Arriving) -> tuple[int, ...]:
    """The positions of the key columns; none where a window holds the rows of a whole subtask."""
    if KINDS[t.type].key_selector in {"constant", "none"}:
        return ()
    return key_positions(one.keys, one.row_type, where(t, "keys"))


def _end_step(t: Transformation, one: Arriving) -> plan.Step:
    return plan.EndAggregate(
        keys=_window_keys(t, one),
        aggregates=aggregates(t.aggregate or {}, one.row_type, where(t, "aggregate"), count=True),
        row_type=given_type(t, one.gives),
        in_window=KINDS[t.type].key_selector != "none",
    )


def _window_step(t: Transformation, window: Window, one: Arriving) -> plan.Step:
    keys = _window_keys(t, one)
    found = aggregates(t.aggregate or {}, one.row_type, where(t, "aggregate"), count=True)
    if window.assigner == "count":
        size, slide = _size(t.id, window)
        row_type = given_type(t, one.gives)
        return plan.CountWindows(
            keys=keys, aggregates=found, size=size, slide=slide, row_type=row_type
        )
    return plan.WindowAggregate(
        keys=keys,
        aggregates=found,
        windows=time_windows(t, window),
        row_type=given_type(t, one.gives),
        late_output=window.late_output,
    )


def time_windows(t: Transformation, window: Window) -> plan.TimeWindows:
    """Windows that time ends; raises ``SchemaError`` for any others, and for a size of 0."""
    if window.assigner == "count" or window.assigner == "end_of_stream":  # noqa: PLR1714 - narrows
        msg = f"transformation {t.id!r}: a {t.type} takes tumbling, sliding or session windows"
        raise SchemaError(msg)
    size, slide = _size(t.id, window)
    return plan.TimeWindows(
        assigner=window.assigner,
        size=size,
        slide=slide,
        lateness=window.allowed_lateness or 0,
        event_time=window.time == "event",
    )


def _size(id: str, window: Window) -> tuple[int, int]:
    """The window's size and slide; of a session its gap, twice."""
    size = window.gap if window.assigner == "session" else window.size
    slide = window.slide if window.slide is not None else size
    if not size or not slide or size <= 0 or slide <= 0:
        field = "gap" if window.assigner == "session" else "size"
        field = "slide" if size and not slide else field
        msg = f"transformation {id!r}: a {window.assigner} window needs a {field} above 0"
        raise SchemaError(msg)
    if -(-size // slide) > MAX_WINDOWS:
        msg = (
            f"transformation {id!r}: each record would fall into {-(-size // slide):,} windows, "
            f"and a trial takes at most {MAX_WINDOWS:,}; use a longer slide or a smaller size"
        )
        raise SchemaError(msg)
    return size, slide
