"""What must the fields be that say what a function does with two inputs, or while it waits?"""

from typing import Final

from explorer.documents.faults import Fault, Program, named_once, outside
from explorer.flink.kinds import KINDS
from explorer.java_numbers import INT_MAX
from explorer.model.pipeline import Transformation
from explorer.wording import listed, quoted

MAX_DELAY: Final = 60_000
"""Milliseconds that an asynchronous answer may take."""


def check_between(transformation: Transformation, program: Program) -> Fault | None:
    """The lower bound first; Flink keeps both as they are given, in milliseconds."""
    between = transformation.between
    if between is None or between.lower <= between.upper:
        return None
    problem = f"must not be below lower, which is {between.lower}, but is {between.upper}"
    return Fault("between.upper", problem)


def check_pairs(transformation: Transformation, program: Program) -> Fault | None:
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


def check_equal_to(transformation: Transformation, program: Program) -> Fault | None:
    """As many columns as the first input's key has."""
    keys, equal = transformation.keys, transformation.equal_to or ()
    if keys is None:
        return Fault("keys", "is missing; equal_to needs it, as in keys: [id]")
    if len(keys) == len(equal):
        return named_once("equal_to", equal)
    problem = f"must name as many columns as keys, which are {len(keys)}, not {len(equal)}"
    return Fault("equal_to", problem)


def check_group(transformation: Transformation, program: Program) -> Fault | None:
    """A count computes its own columns, so there is nothing to select."""
    if transformation.group != "count" or transformation.select is None:
        return None
    return Fault("select", "is of no use: a count gives the key and how many rows each input has")


def check_lookup(transformation: Transformation, program: Program) -> Fault | None:
    """Both columns, and a ``select``: without one nothing is looked up."""
    lookup = transformation.lookup
    if lookup is None:
        return None
    empty = [name for name in ("column", "key") if not getattr(lookup, name)]
    if empty:
        return Fault(f"lookup.{empty[0]}", "must name a column")
    if transformation.select is None:
        return Fault("select", "is missing; a lookup needs it, as in {n: n, name: name}")
    return None


def check_wait(transformation: Transformation, program: Program) -> Fault | None:
    """A delay of at most a minute, and some capacity."""
    wait = transformation.wait
    if wait is None:
        return None
    words = "; Flink: The buffer queue capacity must be greater than 0."
    return outside("wait.delay", wait.delay, 0, MAX_DELAY) or outside(
        "wait.capacity", wait.capacity, 1, INT_MAX, words
    )


def check_selects(transformation: Transformation, program: Program) -> Fault | None:
    """A select by input, with columns each."""
    for name, columns in (transformation.selects or {}).items():
        if name not in transformation.inputs:
            inputs = listed(map(quoted, transformation.inputs))
            return Fault("selects", f"{quoted(name)} is no input; the inputs are {inputs}")
        if not columns or not all(columns):
            return Fault("selects", f"of {quoted(name)} must name columns")
    return None
