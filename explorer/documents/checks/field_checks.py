"""Checks of each field's value, one row a field, with the limits and words of Flink's setters."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from explorer.documents.checks.faults import (
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
from explorer.documents.checks.row_checks import check_rows, check_write
from explorer.documents.checks.state_shapes import check_state
from explorer.documents.limits import MAX_ID
from explorer.flink.key_groups import MAX_PARALLELISM, TOO_WIDE
from explorer.flink.kinds import KINDS, runs_alone
from explorer.flink.option_values import OPERATOR_MAX_PARALLELISM
from explorer.flink.partitioners import NAMED_PARTITIONERS
from explorer.java_numbers import INT_MAX, LONG_MAX
from explorer.model.pipeline import (
    Alignment,
    Between,
    Group,
    Lookup,
    Resources,
    Split,
    Timestamps,
    Transformation,
    Wait,
    Window,
)
from explorer.wording import listed, quoted

_NO_COLUMN: Final = "must name a column"
MAX_DELAY: Final = 60_000
"""Milliseconds that an asynchronous answer may last."""
_AGGREGATE: Final = re.compile(
    r"\s*(?:(?:sum|min|max)\s*\(.+\)|count\s*\(\s*\*\s*\))\s*", re.IGNORECASE
)
_DURATIONS: Final[Mapping[str, tuple[Sequence[str], Sequence[str]]]] = {
    "tumbling": (("size",), ("offset",)),
    "sliding": (("size", "slide"), ("offset",)),
    "session": (("gap",), ()),
    "count": (("size",), ("slide",)),
    "end_of_stream": ((), ()),
}
"""Required and optional durations of each assigner."""


def _check_parallel(value: int, transformation: Transformation, _: CheckContext) -> Fault | None:
    if value == 1 or not runs_alone(transformation):
        return None
    return Fault("parallelism", "The parallelism of non parallel operator must be 1. Drop it")


def _check_alone(value: int, transformation: Transformation, _: CheckContext) -> Fault | None:
    if value == 1 or not KINDS[transformation.type].alone:
        return None
    problem = "The maximum parallelism of non parallel operator must be 1. Drop it"
    return Fault("max_parallelism", problem)


def _check_uid_hash(value: str, transformation: Transformation, _: CheckContext) -> Fault | None:
    """Require 32 hex digits; only legacy sinks have such a hash."""
    if not KINDS[transformation.type].uid_hash:
        return Fault("uid_hash", "Cannot set a custom UID hash on a non-legacy sink; set its uid")
    problem = node_hash_problem(value)
    return Fault("uid_hash", problem) if problem else None


def _check_strategy(value: str, transformation: Transformation, _: CheckContext) -> Fault | None:
    """Allow NEVER and HEAD for every operator, the other two for a multiple input."""
    strategies = KINDS[transformation.type].strategies
    if value in strategies:
        return None
    owners = listed([kind.type for kind in KINDS.values() if value in kind.strategies], "or")
    problem = (
        f"must be {listed(reversed(strategies), 'or')}, but is {quoted(value)}, which "
        f"only a {owners} may set; leave it out for the operator's own strategy"
    )
    return Fault("chaining_strategy", problem)


def _check_resources(resources: Resources, *_: object) -> Fault | None:
    if not (math.isfinite(resources.cpu) and resources.cpu >= 0):
        words = "Flink: Resource value must be no less than 0"
        problem = f"must be a number from 0 on, but is {resources.cpu}; {words}"
        return Fault("resources.cpu", problem)
    words = "; Flink: bytes must be >= 0"
    return outside("resources.heap_mb", resources.heap_mb, 0, INT_MAX, words)


def _check_window(window: Window, transformation: Transformation, _: CheckContext) -> Fault | None:
    """Require the assigner's own durations, all above zero."""
    return (
        _check_durations(window)
        or _check_lateness(window)
        or _check_windowed_join(window, transformation.type)
    )


def _check_durations(window: Window) -> Fault | None:
    values = {name: getattr(window, name) for name in ("size", "slide", "gap", "offset")}
    needs, optional = _DURATIONS[window.assigner]
    what = f"{'an' if window.assigner == 'end_of_stream' else 'a'} {window.assigner} window"
    unit = "rows" if window.assigner == "count" else "ms"
    allowed = f"{listed((*needs, *optional))} only" if needs else "no durations"
    words = f"; {what} needs it, in {unit}", f"{what} takes {allowed}"
    lengths = {field: value for field, value in values.items() if field != "offset"}
    wrong = (_check_duration(window, field, value) for field, value in lengths.items())
    misfit = misplaced("window", values, needs, optional, words)
    return misfit or next(filter(None, wrong), None) or _check_offset(window)


def _check_offset(window: Window) -> Fault | None:
    """Allow an offset below the distance of two windows, in either direction."""
    distance = window.slide or window.size or 1
    return outside(
        "window.offset", window.offset, 1 - distance, distance - 1, _window_words(window)
    )


def _check_windowed_join(window: Window, type: str) -> Fault | None:
    """``JoinedStreams`` has neither ``countWindow`` nor ``sideOutputLateData``."""
    if KINDS[type].tagger is None:
        return None
    if window.is_global:
        return Fault("window.assigner", f"a {type} takes tumbling, sliding or session windows")
    if window.late_output is None:
        return None
    return Fault("window.late_output", f"a {type} drops late rows, it has no side output for them")


def _check_lateness(window: Window) -> Fault | None:
    """Allow a lateness from 0 on and a tag, for windows in time only."""
    what = {"count": "a count", "end_of_stream": "an end_of_stream"}.get(window.assigner)
    late = {"allowed_lateness": window.allowed_lateness, "late_output": window.late_output}
    for field, value in late.items():
        if value is not None and what:
            return Fault(f"window.{field}", f"{what} window is never over, so no row is late")
    if window.late_output == "":
        problem = "must not be empty; Flink: OutputTag id must not be empty."
        return Fault("window.late_output", problem)
    if what and window.time != "event":
        return Fault("window.time", f"{what} window looks at no time; leave it out")
    words = "; Flink: The allowed lateness cannot be negative."
    return outside("window.allowed_lateness", window.allowed_lateness, 0, LONG_MAX, words)


def _check_duration(window: Window, field: str, value: int | None) -> Fault | None:
    return outside(f"window.{field}", value, 1, LONG_MAX, _window_words(window))


def _window_words(window: Window) -> str:
    """Flink's refusal of a window assigner's arguments; empty where it has none."""
    time = f"{window.time.title()}Time"
    words = {
        "tumbling": f"Tumbling{time}Windows parameters must satisfy abs(offset) < size",
        "sliding": f"Sliding{time}Windows parameters must satisfy abs(offset) < slide and size > 0",
        "session": f"{time}SessionWindows parameters must satisfy 0 < size",
    }
    return f"; Flink: {words[window.assigner]}" if window.assigner in words else ""


def _check_timestamps(
    stamps: Timestamps, transformation: Transformation, _: CheckContext
) -> Fault | None:
    if not stamps.column:
        return Fault("timestamps.column", _NO_COLUMN)
    if stamps.watermarks != "periodic" and KINDS[transformation.type].reads_splits:
        problem = "must be periodic for a source; put a timestamps transformation behind it"
        return Fault("timestamps.watermarks", problem)
    words = "; Flink: idleTimeout must be greater than zero"
    late = outside("timestamps.out_of_orderness", stamps.out_of_orderness, 0, LONG_MAX)
    idle = outside("timestamps.idleness", stamps.idleness, 1, LONG_MAX, words)
    return late or idle or _check_alignment(stamps.alignment)


def _check_alignment(alignment: Alignment | None) -> Fault | None:
    if alignment is None:
        return None
    place = "timestamps.alignment"
    if not alignment.group:
        return Fault(f"{place}.group", "must name a group")
    return outside(f"{place}.max_drift", alignment.max_drift, 0, LONG_MAX) or outside(
        f"{place}.update_interval", alignment.update_interval, 1, LONG_MAX
    )


def _check_aggregate(
    aggregate: Mapping[str, str], transformation: Transformation, _: CheckContext
) -> Fault | None:
    rolling = KINDS[transformation.type].gives != "windows"
    for column, formula in aggregate.items():
        counts = "count" in formula.lower()
        if not _AGGREGATE.fullmatch(formula) or (counts and rolling):
            choice = "sum(c), min(c) or max(c)" if rolling else "sum(c), min(c), max(c) or count(*)"
            problem = f"must be {choice} with a column c, but is {quoted(formula)}"
            return Fault(f"aggregate.{column}" if column.isidentifier() else "aggregate", problem)
    return None


def _check_split(split: Split, *_: object) -> Fault | None:
    values = {"value": split.value, "pattern": split.pattern, "as": split.as_}
    return first_empty("split", values, "must not be empty")


def _check_between(between: Between, *_: object) -> Fault | None:
    if between.lower <= between.upper:
        return None
    problem = f"must not be below lower, which is {between.lower}, but is {between.upper}"
    return Fault("between.upper", problem)


def _check_pairs(_select: object, transformation: Transformation, _: CheckContext) -> Fault | None:
    """Require the field that pairs rows for the ``select`` of a join."""
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


def _check_equal_to(
    equal: Sequence[str], transformation: Transformation, _: CheckContext
) -> Fault | None:
    keys = transformation.keys
    if keys is None:
        return Fault("keys", "is missing; equal_to needs it, as in keys: [id]")
    if len(keys) == len(equal):
        return named_once("equal_to", equal)
    problem = f"must name as many columns as keys, which are {len(keys)}, not {len(equal)}"
    return Fault("equal_to", problem)


def _check_group(group: Group, transformation: Transformation, _: CheckContext) -> Fault | None:
    if group != "count" or transformation.select is None:
        return None
    return Fault("select", "is of no use: a count gives the key and how many rows each input has")


def _check_lookup(lookup: Lookup, transformation: Transformation, _: CheckContext) -> Fault | None:
    """Require both columns and a ``select``, without which nothing is looked up."""
    values = {"column": lookup.column, "key": lookup.key}
    if fault := first_empty("lookup", values, _NO_COLUMN):
        return fault
    if transformation.select is None:
        return Fault("select", "is missing; a lookup needs it, as in {n: n, name: name}")
    return None


def _check_wait(wait: Wait, *_: object) -> Fault | None:
    words = "; Flink: The buffer queue capacity must be greater than 0."
    return outside("wait.delay", wait.delay, 0, MAX_DELAY) or outside(
        "wait.capacity", wait.capacity, 1, INT_MAX, words
    )


def _check_selects(
    selects: Mapping[str, Mapping[str, str]], transformation: Transformation, _: CheckContext
) -> Fault | None:
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
        _check_parallel,
    ),
    "max_parallelism": (
        within(
            "max_parallelism",
            1,
            MAX_PARALLELISM,
            f"; Flink: {OPERATOR_MAX_PARALLELISM.words}",
            f"; Flink: {TOO_WIDE}",
        ),
        _check_alone,
    ),
    "uid_hash": (_check_uid_hash,),
    "chaining_strategy": (_check_strategy,),
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
    "resources": (_check_resources,),
    "partitioner": (
        one_of("partitioner", NAMED_PARTITIONERS, "; for keys use key_by, else partition_custom"),
    ),
    "max_wait": (within("max_wait", 0, LONG_MAX),),
    "window": (_check_window,),
    "timestamps": (_check_timestamps,),
    "keys": (lambda keys, *_: named_once("keys", keys),),
    "equal_to": (_check_equal_to,),
    "group": (_check_group,),
    "select": (filled("select"), _check_pairs),
    **{field: (filled(field),) for field in _SELECTS},
    "aggregate": (filled("aggregate"), _check_aggregate),
    "split": (_check_split,),
    "sort": (lambda sort, *_: first_empty("sort", {"column": sort.column}, _NO_COLUMN),),
    "rows": (check_rows,),
    "write": (check_write,),
    "state": (check_state,),
    "between": (_check_between,),
    "lookup": (_check_lookup,),
    "wait": (_check_wait,),
    "selects": (filled("selects"), _check_selects),
}
"""The checks of each field's value."""
