"""The verdict before a deploy: whether it restores, what prevents that, and further changes.

One question, asked of the two sides at once, for the page and for the shell.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from explorer.analysis.baseline import Baseline, Deployed
from explorer.analysis.chosen_matches import with_matches
from explorer.analysis.job_changes import JobChange, document_changes, job_changes
from explorer.analysis.matching import Match
from explorer.analysis.restore import Restore, match_deployed, matched_nodes, restore
from explorer.analysis.restored import RestoredOperator
from explorer.analysis.restrictions import Restriction, Weight, restrictions
from explorer.documents import Document
from explorer.flink.compiler import Compilation
from explorer.wording import with_full_stop

Answer: TypeAlias = Literal[
    "Flink restores",
    "not fully checked",
    "Flink drops state",
    "Flink will refuse",
    "state goes to the wrong operator",
]


class Redeployment(msgspec.Struct, frozen=True, kw_only=True):
    """The one verdict on replacing the baseline by the current program.

    Page, shell and JSON read this record; none of them derives a verdict of its own.
    """

    restore: Restore
    changes: tuple[JobChange, ...]
    """All differences except IDs; empty where a savepoint alone is known."""
    restrictions: tuple[Restriction, ...]
    """Refusals first."""
    releases: tuple[str | None, str]
    """The baseline's Flink release, None where only its savepoint is known; and the new one."""

    @property
    def refusals(self) -> tuple[str, ...]:
        """The restrictions with which Flink fails."""
        return self._weighing("refused")

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The restrictions that may or may not let Flink fail."""
        return self._weighing("unchecked")

    def _weighing(self, weight: Weight) -> tuple[str, ...]:
        return tuple(one.sentence for one in self.restrictions if one.weight == weight)

    @property
    def holds(self) -> bool:
        """Whether Flink restores, and every state goes to its own operator as far as is known."""
        return self.restore.holds and not self.refusals

    @property
    def verdict(self) -> str:
        """``restored`` or ``refused``, as the restore's, restrictions included."""
        return "refused" if self.refusals else self.restore.verdict

    @property
    def unchecked(self) -> bool:
        """Whether something that Flink checks was not checked."""
        return bool(self.restore.unchecked or self.assumptions)

    @property
    def answer(self) -> Answer:
        """The verdict in one word or two, the same in every place."""
        if self.restore.misdirected:
            return "state goes to the wrong operator"
        if not self.holds:
            return "Flink will refuse"
        if self.restore.lost:
            return "Flink drops state"
        return "not fully checked" if self.unchecked else "Flink restores"

    @property
    def sentence(self) -> str:
        """The verdict in a sentence."""
        if self.restore.holds and self.refusals:
            return with_full_stop(f"Flink {self.restore.flink} will refuse: {self.refusals[0]}")
        if self.holds and not self.restore.unchecked and self.assumptions:
            return with_full_stop(f"{self.restore.sentence} Not checked: {self.assumptions[0]}")
        return self.restore.sentence

    @property
    def headline(self) -> str:
        """What is compared, under which releases, and the verdict."""
        before, _ = self.releases
        release = f" (Flink {before})" if before else ""
        return f"Against {self.restore.old}{release}: {self.sentence}"

    @property
    def changed_ids(self) -> tuple[RestoredOperator, ...]:
        """The operators with a changed or removed ID."""
        return tuple(
            one for one in self.restore.operators if one.change in {"moved", "lost", "unclear"}
        )

    def exit_code(self, *, accept_unchecked: bool = False) -> int:
        """0 all that Flink checks was checked and holds; 1 refused; 3 not all could be checked."""
        if not self.holds:
            return 1
        return 3 if self.unchecked and not accept_unchecked else 0

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members: the restore's, the verdict's own, ``changes``, ``restrictions``."""
        return {
            **self.restore.to_dict(),
            "verdict": self.verdict,
            "sentence": self.sentence,
            "answer": self.answer,
            "headline": self.headline,
            "releases": list(self.releases),
            "changes": msgspec.to_builtins(self.changes),
            "restrictions": [one.sentence for one in self.restrictions],
            "refusals": list(self.refusals),
            "assumptions": list(self.assumptions),
        }


def redeploy(
    baseline: Baseline,
    document: Document,
    new: Compilation,
    *,
    allow_non_restored: bool = False,
    matches: Mapping[str, str] | None = None,
) -> Redeployment:
    """Judge the deployment of ``new``, the compilation of ``document``, over the baseline.

    ``matches``: by operator of the baseline, the new operator that it is, in addition to the
    baseline's own; see ``chosen_matches``. Raises ``ExplorerError`` where the baseline does not
    compile or a match names no operator.
    """
    baseline, old = with_matches(baseline, new, matches or {})
    return redeploy_from(old, baseline, document, new, allow_non_restored=allow_non_restored)


def redeploy_from(
    old: Deployed,
    baseline: Baseline,
    document: Document,
    new: Compilation,
    *,
    allow_non_restored: bool = False,
    matches: Mapping[str, Match] | None = None,
) -> Redeployment:
    """The same for a baseline that is compiled already.

    ``matches``: by operator ID, which new operator each old one is, where that is computed already.
    """
    if matches is None:
        matches = match_deployed(old, document, new)
    verdict = restore(old, document, new, allow_non_restored, matches=matches)
    return Redeployment(
        restore=verdict,
        changes=_changes(baseline, old, document, new, matches),
        restrictions=restrictions(old, new, verdict, document.options),
        releases=(old.program.release.version if old.program else None, new.release.version),
    )


def _changes(
    baseline: Baseline,
    old: Deployed,
    document: Document,
    new: Compilation,
    matches: Mapping[str, Match],
) -> tuple[JobChange, ...]:
    if old.program is None or baseline.document is None:
        return ()
    changes = job_changes(old.program, new, matched_nodes(old, matches))
    return (*document_changes(baseline.document, document), *changes)
