"""Fixes of a finding: each proposed change is made, and the document is checked again.

With a baseline, the restore verdict is computed again too: a change is no fix if more state is lost
than before, or if an operator that it pins does not find its state.
"""

from collections.abc import Iterator, Set
from contextlib import suppress
from functools import cached_property
from typing import Final

from explorer.checks.checking import NOTHING, check_document, own_baseline
from explorer.checks.findings import Finding, FindingKey
from explorer.checks.lock import Lock
from explorer.comparison.baseline import CompiledBaseline, compile_baseline
from explorer.comparison.compare import compare
from explorer.errors import ExplorerError
from explorer.explain.suggested_fixes import Attempt, SuggestedFix, attempt_change
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.changes import Change, Proposal, SetField, Together
from explorer.model.pipeline import CheckSettings, Pipeline
from explorer.restore.verdict import RestoreVerdict, restore

_REFUSED: Final = "RF01"
"""The rule that Flink refuses the program."""
EDGES_TRIED: Final = 40_000
"""Edges, summed over all tried changes, after which no other change of a document is tried: each
try compiles and checks the whole document."""


class FixTrials:
    """Tries the proposals of a document's findings; a change of several findings is made once.

    ``before``: the document's compilation, where known.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        *,
        lock: Lock | None = None,
        flink_version: str | None = None,
        weights: CheckSettings = NOTHING,
        before: Compilation | None = None,
    ) -> None:
        self._pipeline, self._lock, self._version = pipeline, lock, flink_version
        self._weights, self._before = weights, before
        self._baseline = own_baseline(pipeline)
        # By change as text: a change that holds a transformation has no hash.
        self._attempts: dict[str, Attempt | None] = {}
        self._effects: dict[str, str] = {}
        self._keys: dict[tuple[str, str], Set[FindingKey] | None] = {}
        """By rule and change, what is left of the rule's findings."""
        self._edges = 0
        self.untried: set[FindingKey] = set()
        """Keys of the findings with a proposal that was not tried, for its cost."""

    def fixes(self, finding: Finding) -> Iterator[SuggestedFix]:
        """Try the finding's proposals lazily; yield those that can be made and remove it."""
        for proposal in finding.proposals:
            is_known = repr(proposal.change) in self._attempts
            if self._edges > EDGES_TRIED and not is_known:
                self.untried.add(finding.key)
                continue
            attempt = self._attempt(proposal)
            effect = None if attempt is None else self._effect(finding, attempt)
            if attempt is not None and effect is not None:
                yield SuggestedFix(
                    code=finding.code,
                    label=proposal.label,
                    pipeline=attempt.pipeline,
                    solved=True,
                    effect=effect,
                )

    def _attempt(self, proposal: Proposal) -> Attempt | None:
        """The change, made; None: the document does not allow it."""
        key = repr(proposal.change)
        if key not in self._attempts:
            size = len(self._pipeline.transformations)
            if self._compilation is not None:
                size = max(size, len(self._compilation.stream_graph.edges))
            self._edges += size
            self._attempts[key] = attempt_change(
                self._pipeline, proposal, flink_version=self._version, before=self._compilation
            )
        return self._attempts[key]

    @cached_property
    def _compilation(self) -> Compilation | None:
        """The document's compilation; None: Flink refuses it."""
        if self._before is None:
            with suppress(ExplorerError):
                return compile_program(self._pipeline, self._version)
        return self._before

    def _effect(self, finding: Finding, attempt: Attempt) -> str | None:
        """A fix's effect; None: the finding stays, Flink refuses it, or state is lost."""
        remaining = self._remaining(finding.code, attempt)
        if remaining is None or finding.key in remaining:
            return None
        key = repr(attempt.proposal.change)
        if key not in self._effects:
            verdict = self._verdict(attempt.pipeline, attempt.compilation)
            is_safe = self._is_safe(attempt.proposal.change, verdict)
            self._effects[key] = self._sentence(attempt, verdict) if is_safe else ""
        return self._effects[key] or None

    def _remaining(self, code: str, attempt: Attempt) -> Set[FindingKey] | None:
        """Keys of the rule's findings with the change; None: Flink refuses the program then."""
        key = code, repr(attempt.proposal.change)
        if key not in self._keys:
            self._keys[key] = self._keys_after(code, attempt)
        return self._keys[key]

    def _keys_after(self, code: str, attempt: Attempt) -> Set[FindingKey] | None:
        try:
            new_findings = check_document(
                attempt.pipeline,
                before=attempt.compilation,
                lock=self._lock,
                flink_version=self._version,
                weights=self._weights,
                baseline=self._baseline,
                codes={code, _REFUSED},
            ).findings
        except ExplorerError:  # It became too large to ask.
            return None
        is_refused = any(item.code == _REFUSED for item in new_findings)
        return None if is_refused else {item.key for item in new_findings}

    def _sentence(self, attempt: Attempt, verdict: RestoreVerdict | None) -> str:
        effect = "Flink accepts the program"
        if self._compilation is not None and attempt.compilation is not None:
            effect = compare(self._compilation, attempt.compilation).sentence()
        return effect + ("" if verdict is None else f". From {verdict.old}: {verdict.sentence}")

    @cached_property
    def _old(self) -> CompiledBaseline | None:
        try:
            return (
                None if self._baseline is None else compile_baseline(self._baseline, self._version)
            )
        except ExplorerError:
            return None

    @cached_property
    def _was(self) -> RestoreVerdict | None:
        return self._verdict(self._pipeline, self._compilation)

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
