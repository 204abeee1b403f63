"""Faults of a field's value, and the checks that several fields share."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from explorer.documents.limits import MAX_ID, MAX_TEXT
from explorer.errors import DocumentError
from explorer.java_numbers import INT_MAX
from explorer.model.pipeline import Environment, Transformation
from explorer.wording import listed, quoted, suggestion

FLUSHES: Final = "; -1 sends full buffers only, 0 each record at once"
"""The meaning of a buffer timeout's special values."""

_NODE_HASH: Final = re.compile(r"[0-9A-Fa-f]{32}")


class Fault(NamedTuple):
    """A broken rule."""

    at: str
    """The place, relative to the transformation: ``rows.path``; empty for the whole of it."""
    problem: str


Problem: TypeAlias = tuple[str, str]
"""A path in the document, and what is wrong there."""


def refuse(problems: Iterable[Problem]) -> None:
    """Raise ``DocumentError`` for the first of them; what follows is not looked for."""
    for path, problem in problems:
        raise DocumentError(path, problem)


class CheckContext(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Context of a check, in addition to its transformation."""

    environment: Environment
    transformations: tuple[Transformation, ...]
    positions: Mapping[str, int]
    """Position of each transformation, by its ID."""

    def input_of(self, transformation: Transformation, position: int = 0) -> Transformation:
        """The transformation behind an input; it must be declared."""
        return self.transformations[self.positions[transformation.inputs[position]]]

    @cached_property
    def writers(self) -> Mapping[PurePosixPath, str]:
        """Map each written folder to the ID of its first sink."""
        sinks = [
            (transformation.write.path, transformation.id)
            for transformation in self.transformations
            if transformation.write
        ]
        return {PurePosixPath(path): id for path, id in reversed(sinks)}

    @cached_property
    def folders_around_sinks(self) -> Mapping[PurePosixPath, str]:
        """Map each folder around a sink's folder to the ID of a sink."""
        return {around: id for path, id in self.writers.items() for around in path.parents}


FieldCheck: TypeAlias = Callable[[Any, Transformation, CheckContext], Fault | None]
"""Called with a field's value, which is not null, and what else the check may look at."""


def within(field: str, minimum: int, maximum: int, hint: str = "", above: str = "") -> FieldCheck:
    """A whole number between two bounds, both included; ``above``: the hint where it is too big."""

    def check(value: int, *_: object) -> Fault | None:
        return outside(field, value, minimum, maximum, above if value > maximum else hint)

    return check


def outside(
    field: str, value: int | None, minimum: int, maximum: int, hint: str = ""
) -> Fault | None:
    """Return a fault for a value outside the bounds; ``{}`` in a hint is the value."""
    if value is None or minimum <= value <= maximum:
        return None
    allowed = (
        f"at least {minimum}"
        if maximum >= INT_MAX and value < minimum
        else f"{minimum} to {maximum}"
    )
    return Fault(field, f"must be {allowed}, but is {quoted(value)}{hint.format(value)}")


def given_twice(key: object) -> str:
    """Return the problem of a repeated key."""
    return f"the key {quoted(key)} is given twice; keep one of them"


def node_hash_problem(value: str) -> str:
    """Return the problem of a uid hash, in Flink's words; empty if it is valid."""
    if _NODE_HASH.fullmatch(value):
        return ""
    what = "Node hash must be a 32 character String that describes a hex code. Found: "
    return what + quoted(value)[1:-1]


def too_long(text: str | None, maximum: int = MAX_TEXT) -> str:
    """Return the problem of a text's length; empty if it is short enough."""
    length = len(text or "")
    return f"has {length:,} characters; at most {maximum:,} are allowed" if length > maximum else ""


def short(field: str, maximum: int = MAX_TEXT, least: int = 0, hint: str = "") -> FieldCheck:
    """A text of at most ``maximum`` characters; ``hint``: added to the message for an empty one."""

    def check(value: str, *_: object) -> Fault | None:
        if problem := too_long(value, maximum):
            return Fault(field, problem)
        return Fault(field, f"must not be empty{hint}") if len(value) < least else None

    return check


def one_of(field: str, allowed: tuple[str, ...], hint: str = "") -> FieldCheck:
    """One of a few words."""

    def check(value: str, *_: object) -> Fault | None:
        if value in allowed:
            return None
        near = suggestion(value, allowed) or hint
        return Fault(field, f"must be {listed(allowed, 'or')}, but is {quoted(value)}{near}")

    return check


def filled(field: str) -> FieldCheck:
    """A mapping with at least one entry, each with a name that is neither empty nor endless."""

    def check(names: Mapping[str, object], *_: object) -> Fault | None:
        if not names:
            return Fault(field, "must not be empty")
        for name in names:
            if not 0 < len(name) <= MAX_ID:
                problem = f"has a name of {len(name):,} characters; 1 to {MAX_ID} are allowed"
                return Fault(field, problem)
        return None

    return check


def misplaced(
    place: str,
    values: Mapping[str, object],
    needs: Collection[str],
    optional: Collection[str],
    words: tuple[str, str],
) -> Fault | None:
    """The first field that a record's variety needs and has not, or has and does not accept.

    ``values``: by field its value, None where there is none. ``words``: what to say of the one
    behind ``is missing``, and of the other.
    """
    missing, strange = words
    for field, value in values.items():
        if value is None and field in needs:
            return Fault(f"{place}.{field}", f"is missing{missing}")
        if value is not None and field not in needs and field not in optional:
            return Fault(f"{place}.{field}", strange)
    return None


def first_empty(place: str, texts: Mapping[str, object], problem: str) -> Fault | None:
    """The first of a record's texts, by field, that is empty."""
    empty = (Fault(f"{place}.{field}", problem) for field in texts if texts[field] == "")
    return next(empty, None)


def named_once(field: str, columns: Sequence[str]) -> Fault | None:
    """A field that names at least one column, and each once."""
    if not columns:
        return Fault(field, "must name at least one column")
    visited: set[str] = set()
    for column in columns:
        if column in visited:
            return Fault(field, f"names the column {quoted(column)} twice")
        visited.add(column)
    return None
