"""What each field's value must be, apart from its type: one row a field.

The limits and refusals are those of Flink's setters, in Flink's own words where it has any.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from explorer.documents.faults import (
    FLUSHES,
    CheckContext,
    Fault,
    FieldCheck,
    filled,
    first_empty,
    misplaced,
    named_once,
    node_hash_problem,
    one_of,
    outside,
    short,
    within,
)
from explorer.documents.limits import MAX_ID
from explorer.documents.row_checks import check_rows, check_write
from explorer.documents.state_shapes import check_state
from explorer.flink.key_groups import MAX_PARALLELISM, TOO_WIDE
from explorer.flink.kinds import KINDS, runs_alone
from explorer.flink.option_values import OPERATOR_MAX_PARALLELISM
from explorer.flink.partitioners import NAMED
from explorer.java_numbers import INT_MAX, LONG_MAX
from explorer.model.pipeline import (
    Between,
    Group,
    Lookup,
    Resources,
    Sort,
    Split,
    Timestamps,
    Transformation,
    Wait,
    Window,
)
from explorer.wording import listed, quoted

MAX_DELAY: Final = 60_000
"""Milliseconds that an asynchronous answer may last."""
_AGGREGATE: Final = re.compile(
    r"\s*(?:(?:sum|min|max)\s*\(.+\)|count\s*\(\s*\*\s*\))\s*", re.IGNORECASE
)
_DURATIONS: Final[Mapping[str, tuple[Sequence[str], Sequence[str]]]] = {
    "tumbling": (("size",), ()),
    "sliding": (("size", "slide"), ()),
    "session": (("gap",), ()),
    "count": (("size",), ("slide",)),
    "end_of_stream": ((), ()),
}
"""Required and optional durations of each assigner."""


def check_parallel(value: int, transformation: Transformation, _: CheckContext) -> Fault | None:
    """Flink allows a non-parallel source and a ``window_all`` no other parallelism than 1."""
    if value == 1 or not runs_alone(transformation):
        return None
    problem = "The parallelism of non parallel operator must be 1. Drop it"
    return Fault("parallelism", problem)


def check_alone(value: int, transformation: Transformation, _: CheckContext) -> Fault | None:
    """A ``window_all`` is allowed no other maximum parallelism than 1."""
    if value == 1 or not KINDS[transformation.type].alone:
        return None
    problem = "The maximum parallelism of non parallel operator must be 1. Drop it"
    return Fault("max_parallelism", problem)


def check_uid_hash(value: str, transformation: Transformation, _: CheckContext) -> Fault | None:
    """32 hex digits; Flink knows no such hash for a sink that is not a legacy one."""
    if not KINDS[transformation.type].uid_hash:
        return Fault("uid_hash", "Cannot set a custom UID hash on a non-legacy sink; set its uid")
    problem = node_hash_problem(value)
    return Fault("uid_hash", problem) if problem else None


def check_strategy(value: str, transformation: Transformation, _: CheckContext) -> Fault | None:
    """NEVER and HEAD for every operator; the other two are a multiple input's."""
    strategies = KINDS[transformation.type].strategies
    if value in strategies:
        return None
    others = listed([kind.type for kind in KINDS.values() if value in kind.strategies], "or")
    problem = (
        f"must be {listed(reversed(strategies), 'or')}, but is {quoted(value)}, which "
        f"only a {others} may set; leave it out for the operator's own strategy"
    )
    return Fault("chaining_strategy", problem)


def check_resources(resources: Resources, *_: object) -> Fault | None:
    """No negative amounts, and finite ones."""
    if not (math.isfinite(resources.cpu) and resources.cpu >= 0):
        problem = (
            f"must be a number from 0 on, but is {resources.cpu}; Flink: Resource value must be no "
            "less than 0"
        )
        return Fault("resources.cpu", problem)
    return outside(
        "resources.heap_mb", resources.heap_mb, 0, INT_MAX, "; Flink: bytes must be >= 0"
    )


def check_window(window: Window, transformation: Transformation, _: CheckContext) -> Fault | None:
    """Each assigner has durations of its own, all above zero."""
    return (
        _check_durations(window)
        or _check_lateness(window)
        or _check_windowed_join(window, transformation.type)
    )


def _check_durations(window: Window) -> Fault | None:
    given = {"size": window.size, "slide": window.slide, "gap": window.gap}
    needs, optional = _DURATIONS[window.assigner]
    article = "an" if window.assigner == "end_of_stream" else "a"
    what, unit = (
        f"{article} {window.assigner} window",
        "rows" if window.assigner == "count" else "ms",
    )
    allowed = f"{listed((*needs, *optional))} only" if needs else "no durations"
    words = f"; {what} needs it, in {unit}", f"{what} takes {allowed}"
    wrong = (_check_duration(window, field, value) for field, value in given.items())
    return misplaced("window", given, needs, optional, words) or next(filter(None, wrong), None)


def _check_windowed_join(window: Window, type: str) -> Fault | None:
    """``JoinedStreams`` has no ``countWindow``, nor ``sideOutputLateData``."""
    if KINDS[type].tagger is None:
        return None
    if window.is_global:
        return Fault("window.assigner", f"a {type} takes tumbling, sliding or session windows")
    if window.late_output is not None:
        problem = f"a {type} drops late rows, it has no side output for them"
        return Fault("window.late_output", problem)
    return None


def _check_lateness(window: Window) -> Fault | None:
    """A lateness from 0 on and a tag, of windows in time alone."""
    what = {"count": "a count", "end_of_stream": "an end_of_stream"}.get(window.assigner)
    late = {"allowed_lateness": window.allowed_lateness, "late_output": window.late_output}
    for field, value in late.items():
        if value is not None and what:
            return Fault(f"window.{field}", f"{what} window is never over, so no row is late")
    if window.late_output == "":
        return Fault(
            "window.late_output", "must not be empty; Flink: OutputTag id must not be empty."
        )
    if what and window.time != "event":
        return Fault("window.time", f"{what} window looks at no time; leave it out")
    words = "; Flink: The allowed lateness cannot be negative."
    return outside("window.allowed_lateness", window.allowed_lateness, 0, LONG_MAX, words)


def _check_duration(window: Window, field: str, value: int | None) -> Fault | None:
    time = f"{window.time.title()}Time"
    words = {
        "tumbling": f"Tumbling{time}Windows parameters must satisfy abs(offset) < size",
        "sliding": f"Sliding{time}Windows parameters must satisfy abs(offset) < slide and size > 0",
        "session": f"{time}SessionWindows parameters must satisfy 0 < size",
    }
    hint = f"; Flink: {words[window.assigner]}" if window.assigner in words else ""
    return outside(f"window.{field}", value, 1, LONG_MAX, hint)


def check_timestamps(stamps: Timestamps, *_: object) -> Fault | None:
    """A column, and a lateness that is not negative."""
    if not stamps.column:
        return Fault("timestamps.column", "must name a column")
    words = "; Flink: idleTimeout must be greater than zero"
    late = outside("timestamps.out_of_orderness", stamps.out_of_orderness, 0, LONG_MAX)
    return late or outside("timestamps.idleness", stamps.idleness, 1, LONG_MAX, words)


def check_keys(keys: Sequence[str], *_: object) -> Fault | None:
    """At least one column, each once."""
    return named_once("keys", keys)


def check_aggregate(
    aggregate: Mapping[str, str], transformation: Transformation, _: CheckContext
) -> Fault | None:
    """``sum(c)``, ``min(c)`` or ``max(c)``; a window also accepts ``count(*)``."""
    rolling = KINDS[transformation.type].gives != "windows"
    for column, formula in aggregate.items():
        counts = "count" in formula.lower()
        if not _AGGREGATE.fullmatch(formula) or (counts and rolling):
            choice = "sum(c), min(c) or max(c)" if rolling else "sum(c), min(c), max(c) or count(*)"
            problem = f"must be {choice} with a column c, but is {quoted(formula)}"
            return Fault(f"aggregate.{column}" if column.isidentifier() else "aggregate", problem)
    return None


def check_split(split: Split, *_: object) -> Fault | None:
    """A pattern to split at, and a column for the parts."""
    given = {"value": split.value, "pattern": split.pattern, "as": split.as_}
    return first_empty("split", given, "must not be empty")


def check_sort(sort: Sort, *_: object) -> Fault | None:
    """A sort names a column."""
    return first_empty("sort", {"column": sort.column}, "must name a column")


def check_between(between: Between, *_: object) -> Fault | None:
    """The lower bound must not exceed the upper one; both are in milliseconds, and unchanged."""
    if between.lower <= between.upper:
        return None
    problem = f"must not be below lower, which is {between.lower}, but is {between.upper}"
    return Fault("between.upper", problem)


def check_pairs(_select: object, transformation: Transformation, _: CheckContext) -> Fault | None:
    """Of a join a ``select`` computes what pairs of rows give, so there must be pairs."""
    examples = {
        "between": "{lower: -5000, upper: 5000}",
        "lookup": "{column: n, key: n}",
        "group": "left_outer",
    }
    for field, example in examples.items():
        may = field in KINDS[transformation.type].fields
        if may and getattr(transformation, field) is None:
            return Fault(field, f"is missing; a select needs it, as in {example}")
    return None


def check_equal_to(
    equal: Sequence[str], transformation: Transformation, _: CheckContext
) -> Fault | None:
    """As many columns as the first input's key has."""
    keys = transformation.keys
    if keys is None:
        return Fault("keys", "is missing; equal_to needs it, as in keys: [id]")
    if len(keys) == len(equal):
        return named_once("equal_to", equal)
    problem = f"must name as many columns as keys, which are {len(keys)}, not {len(equal)}"
    return Fault("equal_to", problem)


def check_group(group: Group, transformation: Transformation, _: CheckContext) -> Fault | None:
    """A count computes its own columns, so there is nothing to select."""
    if group != "count" or transformation.select is None:
        return None
    return Fault("select", "is of no use: a count gives the key and how many rows each input has")


def check_lookup(lookup: Lookup, transformation: Transformation, _: CheckContext) -> Fault | None:
    """Both columns, and a ``select``: without one nothing is looked up."""
    given = {"column": lookup.column, "key": lookup.key}
    if fault := first_empty("lookup", given, "must name a column"):
        return fault
    if transformation.select is None:
        return Fault("select", "is missing; a lookup needs it, as in {n: n, name: name}")
    return None


def check_wait(wait: Wait, *_: object) -> Fault | None:
    """A delay of at most a minute, and some capacity."""
    words = "; Flink: The buffer queue capacity must be greater than 0."
    return outside("wait.delay", wait.delay, 0, MAX_DELAY) or outside(
        "wait.capacity", wait.capacity, 1, INT_MAX, words
    )


def check_selects(
    selects: Mapping[str, Mapping[str, str]], transformation: Transformation, _: CheckContext
) -> Fault | None:
    """A select by input, with columns each."""
    for name, columns in selects.items():
        if name not in transformation.inputs:
            inputs = listed(map(quoted, transformation.inputs))
            return Fault("selects", f"{quoted(name)} is no input; the inputs are {inputs}")
        if not columns or not all(columns):
            return Fault("selects", f"of {quoted(name)} must name columns")
    return None


_TEXTS: Final = ("name", "uid", "slot_sharing_group", "co_location_group", "function")
_SELECTS: Final = ("select1", "select2", "side_outputs", "outputs")

VALUE_CHECKS: Final[Mapping[str, tuple[FieldCheck, ...]]] = {
    "id": (short("id", MAX_ID, least=1),),
    **{field: (short(field),) for field in _TEXTS},
    **{field: (short(field, least=1),) for field in ("input_format", "output_format")},
    "tag": (short("tag", MAX_ID, 1, "; Flink: OutputTag id must not be empty."),),
    "parallelism": (
        within(
            "parallelism",
            1,
            MAX_PARALLELISM,
            "; Flink: The parallelism of an operator must be at least 1, or "
            "ExecutionConfig.PARALLELISM_DEFAULT (use system default).",
        ),
        check_parallel,
    ),
    "max_parallelism": (
        within(
            "max_parallelism",
            1,
            MAX_PARALLELISM,
            f"; Flink: {OPERATOR_MAX_PARALLELISM.words}",
            f"; Flink: {TOO_WIDE}",
        ),
        check_alone,
    ),
    "uid_hash": (check_uid_hash,),
    "chaining_strategy": (check_strategy,),
    "buffer_timeout": (
        within("buffer_timeout", -1, LONG_MAX, f"{FLUSHES}; Flink: timeout must be >= -1"),
    ),
    "managed_memory_weight": (
        within(
            "managed_memory_weight",
            1,
            INT_MAX,
            "; Flink: Weights for operator scope use cases must be greater than 0.",
        ),
    ),
    "resources": (check_resources,),
    "partitioner": (one_of("partitioner", NAMED, "; for keys use key_by, else partition_custom"),),
    "max_wait": (within("max_wait", 0, LONG_MAX),),
    "window": (check_window,),
    "timestamps": (check_timestamps,),
    "keys": (check_keys,),
    "equal_to": (check_equal_to,),
    "group": (check_group,),
    "select": (filled("select"), check_pairs),
    **{field: (filled(field),) for field in _SELECTS},
    "aggregate": (filled("aggregate"), check_aggregate),
    "split": (check_split,),
    "sort": (check_sort,),
    "rows": (check_rows,),
    "write": (check_write,),
    "state": (check_state,),
    "between": (check_between,),
    "lookup": (check_lookup,),
    "wait": (check_wait,),
    "selects": (filled("selects"), check_selects),
}
"""By field, what is asked when the field is given."""
