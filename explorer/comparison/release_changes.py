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
            since=since,
            before=_text(behaviour.values[before]),
            value=_text(behaviour.values[since]),
            issue=behaviour.issue,
        )
        for name, behaviour in SWITCHES.items()
        for before, since in pairwise(sorted(behaviour.values, key=VERSIONS.index))
        if low < VERSIONS.index(since) <= high
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
        before, after = self.comparison.tasks
        if before != after:
            yield f"The job has {counted(after, 'task')} instead of {before:,}."
        gone, new = self.comparison.vertices
        yield from (f"The task {name!r} is gone." for name in gone)
        yield from (f"The task {name!r} is new." for name in new)
        for change in self.comparison.operators:
            yield from _operator_sentences(change)
        for edge, old_type, new_type in self.comparison.result_types:
            yield f"The result of {edge} is {new_type} instead of {old_type}."
        yield from (one.sentence for one in self.comparison.changes if one.what not in _REPEATED)

    def warnings(self) -> Iterator[str]:
        """Return the warnings of only one of the two compilations, with its release."""
        both = set.intersection(*(set(done.warnings if done else ()) for done in self.compilations))
        for version, done in zip((self.first, self.last), self.compilations, strict=True):
            for warning in done.warnings if done else ():
                if warning not in both:
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
    (before, why_before), (after, why_after) = _attempt(old, first), _attempt(new, last)
    comparison = None
    if before is not None and after is not None:
        chosen = chosen_nodes(before, after, matches or {})
        comparison = compare(before, after, match_operators(before, after, chosen).pairs)
    return ReleaseChange(
        first=first,
        last=last,
        refusals=(why_before, why_after),
        comparison=comparison,
        compilations=(before, after),
    )


def _attempt(document: Document, version: str) -> tuple[Compilation | None, str | None]:
    try:
        return compile_program(document, version), None
    except ExplorerError as error:
        return None, str(error)


_REPEATED: Final = ("name", "chaining strategy", "exchange type")
"""Facts that a sentence of the comparison covers already."""


def _operator_sentences(change: OperatorChange) -> Iterator[str]:
    old, now = change.before, change.after
    if old is None or now is None:
        if one := now or old:
            yield f"The operator {one.name!r} is {'new' if old is None else 'removed'}."
        return
    if old.id != now.id:
        found = "; its uid hash finds the state" if change.rescued else ""
        yield f"{now.name!r} has another ID: {now.id} instead of {old.id}{found}."
    if old.name != now.name:
        yield f"{old.name!r} is called {now.name!r}."
    if old.chaining_strategy != now.chaining_strategy:
        yield (
            f"{now.name!r} has the chaining strategy {now.chaining_strategy} instead of "
            f"{old.chaining_strategy}."
        )
