"""Checks that the names in a document's expectations and severities exist."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from explorer.documents.checks.faults import Problem, node_hash_problem, outside, refuse, too_long
from explorer.documents.limits import MAX_ID
from explorer.flink.kinds import KINDS
from explorer.java_numbers import INT_MAX
from explorer.model.pipeline import CheckSettings, Expectations, Pipeline
from explorer.model.stream_graph import StreamNode
from explorer.wording import quoted, step, suggestion


class Names(NamedTuple):
    """Names that a document's expectations may use."""

    operators: Collection[str]
    without: Collection[str] = ()
    """Transformations that have no operator."""


def names_of_pipeline(pipeline: Pipeline) -> Names:
    """The ids of its transformations."""
    every = {
        transformation.id: KINDS[transformation.type].node
        for transformation in pipeline.transformations
    }
    operators = frozenset(id for id, is_one in every.items() if is_one)
    return Names(operators, every.keys() - operators)


def names_of_graph(nodes: Collection[StreamNode]) -> Names:
    """Names of an operator: its name, its number, its transformation."""
    return Names(frozenset(name for node in nodes for name in node.names))


def check_expectations(expect: Expectations, check: CheckSettings, names: Names) -> None:
    """Raise ``DocumentError`` for the first name, number or ID that cannot be."""
    refuse(_problems(expect, check, names))


def _problems(expect: Expectations, check: CheckSettings, names: Names) -> Iterator[Problem]:
    for path, name in _named_operators(expect, check):
        if name in names.without:
            problem = "has no operator of its own; name the one before or after it"
            yield path, f"{quoted(name)} {problem}"
        elif name not in names.operators:
            hint = suggestion(name, names.operators)
            yield path, f"there is no operator {quoted(name)} in this document{hint}"
    for field in ("tasks", "slots"):
        if fault := outside(f"expect.{field}", getattr(expect, field), 1, INT_MAX):
            yield fault
    for name, id in expect.ids.items():
        if node_hash_problem(id):
            yield f"expect.ids.{step(name)}", f"an operator ID is 32 hex digits, not {quoted(id)}"
    yield from _of_pairs(expect)
    yield from _of_reasons(check)


def _pairs(expect: Expectations) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each expected pair with its path."""
    for field in ("chained", "apart"):
        for position, pair in enumerate(getattr(expect, field)):
            yield f"expect.{field}[{position}]", pair


def _named_operators(expect: Expectations, check: CheckSettings) -> Iterator[tuple[str, str]]:
    for path, pair in _pairs(expect):
        yield from ((f"{path}[{end}]", name) for end, name in enumerate(pair))
    for name in expect.ids:
        yield f"expect.ids.{step(name)}", name
    for code, reasons in check.silenced.items():
        if not isinstance(reasons, str):
            for name in reasons:
                yield f"check.silenced.{step(code)}.{step(name)}", name


def _of_pairs(expect: Expectations) -> Iterator[Problem]:
    for path, (source, target) in _pairs(expect):
        if source == target:
            yield path, f"names {quoted(source)} twice; name two operators"
    first: dict[frozenset[str], str] = {}
    for path, pair in _pairs(expect):
        earlier = first.setdefault(frozenset(pair), path)
        if earlier != path:
            yield path, f"names the same two operators as {earlier}; keep one of them"


def _of_reasons(check: CheckSettings) -> Iterator[Problem]:
    for code, reasons in check.silenced.items():
        path = f"check.silenced.{step(code)}"
        named = {"": reasons} if isinstance(reasons, str) else reasons
        for name, reason in named.items():
            place = f"{path}.{step(name)}" if named is reasons else path
            if not reason.strip():
                yield place, "must say why, in a few words"
            if problem := too_long(reason):
                yield place, problem
    for code in (*check.severities, *check.silenced):
        if not 0 < len(code) <= MAX_ID:
            yield "check", f"a code has 1 to {MAX_ID} characters, not {len(code):,}"
