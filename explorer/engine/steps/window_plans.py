"""Plans windows: sizes and slides of a document, keys of a window, windows in processing time."""

from typing import Final, Literal

import msgspec

from explorer.engine.steps.drop import Drop
from explorer.engine.steps.planned import Arriving, Outcome, PlanningRequest
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Transformation, Window
from explorer.model.row_type import SchemaError

MAX_WINDOWS: Final = 100_000
"""Limit of windows of one record: a day that slides by a second has fewer."""


class TimeWindows(msgspec.Struct, frozen=True, kw_only=True):
    """Windows of time and how long they are retained."""

    assigner: Literal["tumbling", "sliding", "session"]
    size: int
    """Milliseconds; for a session the gap."""
    slide: int
    offset: int = 0
    """Milliseconds by which windows begin later than at multiples of the slide."""
    lateness: int = 0
    """Milliseconds for which a window that has ended still accepts records."""
    event_time: bool = True
    """False: every record's time is the clock's, which stands still in a run."""


def adapt_to_clock(request: PlanningRequest, window: Window, outcome: Outcome) -> Outcome:
    """Adapt the steps of windows in processing time to a run without a clock, with a warning."""
    if window.time == "event":
        return outcome
    owner = f"{request.label}: a processing-time window ends by the clock, and a trial"
    if request.context.batch:
        # At the end of each key Flink's timer service of BATCH mode fires what is left.
        warning = f"{owner} has none; all its records fall into the windows of time 0"
        return msgspec.structs.replace(outcome, warnings=(warning,))
    idle = tuple((number, row_type, Drop()) for number, row_type, _ in outcome.steps)
    warning = f"{owner} is over before; as in a short Flink job, no window fires"
    return msgspec.structs.replace(outcome, steps=idle, warnings=(warning,))


def window_keys(request: PlanningRequest, arriving: Arriving) -> tuple[int, ...]:
    """Return the positions of the key columns; none where a window holds a subtask's rows."""
    if KINDS[request.t.type].key_selector in {"constant", "none"}:
        return ()
    return request.keys(arriving)


def plan_windows(t: Transformation, window: Window) -> TimeWindows:
    """Plan windows of time; raises ``SchemaError`` for any others, and for a size of 0."""
    if window.assigner == "count" or window.assigner == "end_of_stream":  # noqa: PLR1714 - narrows
        msg = f"transformation {t.id!r}: a {t.type} takes tumbling, sliding or session windows"
        raise SchemaError(msg)
    size, slide = size_and_slide(t.id, window)
    return TimeWindows(
        assigner=window.assigner,
        size=size,
        slide=slide,
        offset=window.offset or 0,
        lateness=window.allowed_lateness or 0,
        event_time=window.time == "event",
    )


def size_and_slide(id: str, window: Window) -> tuple[int, int]:
    """Return the window's size and slide; for a session its gap, twice."""
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
