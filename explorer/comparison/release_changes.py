"""Differences between Flink releases, in general and for one program.

The general table is the rows of ``explorer.flink.releases``; for a program, both releases translate
it and the results are compared: refusals, chains, IDs, names, result types.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

import msgspec

from explorer.comparison.chosen_matches import chosen_nodes
from explorer.comparison.compare import Comparison, OperatorChange, compare
from explorer.comparison.matching import match_operators
from explorer.errors import ExplorerError
from explorer.flink import releases
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.releases import SWITCHES, VERSIONS
from explorer.model.document import Document
from explorer.wording import counted


class SwitchRow(msgspec.Struct, frozen=True, kw_only=True):
    """One behaviour that some release changed."""

    name: str
    about: str
    since: str
    """The release from which on ``value`` holds."""
    before: str
    value: str
    issue: str | None


def switch_rows(first: str = VERSIONS[0], last: str = VERSIONS[-1]) -> tuple[SwitchRow, ...]:
    """Return every change after ``first``, up to and with ``last``, in the order of releases."""
    low, high = (VERSIONS.index(releases.release(v).version) for v in (first, last))
    rows = [
        SwitchRow(
            name=name,
            about=behaviour.about,
            since=release,
            before=_text(behaviour.values[previous]),
            value=_text(behaviour.values[release]),
            issue=behaviour.issue,
        )
        for name, behaviour in SWITCHES.items()
        for previous, release in pairwise(sorted(behaviour.values, key=VERSIONS.index))
        if low < VERSIONS.index(release) <= high
    ]
    return tuple(sorted(rows, key=lambda row: VERSIONS.index(row.since)))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return "none" if value is None else str(value).replace("\n", " ")


UNCHANGED: Final = "nothing changes: same tasks, same IDs, same names."


class ReleaseChange(msgspec.Struct, frozen=True, kw_only=True):
    """One program under two releases, or two programs."""

    first: str
    last: str
    refusals: tuple[str | None, str | None]
    """The errors of the first and of the second release; None where one accepts it."""
    comparison: Comparison | None
    """None where either refuses it."""
    compilations: tuple[Compilation | None, Compilation | None]

    def sentences(self) -> Iterator[str]:
        """Describe the changes, a sentence each."""
        for version, refusal in zip((self.first, self.last), self.refusals, strict=True):
            if refusal is not None:
                yield f"Flink {version}: {refusal}"
        if self.comparison is None:
            return
        previous, following = self.comparison.tasks
        if previous != following:
            yield f"The job has {counted(following, 'task')} instead of {previous:,}."
        gone, new = self.comparison.vertices
        yield from (f"The task {name!r} is gone." for name in gone)
        yield from (f"The task {name!r} is new." for name in new)
        for change in self.comparison.operators:
            yield from _operator_sentences(change)
        for edge, old_type, new_type in self.comparison.result_types:
            yield f"The result of {edge} is {new_type} instead of {old_type}."
        yield from (
            job_change.sentence
            for job_change in self.comparison.changes
            if job_change.what not in _REPEATED
        )

    def warnings(self) -> Iterator[str]:
        """Return the warnings of only one of the two compilations, with its release."""
        intersection = set.intersection(
            *(set(outcome.warnings if outcome else ()) for outcome in self.compilations)
        )
        for version, compilation in zip((self.first, self.last), self.compilations, strict=True):
            for warning in compilation.warnings if compilation else ():
                if warning not in intersection:
                    yield f"Flink {version}: {warning}"


def release_change(document: Document, first: str, last: str) -> ReleaseChange:
    """Translate ``document`` under both releases and compare."""
    return document_change(document, document, first, last)


def document_change(
    old: Document, new: Document, first: str, last: str, matches: Mapping[str, str] | None = None
) -> ReleaseChange:
    """Translate ``old`` under the first release and ``new`` under the last, and compare.

    ``matches``: maps old operators to the new ones chosen by the user.
    """
    first, last = (releases.release(version).version for version in (first, last))
    (old_compilation, why_before), (new_compilation, why_after) = (
        _attempt(old, first),
        _attempt(new, last),
    )
    comparison = None
    if old_compilation is not None and new_compilation is not None:
        chosen = chosen_nodes(old_compilation, new_compilation, matches or {})
        comparison = compare(
            old_compilation,
            new_compilation,
            match_operators(old_compilation, new_compilation, chosen).pairs,
        )
    return ReleaseChange(
        first=first,
        last=last,
        refusals=(why_before, why_after),
        comparison=comparison,
        compilations=(old_compilation, new_compilation),
    )


def _attempt(document: Document, version: str) -> tuple[Compilation | None, str | None]:
    try:
        return compile_program(document, version), None
    except ExplorerError as error:
        return None, str(error)


_REPEATED: Final = ("name", "chaining strategy", "exchange type")
"""Facts that a sentence of the comparison covers already."""


def _operator_sentences(change: OperatorChange) -> Iterator[str]:
    old, current = change.before, change.after
    if old is None or current is None:
        if operator := current or old:
            yield f"The operator {operator.name!r} is {'new' if old is None else 'removed'}."
        return
    if old.id != current.id:
        rescue = "; its uid hash finds the state" if change.rescued else ""
        yield f"{current.name!r} has another ID: {current.id} instead of {old.id}{rescue}."
    if old.name != current.name:
        yield f"{old.name!r} is called {current.name!r}."
    if old.chaining_strategy != current.chaining_strategy:
        yield (
            f"{current.name!r} has the chaining strategy {current.chaining_strategy} instead of "
            f"{old.chaining_strategy}."
        )
