"""The verdict before a deploy: whether Flink restores, what prevents that, and other changes."""

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
    """The verdict on replacing the baseline by the current program, for page, shell and JSON."""

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
        return self._sentences("refused")

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The restrictions with which Flink may fail."""
        return self._sentences("unchecked")

    def _sentences(self, weight: Weight) -> tuple[str, ...]:
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
        """The verdict in a few words."""
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
        """The baseline, its release, and the verdict."""
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
        """Return 0 if all was checked and holds, 1 if refused, 3 if not all could be checked."""
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

    ``matches``: maps operators of the baseline to new operators, in addition to its own matches;
    see ``chosen_matches``. Raises ``ExplorerError`` where the baseline does not compile or a match
    names no operator.
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
    """Judge the deployment over a baseline that is compiled already.

    ``matches``: ``match_deployed(old, document, new)``, where it is computed already.
    """
    if matches is None:
        matches = match_deployed(old, document, new)
    verdict = restore(old, document, new, allow_non_restored, matches=matches)
    changes: tuple[JobChange, ...] = ()
    if old.program is not None and baseline.document is not None:
        changes = (
            *document_changes(baseline.document, document),
            *job_changes(old.program, new, matched_nodes(old, matches)),
        )
    return Redeployment(
        restore=verdict,
        changes=changes,
        restrictions=restrictions(old, new, verdict, document.options),
        releases=(old.program.release.version if old.program else None, new.release.version),
    )
