"""Fixes of a finding: each proposed change is made, and the document is checked again.

With a baseline, the restore verdict is asked again too: a change after which more state is lost
than before, or after which the operator that it names does not find its state, is no fix.
"""

from collections.abc import Iterator
from functools import cached_property

import msgspec

from explorer.analysis.baseline import Baseline, Deployed, deployed
from explorer.analysis.checks.checking import NOTHING, check_document, own_baseline
from explorer.analysis.checks.findings import Finding
from explorer.analysis.compare import compare
from explorer.analysis.lock import Lock
from explorer.analysis.restore import Restore, restore
from explorer.edits.changes import allowed
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation, compile_graph
from explorer.model.changes import Change, SetField, Together
from explorer.model.pipeline import CheckSettings, Pipeline


class CheckFix(msgspec.Struct, frozen=True, kw_only=True):
    """A change after which the finding is gone."""

    label: str
    pipeline: Pipeline
    """The document with the change."""
    effect: str
    """What it does to tasks and IDs, such as ``3 tasks, 1 ID changes``."""


def fixes(
    pipeline: Pipeline,
    finding: Finding,
    *,
    lock: Lock | None = None,
    flink_version: str | None = None,
    weights: CheckSettings = NOTHING,
    baseline: Baseline | None = None,
    before: Compilation | None = None,
) -> Iterator[CheckFix]:
    """The finding's changes that can be made and take it away, each tried when it is asked for.

    ``baseline``: what is deployed; default: the document's own. ``before``: the document's
    compilation, where it is known.
    """
    if before is None and finding.proposals:
        before = _compiled(pipeline, flink_version, None)
    deployment = _Deployment(baseline or own_baseline(pipeline), flink_version)
    was = deployment.verdict(pipeline) if finding.proposals else None
    for proposal in finding.proposals:
        changed = allowed(pipeline, proposal.change)
        if changed is None or changed == pipeline:
            continue
        made = _compiled(changed, flink_version, before)
        try:
            after = check_document(
                changed,
                before=made,
                lock=lock,
                flink_version=flink_version,
                weights=weights,
                baseline=deployment.baseline,
            )
        except ExplorerError:  # It became too large to ask.
            continue
        refused = any(one.code == "RF01" for one in after.findings)
        then = deployment.verdict(changed)
        if refused or not _is_safe(was, then, _pinned(proposal.change)):
            continue
        if finding.key not in {one.key for one in after.findings}:
            effect = _effect(before, made)
            if then is not None:
                effect = f"{effect}. From {then.old}: {then.sentence}"
            yield CheckFix(label=proposal.label, pipeline=changed, effect=effect)


class _Deployment:
    """The baseline, compiled once, and verdicts on restoring changed documents from it."""

    def __init__(self, baseline: Baseline | None, version: str | None) -> None:
        self.baseline, self.version = baseline, version

    @cached_property
    def _old(self) -> Deployed | None:
        try:
            return None if self.baseline is None else deployed(self.baseline, self.version)
        except ExplorerError:
            return None

    def verdict(self, document: Pipeline) -> Restore | None:
        """The verdict on the document; None: there is no baseline, or one does not compile."""
        if self._old is None:
            return None
        try:
            return restore(self._old, document, compile_graph(document, self.version))
        except ExplorerError:
            return None


def _pinned(change: Change) -> frozenset[str]:
    """The transformations that a change gives a uid or a uid hash."""
    changes = change.changes if isinstance(change, Together) else (change,)
    return frozenset(
        one.id for one in changes if isinstance(one, SetField) and one.field in {"uid", "uid_hash"}
    )


def _is_safe(was: Restore | None, then: Restore | None, pinned: frozenset[str]) -> bool:
    """Whether no more state is lost than before, and every pinned operator finds its own."""
    if was is None:
        return True
    if then is None:
        return False
    before, after = (
        {one.operator_id: one for one in verdict.operators if one.endangered}
        for verdict in (was, then)
    )
    return after.keys() <= before.keys() and not any(
        one.transformation in pinned for one in after.values()
    )


def _compiled(
    pipeline: Pipeline, version: str | None, before: Compilation | None
) -> Compilation | None:
    """The compilation, which shares with ``before`` what is the same; None where it is refused."""
    try:
        return compile_graph(pipeline, version, before=before)
    except ExplorerError:
        return None


def _effect(before: Compilation | None, after: Compilation | None) -> str:
    if before is None or after is None:
        return "Flink takes the program then"
    return compare(before, after).sentence()
