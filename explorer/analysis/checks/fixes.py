"""Fixes of a finding: each proposed change is made, and the document is checked again.

With a baseline, the restore verdict is asked again too: a change after which more state is lost
than before, or after which the operator that it names does not find its state, is no fix.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Final

import msgspec

from explorer.analysis.baseline import Baseline, Deployed, compile_baseline
from explorer.analysis.checks.checking import NOTHING, check_document, own_baseline
from explorer.analysis.checks.findings import Finding
from explorer.analysis.compare import compare
from explorer.analysis.lock import Lock
from explorer.analysis.restore import Restore, restore
from explorer.analysis.suggested_fixes import Attempt, FixOutcome, SuggestedFix, try_proposal
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.changes import Change, SetField, Together
from explorer.model.pipeline import CheckSettings, Pipeline

_REFUSED: Final = "RF01"
"""The rule that Flink refuses the program."""


def fixes(
    pipeline: Pipeline,
    finding: Finding,
    *,
    lock: Lock | None = None,
    flink_version: str | None = None,
    weights: CheckSettings = NOTHING,
    baseline: Baseline | None = None,
    before: Compilation | None = None,
) -> Iterator[SuggestedFix]:
    """The finding's changes that can be made and remove it, each tried when it is asked for.

    ``baseline``: default: the document's own. ``before``: the document's
    compilation, where it is known.
    """
    if not finding.proposals:
        return
    recheck = _Recheck(
        finding=finding,
        lock=lock,
        version=flink_version,
        weights=weights,
        baseline=baseline or own_baseline(pipeline),
        pipeline=pipeline,
        before=before or _compiled(pipeline, flink_version),
    )
    for proposal in finding.proposals:
        fix = try_proposal(
            pipeline,
            proposal,
            code=finding.code,
            check=recheck.outcome,
            flink_version=flink_version,
            before=recheck.before,
        )
        if fix is not None:
            yield fix


class _Recheck(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Checks changed documents again; the baseline is compiled once."""

    finding: Finding
    lock: Lock | None
    version: str | None
    weights: CheckSettings
    baseline: Baseline | None
    pipeline: Pipeline
    before: Compilation | None

    def outcome(self, attempt: Attempt) -> FixOutcome | None:
        """None: the finding stays, or the change is refused, or it costs state."""
        try:
            after = check_document(
                attempt.pipeline,
                before=attempt.compilation,
                lock=self.lock,
                flink_version=self.version,
                weights=self.weights,
                baseline=self.baseline,
                codes={self.finding.code, _REFUSED},
            )
        except ExplorerError:  # It became too large to ask.
            return None
        if any(one.code == _REFUSED or one.key == self.finding.key for one in after.findings):
            return None
        then = self._verdict(attempt.pipeline, attempt.compilation)
        if not _is_safe(self._was, then, _pinned(attempt.proposal.change)):
            return None
        return FixOutcome(solved=True, effect=_effect(self.before, attempt.compilation, then))

    @cached_property
    def _old(self) -> Deployed | None:
        try:
            return None if self.baseline is None else compile_baseline(self.baseline, self.version)
        except ExplorerError:
            return None

    @cached_property
    def _was(self) -> Restore | None:
        return self._verdict(self.pipeline, self.before)

    def _verdict(self, document: Pipeline, done: Compilation | None) -> Restore | None:
        """The verdict on the document; None: there is no baseline, or one does not compile."""
        if self._old is None or done is None:
            return None
        try:
            return restore(self._old, document, done)
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


def _compiled(pipeline: Pipeline, version: str | None) -> Compilation | None:
    try:
        return compile_program(pipeline, version)
    except ExplorerError:
        return None


def _effect(before: Compilation | None, after: Compilation | None, then: Restore | None) -> str:
    if before is None or after is None:
        effect = "Flink accepts the program"
    else:
        effect = compare(before, after).sentence()
    return effect if then is None else f"{effect}. From {then.old}: {then.sentence}"
