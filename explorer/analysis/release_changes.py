"""What differs between Flink releases: in general, and for one program.

The general table is the rows of ``explorer.flink.releases``; for a program, both releases translate
it and the results are compared: refusals, chains, IDs, names, result types.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

import msgspec

from explorer.analysis.chosen_matches import chosen_nodes
from explorer.analysis.compare import Comparison, OperatorChange, compare
from explorer.analysis.matching import match_operators
from explorer.errors import ExplorerError
from explorer.flink import releases
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.releases import SWITCHES, VERSIONS, Behaviour
from explorer.model.document import Document


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
    """Every change after ``first``, up to and with ``last``, in the order of the releases."""
    low, high = (VERSIONS.index(releases.release(v).version) for v in (first, last))
    rows = [row for name, behaviour in SWITCHES.items() for row in _changes(name, behaviour)]
    return tuple(
        sorted(
            (row for row in rows if low < VERSIONS.index(row.since) <= high),
            key=lambda row: VERSIONS.index(row.since),
        )
    )


def _changes(name: str, behaviour: Behaviour) -> Iterator[SwitchRow]:
    for before, since in pairwise(sorted(behaviour.values, key=VERSIONS.index)):
        yield SwitchRow(
            name=name,
            about=behaviour.about,
            since=since,
            before=_text(behaviour.values[before]),
            value=_text(behaviour.values[since]),
            issue=behaviour.issue,
        )


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
    """Why the first and the second release refuse it; None where one accepts it."""
    comparison: Comparison | None
    """None where either refuses it."""
    compilations: tuple[Compilation | None, Compilation | None]

    def sentences(self) -> Iterator[str]:
        """What changes, one sentence a fact; none where nothing does."""
        for version, refusal in zip((self.first, self.last), self.refusals, strict=True):
            if refusal is not None:
                yield f"Flink {version}: {refusal}"
        if self.comparison is not None:
            yield from _sentences(self.comparison)

    def warnings(self) -> Iterator[str]:
        """What only one of the two could not honour, with its release."""
        both = set.intersection(*(set(done.warnings if done else ()) for done in self.compilations))
        for version, done in zip((self.first, self.last), self.compilations, strict=True):
            for warning in done.warnings if done else ():
                if warning not in both:
                    yield f"Flink {version}: {warning}"


def release_change(document: Document, first: str, last: str) -> ReleaseChange:
    """Translate ``document`` under both releases and compare."""
    return document_change(document, document, first, last)


def document_change(
    old: Document,
    new: Document,
    first: str,
    last: str,
    matches: Mapping[str, str] | None = None,
) -> ReleaseChange:
    """Translate ``old`` under the first release and ``new`` under the last, and compare.

    ``matches``: the new operators that old ones are, by the user's choice.
    """
    (before, why_before), (after, why_after) = (
        _attempt(document, releases.release(version).version)
        for document, version in ((old, first), (new, last))
    )
    return ReleaseChange(
        first=releases.release(first).version,
        last=releases.release(last).version,
        refusals=(why_before, why_after),
        comparison=_comparison(before, after, matches or {}),
        compilations=(before, after),
    )


def _comparison(
    before: Compilation | None, after: Compilation | None, matches: Mapping[str, str]
) -> Comparison | None:
    if before is None or after is None:
        return None
    chosen = chosen_nodes(before, after, matches)
    return compare(before, after, match_operators(before, after, chosen).pairs)


def _attempt(document: Document, version: str) -> tuple[Compilation | None, str | None]:
    try:
        return compile_program(document, version), None
    except ExplorerError as error:
        return None, str(error)


def _sentences(comparison: Comparison) -> Iterator[str]:
    before, after = comparison.tasks
    if before != after:
        yield f"The job has {after} tasks instead of {before}."
    gone, new = comparison.vertices
    for name in gone:
        yield f"The task {name!r} is gone."
    for name in new:
        yield f"The task {name!r} is new."
    for change in comparison.operators:
        yield from _operator_sentences(change)
    for edge, old_type, new_type in comparison.result_types:
        yield f"The result of {edge} is {new_type} instead of {old_type}."
    yield from (one.sentence for one in comparison.changes if one.what not in _WORDING)


_WORDING: Final = ("name", "chaining strategy", "exchange type")
"""Facts that a sentence of the comparison covers already."""


def _operator_sentences(change: OperatorChange) -> Iterator[str]:
    old, now = change.before, change.after
    if old is None or now is None:
        name = now.name if now else old.name if old else change.transformation
        yield f"The operator {name!r} is {'new' if old is None else 'removed'}."
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
