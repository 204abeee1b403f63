"""What each field's value must be, apart from its type: one row a field, and a source's rows.

The limits and refusals are those of Flink's setters, in Flink's own words where it has any.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from explorer.documents.columns import LINES, NUMBERS
from explorer.documents.faults import (
    FLUSHES,
    Fault,
    FieldCheck,
    Program,
    filled,
    misplaced,
    named_once,
    node_hash_problem,
    one_of,
    outside,
    short,
    within,
)
from explorer.documents.file_checks import check_write, file_fault
from explorer.documents.function_checks import (
    check_between,
    check_equal_to,
    check_group,
    check_lookup,
    check_pairs,
    check_selects,
    check_wait,
)
from explorer.documents.generated_rows import generated_fault
from explorer.documents.limits import MAX_ID
from explorer.documents.state_shapes import check_state
from explorer.flink.key_groups import MAX_PARALLELISM, TOO_WIDE
from explorer.flink.kinds import KINDS, runs_alone
from explorer.flink.option_values import OPERATOR_MAX_PARALLELISM
from explorer.flink.partitioners import NAMED
from explorer.java_numbers import INT_MAX, LONG_MAX, fits_long
from explorer.model.pipeline import (
    Resources,
    Rows,
    Scalar,
    Split,
    Timestamps,
    Transformation,
    Window,
)
from explorer.rows.row_type import (
    BOOLEAN,
    DOUBLE,
    LONG,
    STRING,
    ColumnType,
    RowType,
    SchemaError,
    parse_schema,
)
from explorer.wording import described, listed, quoted

_TAKES: Final[dict[ColumnType, tuple[type, ...]]] = {
    LONG: (int,),
    DOUBLE: (float, int),
    STRING: (str,),
    BOOLEAN: (bool,),
}
"""By column type, the plain values that it takes."""


def check_rows(rows: Rows, *_: object) -> Fault | None:
    """Ask every question about a source's rows, in order."""
    return _one_kind(rows) or _sequence(rows) or file_fault(rows) or _schema(rows) or _values(rows)


def _one_kind(rows: Rows) -> Fault | None:
    given = [name for name in KINDS_OF_ROWS if getattr(rows, name) is not None]
    if len(given) != 1:
        has = f"has {listed(given)}" if given else "has none of them"
        return Fault("rows", f"takes exactly one of {listed(KINDS_OF_ROWS)}, but {has}")
    if rows.format is not None and rows.path is None:
        return Fault("rows.format", f"belongs to a path; {given[0]} has no format")
    own = "text" if rows.format == "text" else given[0]
    if rows.schema is not None and own in _OWN_COLUMNS:
        return Fault("rows.schema", f"cannot be chosen: {_OWN_COLUMNS[own]}")
    return generated_fault(rows.generate) if rows.generate is not None else None


KINDS_OF_ROWS: Final = ("sequence", "path", "values", "generate")
_OWN_COLUMNS: Final = {
    "sequence": f"a sequence has the column {NUMBERS}",
    "text": f"text has the column {LINES}",
    "generate": "rows that are made up have their own columns",
}


def _sequence(rows: Rows) -> Fault | None:
    if rows.sequence is None or rows.sequence.first <= rows.sequence.last:
        return None
    problem = f"must not be below from, which is {rows.sequence.first}, but is {rows.sequence.last}"
    return Fault("rows.sequence.to", problem)


def _schema(rows: Rows) -> Fault | None:
    if rows.schema is None:
        needed = rows.values is not None
        return Fault("rows.schema", "is missing; values need one, as in n LONG") if needed else None
    try:
        parse_schema(rows.schema)
    except SchemaError as error:
        return Fault("rows.schema", str(error))
    return None


def _values(rows: Rows) -> Fault | None:
    if rows.values is None or rows.schema is None:
        return None
    row_type = parse_schema(rows.schema)
    for number, row in enumerate(rows.values):
        fault = row_fault(f"rows.values[{number}]", row, row_type)
        if fault is not None:
            return fault
    return None


def row_fault(place: str, row: Sequence[Scalar], row_type: RowType) -> Fault | None:
    """Why a row at ``place`` does not have these columns, if it does not."""
    columns = list(zip(row_type.names, row_type.types, strict=True))
    if len(row) != len(columns):
        problem = f"has {len(row)} values, but the schema has {len(columns)} columns"
        return Fault(place, problem)
    for position, ((name, kind), value) in enumerate(zip(columns, row, strict=True)):
        if not _fits(value, kind):
            problem = f"must be {kind} for column {quoted(name)}, but is {described(value)}"
            return Fault(f"{place}[{position}]", problem)
    return None


def _fits(value: Scalar, kind: ColumnType) -> bool:
    """Whether a value is of a column's type; null fits every column."""
    if value is None:
        return True
    if type(value) not in _TAKES[kind]:
        return False
    if kind is LONG:
        return fits_long(int(value))
    return kind is not DOUBLE or math.isfinite(float(value))


_AGGREGATE: Final = re.compile(
    r"\s*(?:(?:sum|min|max)\s*\(.+\)|count\s*\(\s*\*\s*\))\s*", re.IGNORECASE
)
_DURATIONS: Final[Mapping[str, tuple[Sequence[str], Sequence[str]]]] = {
    "tumbling": (("size",), ()),
    "sliding": (("size", "slide"), ()),
    "session": (("gap",), ()),
    "count": (("size",), ("slide",)),
}
"""What an assigner needs, and what it may have besides."""


def check_parallel(value: int, transformation: Transformation, _: Program) -> Fault | None:
    """Flink allows a non-parallel source and a ``window_all`` no other parallelism than 1."""
    if value == 1 or not runs_alone(transformation):
        return None
    problem = "The parallelism of non parallel operator must be 1. Drop it"
    return Fault("parallelism", problem)


def check_alone(value: int, transformation: Transformation, _: Program) -> Fault | None:
    """A ``window_all`` is allowed no other maximum parallelism than 1."""
    if value == 1 or not KINDS[transformation.type].alone:
        return None
    problem = "The maximum parallelism of non parallel operator must be 1. Drop it"
    return Fault("max_parallelism", problem)


def check_uid_hash(value: str, transformation: Transformation, _: Program) -> Fault | None:
    """32 hex digits; Flink knows no such hash for a sink that is not a legacy one."""
    if not KINDS[transformation.type].uid_hash:
        return Fault("uid_hash", "Cannot set a custom UID hash on a non-legacy sink; set its uid")
    problem = node_hash_problem(value)
    return Fault("uid_hash", problem) if problem else None


def check_strategy(value: str, transformation: Transformation, _: Program) -> Fault | None:
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


def check_window(window: Window, transformation: Transformation, _: Program) -> Fault | None:
    """Each assigner has durations of its own, all above zero."""
    return (
        _check_durations(window)
        or _check_lateness(window)
        or _check_windowed_join(window, transformation.type)
    )


def _check_durations(window: Window) -> Fault | None:
    given = {"size": window.size, "slide": window.slide, "gap": window.gap}
    needs, takes = _DURATIONS[window.assigner]
    what, unit = f"a {window.assigner} window", "rows" if window.assigner == "count" else "ms"
    words = f"; {what} needs it, in {unit}", f"{what} takes {listed((*needs, *takes))} only"
    wrong = (_check_duration(window, field, value) for field, value in given.items())
    return misplaced("window", given, needs, takes, words) or next(filter(None, wrong), None)


def _check_windowed_join(window: Window, type: str) -> Fault | None:
    """``JoinedStreams`` has no ``countWindow``, nor ``sideOutputLateData``."""
    if KINDS[type].tagger is None:
        return None
    if window.assigner == "count":
        return Fault("window.assigner", f"a {type} takes tumbling, sliding or session windows")
    if window.late_output is not None:
        problem = f"a {type} drops late rows, it has no side output for them"
        return Fault("window.late_output", problem)
    return None


def _check_lateness(window: Window) -> Fault | None:
    """A lateness from 0 on and a tag, of windows in time alone."""
    counts = window.assigner == "count"
    late = {"allowed_lateness": window.allowed_lateness, "late_output": window.late_output}
    for field, value in late.items():
        if value is not None and counts:
            return Fault(f"window.{field}", "a count window is never over, so no row is late")
    if window.late_output == "":
        return Fault(
            "window.late_output", "must not be empty; Flink: OutputTag id must not be empty."
        )
    if counts and window.time != "event":
        return Fault("window.time", "a count window looks at no time; leave it out")
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
    aggregate: Mapping[str, str], transformation: Transformation, _: Program
) -> Fault | None:
    """``sum(c)``, ``min(c)`` or ``max(c)``; a window also takes ``count(*)``."""
    rolling = "window" not in KINDS[transformation.type].fields
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
    empty = (Fault(f"split.{name}", "must not be empty") for name in given if not given[name])
    return next(empty, None)


_TEXTS: Final = ("name", "uid", "slot_sharing_group", "co_location_group", "function")
_SELECTS: Final = ("select1", "select2", "side_outputs")

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
    "rows": (check_rows,),
    "write": (check_write,),
    "state": (check_state,),
    "between": (check_between,),
    "lookup": (check_lookup,),
    "wait": (check_wait,),
    "selects": (filled("selects"), check_selects),
}
"""By field, what is asked when the field is given."""
