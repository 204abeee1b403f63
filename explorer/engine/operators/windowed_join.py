"""Rows of two inputs with one key and one window, brought together when the window ends.

Mirrors ``WindowOperator`` with the ``ListState`` that ``CoGroupedStreams`` gives it: a window
retains the rows of both inputs, and passes all of them to the function each time it fires.
"""

from collections.abc import Iterator
from itertools import chain
from typing import ClassVar, Final, Literal, NamedTuple

import numpy as np

from explorer.documents.checks.columns import brings_together
from explorer.engine.rows.batch import Batch, Bools, Longs, empty
from explorer.engine.rows.origins import Descent, Origins
from explorer.engine.state.aggregate_state import KeyRows, at_once
from explorer.engine.state.buffered_rows import BufferedRows, Part
from explorer.engine.steps.join import Join, SideWork, both_sides, join_keys, steps_of
from explorer.engine.steps.pairs import Fires, JoinSide, counts, pairs
from explorer.engine.steps.planned import Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import (
    MIN_WATERMARK,
    DropsLate,
    Emission,
    SubtaskContext,
    later,
)
from explorer.engine.steps.tag import Tag
from explorer.engine.steps.time_windows import (
    NOT_DUE,
    due_sessions,
    over_at,
    session_of_last,
    window_starts,
    window_times,
)
from explorer.engine.steps.window_plans import TimeWindows, adapt_to_clock, plan_windows
from explorer.java_numbers import LONG_MAX
from explorer.model.row_type import RowType

_PAIRED: Final = {
    "inner": "each row of the first input in it goes on with each of the second",
    "left_outer": "each row of the first input goes on with each of the second, or with NULLs",
    "right_outer": "each row of the second input goes on with each of the first, or with NULLs",
    "full_outer": "each row goes on with each of the other input, or with NULLs",
    "count": "it holds the number of records of each input",
}
"""The result for one window by function, as part of a sentence."""


class WindowedJoin(Join, Step, frozen=True, kw_only=True):
    """Bring rows of two inputs together that have one key and one window."""

    verb: ClassVar = "puts it into windows"
    traits = Traits(order_sensitive=True, emits_each=False)
    windows: TimeWindows
    function: Literal["inner", "count", "left_outer", "right_outer", "full_outer"]
    """The pairs of rows that it emits, or that it counts them."""
    sides: tuple[RowType, RowType]

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> SideWork:
        return SideWork(WindowedJoinWork(operator, self), self.side, share)

    def explain_emission(self, emitted: Emitted) -> str:
        return (
            f"It stores the row in its {self.windows.assigner} windows, and as one ends, "
            f"{_PAIRED[self.function]}."
        )

    def explain_silence(self) -> str:
        return "Its windows have no row of its key on the other input, or were over when it came."


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the join of rows of both inputs, which arrive on one input, tagged.

    Without a function, which a coGroup may lack, rows are passed on without their tags.
    """
    t = request.t
    tagged = [item.row_type.tagged(item.input) for item in request.arriving]
    if not brings_together(t) or t.window is None:
        return Outcome(steps=tuple((0, row_type, Tag(tag=0)) for row_type in tagged))
    arriving, other_arriving, joined = both_sides(request)
    sides = arriving.row_type.tagged(1), other_arriving.row_type.tagged(2)
    join = WindowedJoin(
        side=0,
        keys=join_keys(request, arriving, other_arriving),
        joined=joined,
        columns=arriving.selected,
        row_type=request.given_type(arriving),
        windows=plan_windows(t, t.window),
        function=t.group or "inner",
        sides=sides,
    )
    outcome = Outcome(steps=steps_of(join, (0, sides[0]), (0, sides[1])))
    return adapt_to_clock(request, t.window, outcome)


class _Found(NamedTuple):
    """Windows that are due, in the order in which they fire."""

    places: Longs
    ends: Longs
    entries: tuple[tuple[Longs, Longs], tuple[Longs, Longs]]
    """The positions of rows by side, sorted by window, and the window of each."""
    stays: tuple[Bools, Bools]
    """A mask by side of the rows with windows that are not closed."""


class WindowedJoinWork(DropsLate):
    """Stores the rows of both inputs until their last window is closed."""

    def __init__(self, operator: str, step: WindowedJoin) -> None:
        self._operator, self._plan = operator, step
        self._keys = KeyRows()
        self._buffered = (BufferedRows(), BufferedRows())
        self._watermark = MIN_WATERMARK
        self._descent: Descent | None = None
        """The run's ``Descent``; None: the run is not traced."""
        kind = _Sessions if step.windows.assigner == "session" else _JoinedTimeWindows
        self._windows: _JoinedTimeWindows | _Sessions = kind(step.windows)

    def process(self, batch: Batch, side: int) -> list[Emission]:
        """Store records; those behind the watermark one by one, as each may fire its windows."""
        times = window_times(self._operator, self._plan.windows, batch)
        places = self._keys.of(batch, self._plan.keys[side])
        self._descent = None if batch.origins is None else batch.origins.descent
        part, buffered = (batch.with_timestamps(None), places, times), self._buffered[side]
        behind = self._windows.behind(times, self._watermark)
        late = (self._late(record, buffered) for _, record in buffered.add_in_turn(part, behind))
        return list(chain.from_iterable(late))

    def _late(self, record: Part, buffered: BufferedRows) -> list[Emission]:
        """Process a record behind the watermark; drop it if all its windows are closed."""
        _, place, time = record
        values = [side.times[side.places == place] for side in self._buffered]
        starts, ends = self._windows.of(np.concatenate([*values, time]))
        lateness = self._plan.windows.lateness
        live = over_at(ends, lateness) > self._watermark
        if live.any():
            buffered.add(*record)
        elif later(time, lateness)[0] <= self._watermark:
            self.late_dropped += 1
        fires = live & (ends - 1 <= self._watermark)
        return [
            pair
            for at in np.flatnonzero(fires).tolist()
            for pair in self._apply_function(self._window(place, starts[at], ends[at : at + 1]))
        ]

    def _window(self, place: Longs, start: np.int64, end: Longs) -> Fires:
        """Return the current content of one window."""
        sides = []
        for side in (0, 1):
            rows, places, times = self._all(side)
            # A difference may exceed the range of LONG: as an unsigned number it is correct.
            apart = (times - start).view(np.uint64)
            mine = rows.filter((places == place) & (apart < (end - start).view(np.uint64)))
            sides.append(JoinSide(mine, np.zeros(len(mine), np.int64)))
        return Fires((sides[0], sides[1]), place, end)

    def _all(self, side: int) -> Part:
        """Return all rows of a side, with the place and time of each."""
        if self._buffered[side]:
            return self._buffered[side].all()
        rows, none = empty(self._plan.sides[side]), np.empty(0, np.int64)
        traced = None if self._descent is None else Origins(self._descent, none)
        return rows.with_origins(traced), none, none

    def _apply_function(self, fires: Fires) -> Iterator[Emission]:
        if self._plan.function == "count":
            yield None, counts(self._plan.row_type, fires, self._keys)
        else:
            for pair in pairs(self._operator, self._plan, self._plan.function, fires):
                yield None, pair

    def advance(self, time: int, side: int) -> list[Emission]:
        """Emit the results of the windows that the watermark passes, earliest first.

        The second side to receive the watermark finds none left.
        """
        if time <= self._watermark:
            return []
        due = self._windows.due(self._buffered, self._watermark, time)
        self._watermark = time
        join_side, other_join_side = (
            JoinSide(self._all(at)[0].take(rows), windows)
            for at, (rows, windows) in enumerate(due.entries)
        )
        fires = Fires((join_side, other_join_side), due.places, due.ends)
        result = list(self._apply_function(fires)) if len(due.ends) else []
        for buffered, stays in zip(self._buffered, due.stays, strict=True):
            buffered.keep(stays)
        return result


class _JoinedTimeWindows:
    """Tumbling and sliding windows: a record's windows depend on its timestamp alone."""

    def __init__(self, windows: TimeWindows) -> None:
        self._size, self._slide, self._lateness = windows.size, windows.slide, windows.lateness
        self._offset = windows.offset

    def of(self, times: Longs) -> tuple[Longs, Longs]:
        """Return starts and ends of the windows of the last of these times, the latest first."""
        _, starts = window_starts(times[-1:], self._size, self._slide, self._offset)
        return starts, starts + self._size

    def behind(self, times: Longs, watermark: int) -> Bools:
        """Return a mask of the records that may have a window that is over."""
        # A window ends after its records, except at the end of a LONG, where it overflows.
        array: Bools = (times <= watermark) | (times > LONG_MAX - self._size)
        return array

    def due(
        self, sides: tuple[BufferedRows, BufferedRows], following: int, watermark: int
    ) -> _Found:
        """Find the windows that end between two watermarks, by start and then by key."""
        result = [self._entries(side, following, watermark) for side in sides]
        places, starts = (np.concatenate([item[at] for item in result]) for at in (1, 2))
        codes, numbers = np.unique(np.stack([starts, places]), axis=1, return_inverse=True)
        numbers = numbers.reshape(-1)
        half = len(result[0][0])
        pair, other_pair = (
            by_window(rows, mine)
            for (rows, *_), mine in zip(result, (numbers[:half], numbers[half:]), strict=True)
        )
        stays = self._stays(sides[0], watermark), self._stays(sides[1], watermark)
        return _Found(codes[1], codes[0] + self._size, (pair, other_pair), stays)

    def _entries(
        self, side: BufferedRows, following: int, watermark: int
    ) -> tuple[Longs, Longs, Longs]:
        """Return the rows of windows that are due, their keys' places and the windows' starts."""
        every, places, maximum = side.times, side.places, at_once(self._size, self._slide)
        parts = [np.empty((3, 0), np.int64)]
        for start in range(0, len(every), maximum):
            rows, starts = window_starts(
                every[start : start + maximum], self._size, self._slide, self._offset
            )
            last = starts + self._size - 1
            due = (last > following) & (last <= watermark)
            rows = rows[due] + start
            parts.append(np.stack([rows, places[rows], starts[due]]))
        rows, mine, starts = np.hstack(parts)
        return rows, mine, starts

    def _stays(self, side: BufferedRows, watermark: int) -> Bools:
        times = side.times
        # The last window of a row to close is the one that starts last.
        ends = times - np.remainder(times - self._offset, self._slide) + self._size
        return over_at(ends, self._lateness) > watermark


class _Sessions:
    """Session windows over the rows of both inputs."""

    def __init__(self, windows: TimeWindows) -> None:
        self._plan = windows

    def of(self, times: Longs) -> tuple[Longs, Longs]:
        """Return start and end of the session that contains the last of these times."""
        return session_of_last(times, self._plan.size)

    def behind(self, times: Longs, watermark: int) -> Bools:
        """Return a mask of the records with a session that may be over."""
        array: Bools = times + self._plan.size - 1 <= watermark
        return array

    def due(
        self, sides: tuple[BufferedRows, BufferedRows], following: int, watermark: int
    ) -> _Found:
        """Find the sessions that end between two watermarks, by end and then by key."""
        places, times = [side.places for side in sides], [side.times for side in sides]
        due = due_sessions(
            np.concatenate(places), np.concatenate(times), self._plan, following, watermark
        )
        half = len(times[0])
        pair, other_pair = (
            by_window(np.flatnonzero(mine != NOT_DUE), mine[mine != NOT_DUE])
            for mine in (due.sessions[:half], due.sessions[half:])
        )
        return _Found(
            due.places, due.ends, (pair, other_pair), (due.stays[:half], due.stays[half:])
        )


def by_window(rows: Longs, windows: Longs) -> tuple[Longs, Longs]:
    """Sort rows by window; those of one window stay in their order.

    >>> [one.tolist() for one in by_window(np.array([0, 1, 2]), np.array([1, 0, 1]))]
    [[1, 0, 2], [0, 1, 1]]
    """
    order = np.argsort(windows, kind="stable")
    return rows[order], windows[order]
