"""Windows of SQL's aggregations, and what becomes of open windows in a restore into another kind.

Window functions (``TUMBLE``, ``HOP``, ``CUMULATE``) save slices by their ends and a timer for each
window's end: a restored timer makes the new function read the slices that it would have there.
``tests/golden/sql_window_restores.jsonl.gz`` has the results of clusters.
"""

import re
from collections.abc import Callable, Collection
from math import gcd
from typing import Final, TypeAlias

from explorer.flink.upgrades.window_kinds import OpenWindows
from explorer.model.frozen import FrozenRecord
from explorer.model.stream_graph import StreamNode

_FUNCTION: Final = re.compile(
    r"window=\[(?P<text>(?P<function>TUMBLE|HOP|CUMULATE|SESSION)\((?P<arguments>.*?)\))\]"
)
_GROUP: Final = re.compile(
    r"window=\[(?P<text>(?P<function>\w+)GroupWindow"
    r"\('\w+\$?, (?P<time>\w+), (?P<sizes>[\d, ]+)\))\]"
)
_SIZE: Final = re.compile(r"(?P<name>\w+)=\[(?P<number>\d+) (?P<unit>ms|s|min|h|d)\]")
_TIME: Final = re.compile(r"time_col=\[(\w+)\]")
_UNITS: Final = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
_GROUPS: Final = {"Tumbling": "TUMBLE", "Sliding": "HOP", "Session": "SESSION"}
_SIZES: Final = ("size", "max_size", "gap")
_STEPS: Final = ("slide", "step")
_HOLDERS: Final = re.compile(r"(?:\[\d+\]:)?(\w*Window(?:Aggregate|Rank|Deduplicate))\(")
"""Operators with the state of windows; ``LocalWindowAggregate`` has none."""
_LOCAL: Final = "LocalWindowAggregate"
_AGGREGATES: Final = frozenset({"WindowAggregate", "GlobalWindowAggregate", "GroupWindowAggregate"})
_ACCUMULATORS: Final = "window-aggs"
"""The state with the accumulators of windows."""


class SqlWindow(FrozenRecord, frozen=True, kw_only=True):
    """The windows of an aggregation."""

    function: str
    """``TUMBLE``, ``HOP``, ``CUMULATE`` or ``SESSION``."""
    is_group: bool
    """Whether it is a group window, ``GROUP BY TUMBLE(...)``, and not a window function."""
    size: int
    """Milliseconds; of CUMULATE the largest, of SESSION the gap."""
    step: int = 0
    """Milliseconds; 0: every window begins where the one before ends."""
    offset: int = 0
    time: str = ""
    """The time attribute; empty behind an aggregation before the exchange."""
    words: str
    """As the plan writes it."""
    is_aggregate: bool
    """Whether an aggregation in the JVM has them: not a rank, a join or one of Python."""

    @property
    def slice(self) -> int:
        """Milliseconds of a slice: the parts of windows that have a state of their own."""
        return gcd(self.size, self.step) if self.step else self.size

    @property
    def shape(self) -> tuple[str, int, int, int]:
        """All that decides the bounds of windows."""
        return self.function, self.size, self.step, self.offset


def sql_window(node: StreamNode) -> SqlWindow | None:
    """Read the windows of an operator of SQL from its description; None: it has none."""
    text = node.description or node.name
    holder = _HOLDERS.match(text)
    if holder is None or holder[1] == _LOCAL:
        return None
    is_aggregate = holder[1] in _AGGREGATES
    if match := _FUNCTION.search(text):
        sizes = {
            size["name"]: int(size["number"]) * _UNITS[size["unit"]]
            for size in _SIZE.finditer(match["arguments"])
        }
        time = _TIME.search(match["arguments"])
        return SqlWindow(
            function=match["function"],
            is_group=False,
            size=next((sizes[name] for name in _SIZES if name in sizes), 0),
            step=next((sizes[name] for name in _STEPS if name in sizes), 0),
            offset=sizes.get("offset", 0),
            time=time[1] if time else "",
            words=match["text"],
            is_aggregate=is_aggregate,
        )
    match = _GROUP.search(text)
    if match is None or match["function"] not in _GROUPS:
        return None
    size, *remainder = map(int, match["sizes"].split(", "))
    return SqlWindow(
        function=_GROUPS[match["function"]],
        is_group=True,
        size=size,
        step=remainder[0] if remainder else 0,
        time=match["time"],
        words=match["text"],
        is_aggregate=is_aggregate,
    )


def saved_sql_windows(
    state_names: Collection[str], new: SqlWindow
) -> tuple[OpenWindows, str] | None:
    """Return what becomes of open windows of which a savepoint shows the states alone.

    None: it has no state of an aggregation's windows.
    """
    if _ACCUMULATORS not in state_names or not new.is_aggregate:
        return None
    return "unknown", "which windows wrote them is not known: name the old program as well"


def open_sql_windows(old: SqlWindow, new: SqlWindow) -> tuple[OpenWindows, str]:
    """Return what becomes of windows that are open when ``old`` is replaced, and the reason."""
    return next((outcome, why) for holds, outcome, why in _ROWS if holds(old, new))


_Condition: TypeAlias = Callable[[SqlWindow, SqlWindow], bool]


def _function_rule(holds: _Condition) -> _Condition:
    """A rule of two window functions."""
    return lambda old, new: not (old.is_group or new.is_group) and holds(old, new)


def _group_rule(holds: _Condition) -> _Condition:
    """A rule of two group windows."""
    return lambda old, new: old.is_group and new.is_group and holds(old, new)


_IN_OTHER_BOUNDS: Final = (
    "an open window comes out at its old end under the bounds of a new one, with the records that "
    "its slices hold: fewer than the new bounds say, or more"
)
_ROWS: Final[tuple[tuple[_Condition, OpenWindows, str], ...]] = (
    (
        lambda old, new: old.words == new.words,
        "same",
        "the windows are of the same kind",
    ),
    (
        lambda old, new: not (old.is_aggregate and new.is_aggregate),
        "unknown",
        "whether open windows come out was asked of aggregations in the JVM alone",
    ),
    (
        lambda old, new: old.is_group == new.is_group and old.shape == new.shape,
        "unknown",
        "the time of the windows is another column: whether their timers fire is not known",
    ),
    (
        lambda old, new: old.is_group != new.is_group,
        "unknown",
        "a group window became a window function, or the reverse",
    ),
    (
        _function_rule(lambda old, new: (old.function == "SESSION") != (new.function == "SESSION")),
        "refused",
        "sessions are saved by their bounds and slices by their ends, with other serializers: "
        "StateMigrationException",
    ),
    (
        lambda old, new: old.function == new.function == "SESSION",
        "kept",
        "an open session comes out at its old end, or grows with the new gap",
    ),
    (
        _function_rule(lambda old, new: old.function == "TUMBLE" and not new.step),
        "kept",
        _IN_OTHER_BOUNDS,
    ),
    (
        _function_rule(lambda old, new: old.offset != new.offset),
        "unknown",
        "the offset is another one: whether the new windows read the saved slices is not known",
    ),
    (
        _function_rule(lambda old, _: old.function == "TUMBLE"),
        "kept",
        _IN_OTHER_BOUNDS,
    ),
    (
        _function_rule(lambda _, new: new.function == "TUMBLE"),
        "lost",
        "a window of TUMBLE is a single slice: of an open window the last slice comes out, and the "
        "records of its other slices never do",
    ),
    (
        _function_rule(lambda old, new: old.slice % new.slice != 0),
        "lost",
        "the new windows read slices of another size: records of saved slices that end between "
        "theirs never come out",
    ),
    (
        _function_rule(lambda old, new: new.size >= old.size),
        "kept",
        _IN_OTHER_BOUNDS,
    ),
    (
        _group_rule(lambda _, new: new.function == "SESSION"),
        "refused",
        "a session is looked up in a set that the old windows did not save: a task fails with "
        "NullPointerException: Namespace must not be null",
    ),
    (
        _group_rule(lambda old, new: old.function == "SESSION" and new.function == "TUMBLE"),
        "lost",
        "a merged session is saved under its first window, and its timer names the merged one: "
        "only sessions that never grew come out",
    ),
    (
        _group_rule(lambda old, new: old.function == "TUMBLE" == new.function),
        "kept",
        "open windows come out as they were, next to the new ones, which lack their records",
    ),
    (
        _group_rule(
            lambda old, new: (
                old.function != "SESSION" and (new.function == "TUMBLE" or old.slice != new.slice)
            )
        ),
        "lost",
        "HOP saves panes and TUMBLE whole windows: those that the new windows do not look up by "
        "their bounds never come out",
    ),
    (
        _group_rule(lambda old, _: old.function == "TUMBLE"),
        "kept",
        "open windows come out as panes of the new ones, which lack earlier records",
    ),
    (
        lambda _old, _new: True,
        "unknown",
        "whether open windows come out was not asked of clusters",
    ),
)
"""The first row with a condition that holds decides."""
