"""A verdict before the deploy: will it restore, what stands in the way, what else changes?

One question, asked of the two sides at once, for the page and for the shell.
"""

from typing import Any

import msgspec

from explorer.analysis.baseline import Baseline, Deployed, deployed
from explorer.analysis.job_changes import JobChange, document_changes, job_changes
from explorer.analysis.restore import Restore, restore
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
    baseline: Baseline, document: Document, new: Compilation, *, allow_non_restored: bool = False
) -> Redeployment:
    """Judge the way from the baseline to ``new``, which ``document`` became.

    Raises ``ExplorerError`` where the baseline does not compile.
    """
    old = deployed(baseline, new.release.version)
    return redeploy_from(old, baseline, document, new, allow_non_restored=allow_non_restored)


def redeploy_from(
    old: Deployed,
    baseline: Baseline,
    document: Document,
    new: Compilation,
    *,
    allow_non_restored: bool = False,
) -> Redeployment:
    """The same for a baseline that is compiled already."""
    verdict = restore(old, document, new, allow_non_restored)
    return Redeployment(
        restore=verdict,
        changes=_changes(baseline, old, document, new),
        restrictions=restrictions(old, new, verdict),
    )


def _changes(
    baseline: Baseline, old: Deployed, document: Document, new: Compilation
) -> tuple[JobChange, ...]:
    if old.program is None or baseline.document is None:
        return ()
    return (*document_changes(baseline.document, document), *job_changes(old.program, new))
