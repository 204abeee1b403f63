"""Fixes of a finding: each proposed change is made, and the document is checked again.

With a baseline, the restore verdict is computed again too: a change is no fix if more state is lost
than before, or if an operator that it pins does not find its state.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import Final

import msgspec

from explorer.checks.checking import NOTHING, check_document, own_baseline
from explorer.checks.findings import Finding
from explorer.checks.lock import Lock
from explorer.comparison.baseline import Baseline, CompiledBaseline, compile_baseline
from explorer.comparison.compare import compare
from explorer.errors import ExplorerError
from explorer.explain.suggested_fixes import Attempt, FixOutcome, SuggestedFix, try_proposal
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.changes import Change, SetField, Together
from explorer.model.pipeline import CheckSettings, Pipeline
from explorer.restore.verdict import RestoreVerdict, restore

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
    """Try the finding's proposals lazily; yield those that can be made and remove it.

    ``baseline``: default: the document's own. ``before``: the document's compilation, where known.
    """
    if not finding.proposals:
        return
    with suppress(ExplorerError):
        before = before or compile_program(pipeline, flink_version)
    recheck = _Recheck(
        finding=finding,
        lock=lock,
        version=flink_version,
        weights=weights,
        baseline=baseline or own_baseline(pipeline),
        pipeline=pipeline,
        before=before,
    )
    for proposal in finding.proposals:
        fix = try_proposal(
            pipeline,
            proposal,
            code=finding.code,
            check=recheck.outcome,
            flink_version=flink_version,
            before=before,
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
        """The change's outcome; None: the finding stays, Flink refuses it, or state is lost."""
        try:
            new_findings = check_document(
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
        if any(
            item.code == _REFUSED or item.key == self.finding.key for item in new_findings.findings
        ):
            return None
        verdict = self._verdict(attempt.pipeline, attempt.compilation)
        if not self._is_safe(attempt.proposal.change, verdict):
            return None
        effect = "Flink accepts the program"
        if self.before is not None and attempt.compilation is not None:
            effect = compare(self.before, attempt.compilation).sentence()
        effect += "" if verdict is None else f". From {verdict.old}: {verdict.sentence}"
        return FixOutcome(solved=True, effect=effect)

    @cached_property
    def _old(self) -> CompiledBaseline | None:
        try:
            return None if self.baseline is None else compile_baseline(self.baseline, self.version)
        except ExplorerError:
            return None

    @cached_property
    def _was(self) -> RestoreVerdict | None:
        return self._verdict(self.pipeline, self.before)

    def _is_safe(self, change: Change, new_verdict: RestoreVerdict | None) -> bool:
        """Whether no more is lost or refused, and every pinned operator finds its own state."""
        if self._was is None or new_verdict is None:
            return self._was is None
        if self._was.verdict == "restored" and new_verdict.verdict == "refused":
            return False
        old_operators, new_operators = (
            {
                operator.operator_id: operator
                for operator in verdict.operators
                if operator.endangered
            }
            for verdict in (self._was, new_verdict)
        )
        changes = change.changes if isinstance(change, Together) else (change,)
        set_fields = [set_field for set_field in changes if isinstance(set_field, SetField)]
        pinned = {field.id for field in set_fields if field.field in {"uid", "uid_hash"}}
        return new_operators.keys() <= old_operators.keys() and not any(
            restored_operator.transformation in pinned
            for restored_operator in new_operators.values()
        )

    def _verdict(
        self, document: Pipeline, compilation: Compilation | None
    ) -> RestoreVerdict | None:
        """The verdict on the document; None: there is no baseline, or one does not compile."""
        if self._old is None or compilation is None:
            return None
        try:
            return restore(self._old, document, compilation, with_fixes=False)
        except ExplorerError:
            return None
