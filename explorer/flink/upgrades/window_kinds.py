"""Kinds of windows, and what becomes of open windows in a restore into another kind.

Mirrors ``WindowOperator``: it saves the contents of each window, and timers. A restored timer
asks the new trigger; a merging assigner first looks the window up in its own set of windows. Each
rule is a row; ``tests/golden/window_restores.jsonl.gz`` has the results of clusters.
"""

import re
from collections.abc import Callable, Collection
from typing import Final, Literal, TypeAlias

from explorer.model.frozen import FrozenRecord
from explorer.model.stream_graph import EventTime, StreamNode

TimeDomain: TypeAlias = Literal["event", "processing"]
OpenWindows: TypeAlias = Literal["refused", "lost", "unknown", "kept", "same"]
"""Flink refuses the state; records of open windows never come out; that depends on later records or
on classes of the program; they come out in windows of the old kind; the kinds are equal."""

_TIMES: Final[dict[str, TimeDomain]] = {"EventTime": "event", "ProcessingTime": "processing"}
_ASSIGNERS: Final = frozenset(
    [
        "GlobalWindows",
        *(f"{shape}{time}Windows" for shape in ("Tumbling", "Sliding") for time in _TIMES),
        *(f"{gap}{time}SessionWindows" for gap in ("", "Dynamic") for time in _TIMES),
    ]
)
CONTENTS: Final = "window-contents"
"""The state with the records of windows, whatever the assigner."""
_MERGED: Final = "merging-window-set"
_FROM_SESSIONS: Final = (
    "a merged session is saved under its first window, and its timer names the merged one: only "
    "sessions that never grew come out"
)
_TO_SESSIONS: Final = (
    "sessions look a window up in their own set, which is empty: no open window comes out"
)
_OTHER_LATENESS: Final = (
    "open windows come out as they were, and late records count by the new lateness; the saved "
    "timer for the end of the old lateness removes no window"
)
_TIMED: Final = frozenset(
    f"{often}{time}Trigger" for often in ("", "Continuous") for time in _TIMES
)
"""Triggers that fire on the timer of a window's end; Flink's others fire on records or wrap one."""
_ON_RECORDS: Final = frozenset({"CountTrigger", "DeltaTrigger"})
_NEVER: Final = "NeverTrigger"
_WINDOWS: Final = re.compile(r"(?:(?:Trigger)?Window\()?(?P<assigner>\w+\(.*?\)), (?P<rest>.*)")
_TRIGGER: Final = re.compile(
    r"(?:Async)?(?P<outer>\w*Trigger)(?P<inner>\((?:[^()]|\([^()]*\))*\))?"
)
_TRIGGER_CLASS: Final = re.compile(r"\w*Trigger\b")
_EVICTOR: Final = re.compile(r"\w+Evictor\b(?:\((?:[^()]|\([^()]*\))*\))?(?: after)?")


class WindowKind(FrozenRecord, frozen=True, kw_only=True):
    """The assigner, trigger and evictor of a window operator."""

    assigner: str
    """The class with its sizes, as ``SlidingEventTimeWindows(10000, 5000)``, and its
    offset."""
    trigger: str
    """As ``PurgingTrigger(CountTrigger(9))``; a description has the outer class alone. Empty: its
    class is not named like one of Flink's."""
    evictor: str | None = None
    """As ``CountEvictor(5)``, with `` after`` if it evicts after a firing; a description has the
    class alone."""
    lateness: int = 0
    """Milliseconds of event time for which a window is held after its end; 0 for windows of another
    time, which Flink removes at their end."""

    @property
    def is_known(self) -> bool:
        """Whether the assigner is one of Flink's."""
        return self.assigner.partition("(")[0] in _ASSIGNERS

    @property
    def is_global(self) -> bool:
        """Whether all records of a key are in one window."""
        return self.assigner.startswith("GlobalWindows")

    @property
    def is_merging(self) -> bool:
        """Whether windows merge, as sessions do."""
        return "Session" in self.assigner

    @property
    def domain(self) -> TimeDomain | None:
        """The time in which the assigner's windows end; None: they do not, or it is not known."""
        return _time_domain(self.assigner)

    @property
    def firing(self) -> str:
        """The class of the trigger that fires: the innermost one that is named."""
        return next(reversed(_TRIGGER_CLASS.findall(self.trigger)), "")

    @property
    def fires_at_end(self) -> bool:
        """Whether the trigger fires on the timer of a window's end."""
        return self.firing in _TIMED and _time_domain(self.firing) == self.domain

    @property
    def fires_on_records(self) -> bool:
        """Whether the trigger fires on no timer."""
        return self.firing in _ON_RECORDS

    @property
    def words(self) -> str:
        """Assigner, trigger, evictor and allowed lateness."""
        late = f"allowed lateness {self.lateness} ms" if self.lateness else ""
        return ", ".join(filter(None, (self.assigner, self.trigger, self.evictor, late)))

    def has_windows_of(self, kind: "WindowKind") -> bool:
        """Whether assigners, triggers and evictors are equal, as far as they are described."""
        return (
            self.assigner == kind.assigner
            and self.has_evictor_of(kind)
            and self.has_trigger_of(kind)
        )

    def has_trigger_of(self, kind: "WindowKind") -> bool:
        """Whether both triggers are equal, as far as both are described."""
        pair = self.trigger, kind.trigger
        if all("(" in trigger for trigger in pair):
            return pair[0] == pair[1]
        outer = {trigger.partition("(")[0] for trigger in pair}
        return len(outer) == 1 and "" not in outer

    def has_evictor_of(self, kind: "WindowKind") -> bool:
        """Whether both evictors are equal, as far as both are described."""
        pair = self.evictor or "", kind.evictor or ""
        if all("(" in evictor for evictor in pair):
            return pair[0] == pair[1]
        return len({evictor.partition("(")[0] for evictor in pair}) == 1


def _time_domain(class_name: str) -> TimeDomain | None:
    return next((domain for time, domain in _TIMES.items() if time in class_name), None)


def window_kind(node: StreamNode) -> WindowKind | None:
    """Read the windows of an operator; None: it has none, or nothing describes them.

    A captured operator shows them in full, the description of others names the classes.
    """
    captured = node.operator.windows if node.operator else None
    match = _WINDOWS.match(captured or node.description or node.name)
    if match is None or not (captured or "Window(" in match[0][:14]):
        return None
    trigger, evictor = _TRIGGER.search(match["rest"]), _EVICTOR.search(match["rest"])
    times = node.event_time or EventTime()
    offset = times.window_offset
    bounds = f", offset {offset})" if offset else ")"
    in_event_time = _time_domain(match["assigner"]) == "event"
    return WindowKind(
        assigner=f"{match['assigner'].removesuffix(')')}{bounds}",
        trigger=f"{trigger['outer']}{trigger['inner'] or ''}" if trigger else "",
        evictor=evictor[0] if evictor else None,
        lateness=times.allowed_lateness if in_event_time else 0,
    )


class WindowChange(FrozenRecord, frozen=True, kw_only=True):
    """What becomes of the open windows of an operator, with the reason."""

    outcome: OpenWindows
    sentence: str


def open_windows(old: WindowKind, new: WindowKind) -> tuple[OpenWindows, str]:
    """Return what becomes of the windows that are open when ``old`` is replaced, and the reason."""
    return next((outcome, why) for holds, outcome, why in _ROWS if holds(old, new))


def saved_windows(state_names: Collection[str], new: WindowKind) -> tuple[OpenWindows, str] | None:
    """Return what becomes of open windows of which a savepoint shows the states alone.

    None: it has no state of windows.
    """
    if CONTENTS not in state_names:
        return None
    if not new.is_known or new.is_global or new.is_merging == (_MERGED in state_names):
        return "unknown", "which windows wrote them is not known: name the old program as well"
    return "lost", _TO_SESSIONS if new.is_merging else _FROM_SESSIONS


def _records_fire(kind: WindowKind) -> bool:
    """Whether records fire the trigger of a ``GlobalWindow``: that of ``countWindow`` purges."""
    return kind.fires_on_records or kind.firing == "PurgingTrigger"


_Condition: TypeAlias = Callable[[WindowKind, WindowKind], bool]
_ROWS: Final[tuple[tuple[_Condition, OpenWindows, str], ...]] = (
    (
        lambda old, new: new.has_windows_of(old) and 0 == new.lateness < old.lateness,
        "kept",
        f"{_OTHER_LATENESS}: a window that has come out and was held for late records stays in the "
        "state for good",
    ),
    (
        lambda old, new: new.has_windows_of(old) and old.lateness != new.lateness,
        "kept",
        f"{_OTHER_LATENESS}: a window that gets no record after the restore stays in the state for "
        "good",
    ),
    (
        lambda old, new: new.has_windows_of(old),
        "same",
        "the windows are of the same kind",
    ),
    (
        lambda old, new: not (old.is_known and new.is_known),
        "unknown",
        "an assigner is a class of the program: whether open windows come out is not known",
    ),
    (
        lambda old, new: old.is_global != new.is_global,
        "refused",
        "a GlobalWindow is saved by another serializer than a TimeWindow",
    ),
    (
        lambda old, new: (old.evictor is None) != (new.evictor is None),
        "refused",
        "with an evictor a window holds its records with their timestamps, another type of state",
    ),
    (
        lambda old, new: old.assigner == new.assigner and new.has_trigger_of(old),
        "kept",
        "open windows come out with those of their records that the new evictor leaves",
    ),
    (
        lambda old, new: old.is_merging and not new.is_merging,
        "lost",
        _FROM_SESSIONS,
    ),
    (
        lambda old, new: new.is_merging and not old.is_merging,
        "lost",
        _TO_SESSIONS,
    ),
    (
        lambda old, new: old.domain != new.domain,
        "lost",
        "the restored timers are of the other time, on which the new trigger does not fire: no "
        "open window comes out",
    ),
    (
        lambda _, new: new.firing == _NEVER,
        "lost",
        "the new trigger never fires",
    ),
    (
        lambda old, new: new.is_global and _records_fire(old) and _records_fire(new),
        "kept",
        "a window comes out when the new trigger has enough records",
    ),
    (
        lambda _, new: new.fires_on_records,
        "unknown",
        "open windows come out only as far as later records let the new trigger fire; the others "
        "are dropped at their end",
    ),
    (
        lambda old, new: new.fires_at_end or new.has_trigger_of(old),
        "kept",
        "open windows come out as they were, next to the new ones, which lack their records",
    ),
    (
        lambda _old, _new: True,
        "unknown",
        "whether the new trigger fires on the timers of open windows is not known",
    ),
)
"""The first row with a condition that holds decides."""
