"""A verdict before the deploy: will it restore, what stands in the way, what else changes?

One question, asked of the two sides at once, for the page and for the shell.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from explorer.analysis.baseline import Baseline, Deployed, deployed
from explorer.analysis.chosen_matches import chosen_matches
from explorer.analysis.job_changes import JobChange, document_changes, job_changes
from explorer.analysis.matching import Match
from explorer.analysis.restore import Restore, match_deployed, matched_nodes, restore
from explorer.analysis.restrictions import restrictions
from explorer.documents import Document
from explorer.flink.compiler import Compilation


class Redeployment(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of a job when another program takes its place."""

    restore: Restore
    changes: tuple[JobChange, ...]
    """All that differs besides IDs; empty where a savepoint alone is known."""
    restrictions: tuple[str, ...]
    """A sentence each."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members: the restore's, ``changes`` and ``restrictions``."""
        return {
            **self.restore.to_dict(),
            "changes": msgspec.to_builtins(self.changes),
            "restrictions": list(self.restrictions),
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

    ``matches``: by operator of the baseline, the new operator that it is; see ``chosen_matches``.
    Raises ``ExplorerError`` where the baseline does not compile or a match names no operator.
    """
    old = deployed(baseline, new.release.version)
    chosen = chosen_matches(old, new, matches or {})
    return redeploy_from(
        old,
        baseline,
        document,
        new,
        allow_non_restored=allow_non_restored,
        matches=match_deployed(old, document, new, chosen),
    )


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

    ``matches``: ``match_deployed(old, document, new)``, where it is computed already.
    """
    if matches is None:
        matches = match_deployed(old, document, new)
    verdict = restore(old, document, new, allow_non_restored, matches=matches)
    return Redeployment(
        restore=verdict,
        changes=_changes(baseline, old, document, new, matches),
        restrictions=restrictions(old, new, verdict),
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
