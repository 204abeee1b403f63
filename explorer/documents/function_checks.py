"""What must the fields be that say what a function does with two inputs, or while it waits?"""

from collections.abc import Mapping, Sequence
from typing import Final

from explorer.documents.faults import Fault, Program, named_once, outside
from explorer.flink.kinds import KINDS
from explorer.java_numbers import INT_MAX
from explorer.model.pipeline import Between, Group, Lookup, Transformation, Wait
from explorer.wording import listed, quoted

MAX_DELAY: Final = 60_000
"""Milliseconds that an asynchronous answer may take."""


def check_between(between: Between, *_: object) -> Fault | None:
    """The lower bound first; Flink keeps both as they are given, in milliseconds."""
    if between.lower <= between.upper:
        return None
    problem = f"must not be below lower, which is {between.lower}, but is {between.upper}"
    return Fault("between.upper", problem)


def check_pairs(_select: object, transformation: Transformation, _: Program) -> Fault | None:
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
    equal: Sequence[str], transformation: Transformation, _: Program
) -> Fault | None:
    """As many columns as the first input's key has."""
    keys = transformation.keys
    if keys is None:
        return Fault("keys", "is missing; equal_to needs it, as in keys: [id]")
    if len(keys) == len(equal):
        return named_once("equal_to", equal)
    problem = f"must name as many columns as keys, which are {len(keys)}, not {len(equal)}"
    return Fault("equal_to", problem)


def check_group(group: Group, transformation: Transformation, _: Program) -> Fault | None:
    """A count computes its own columns, so there is nothing to select."""
    if group != "count" or transformation.select is None:
        return None
    return Fault("select", "is of no use: a count gives the key and how many rows each input has")


def check_lookup(lookup: Lookup, transformation: Transformation, _: Program) -> Fault | None:
    """Both columns, and a ``select``: without one nothing is looked up."""
    empty = [name for name in ("column", "key") if not getattr(lookup, name)]
    if empty:
        return Fault(f"lookup.{empty[0]}", "must name a column")
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
    selects: Mapping[str, Mapping[str, str]], transformation: Transformation, _: Program
) -> Fault | None:
    """A select by input, with columns each."""
    for name, columns in selects.items():
        if name not in transformation.inputs:
            inputs = listed(map(quoted, transformation.inputs))
            return Fault("selects", f"{quoted(name)} is no input; the inputs are {inputs}")
        if not columns or not all(columns):
            return Fault("selects", f"of {quoted(name)} must name columns")
    return None
