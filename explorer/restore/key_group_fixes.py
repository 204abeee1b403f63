"""Fixes for state that a restore reads, or refuses, with another maximum parallelism.

Each change is made, compiled and judged again, and shown where every key of its operator survives
and no other operator is worse off.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec

from explorer.documents import Document, check_edit, document_values
from explorer.edits import set_operator_field
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.flink.key_groups import DEFAULT_LOWER_BOUND, default_max_parallelism, most_subtasks
from explorer.model.job_graph import JobVertex
from explorer.model.stream_graph import NodeId
from explorer.restore.restored import Fate, OperatorFix, RestoredOperator, RestoreVerdict
from explorer.wording import counted, first_listed, listed

Judge: TypeAlias = Callable[[Document], RestoreVerdict]
"""Compiles a changed document and judges its restore, without fixes, with the same matches."""

_MOST_TRIED: Final = 30_000
"""Operators that are compiled in all: a pipeline of many gets fixes for its first states."""
_SHOWN: Final = 4


class _FieldChange(NamedTuple):
    node: NodeId
    field: str
    value: object


class _Proposal(NamedTuple):
    """A change of the new program that may keep the keys of one operator."""

    sentence: str
    changes: tuple[_FieldChange, ...]


class _JudgedChange(NamedTuple):
    """A changed program and its verdict."""

    document: Document
    verdict: RestoreVerdict


def with_key_group_fixes(
    verdict: RestoreVerdict, document: Document, new: Compilation, judge: Judge
) -> RestoreVerdict:
    """Add fixes to each operator that is lost or refused with another maximum parallelism."""
    endangered = [operator for operator in verdict.operators if operator.has_other_maximum]
    if not endangered:
        return verdict
    tried = max(1, _MOST_TRIED // (len(_PROPOSERS) * len(new.stream_graph.nodes)))
    search = _FixSearch(verdict, document, new, judge)
    together = search.fix_all(endangered) if 1 < len(endangered) <= tried else ()
    fixes = {
        operator.operator_id: (
            *together,
            *(fix for fix in search.fixes_of(operator) if fix.restores or not together),
        )
        for operator in endangered[:tried]
    }
    operators = tuple(
        msgspec.structs.replace(operator, fixes=fixes.get(operator.operator_id, ()))
        for operator in verdict.operators
    )
    return msgspec.structs.replace(verdict, operators=operators)


class _FixSearch:
    """Tries the proposals for the operators of one verdict."""

    def __init__(
        self, verdict: RestoreVerdict, document: Document, new: Compilation, judge: Judge
    ) -> None:
        self.verdict, self.document, self.new, self.judge = verdict, document, new, judge
        self.saved = {saved.taker: saved for saved in verdict.operators if saved.taker is not None}
        self.before = _endangered_ids(verdict)

    def fixes_of(self, operator: RestoredOperator) -> Iterator[OperatorFix]:
        """Yield the changes that keep all keys of the operator by themselves."""
        for proposal in self._proposals(operator):
            if (change := self._try(self.document, proposal, operator)) is not None:
                yield self._fix([proposal], change)

    def fix_all(self, operators: Sequence[RestoredOperator]) -> tuple[OperatorFix, ...]:
        """Return the changes with which all of the operators are restored; empty: there are none.

        One of them may restore several operators: those of its task.
        """
        change = _JudgedChange(self.document, self.verdict)
        proposals = list[_Proposal]()
        for operator in operators:
            if _outcomes(change.verdict)[operator.operator_id] in _SURVIVES:
                continue
            for proposal in self._proposals(operator):
                if (tried := self._try(change.document, proposal, operator)) is not None:
                    change = tried
                    proposals.append(proposal)
                    break
            else:
                return ()
        return (self._fix(proposals, change),) if len(proposals) > 1 else ()

    def _proposals(self, operator: RestoredOperator) -> Iterator[_Proposal]:
        if operator.taker is None:
            return
        task = self.new.job_graph.task_of(operator.taker)
        for propose in _PROPOSERS:
            yield from propose(self, operator, task)

    def _try(
        self, document: Document, proposal: _Proposal, operator: RestoredOperator
    ) -> _JudgedChange | None:
        """Return the changed program; None: it cannot be made, or does not keep the keys."""
        try:
            changed = document
            for node, field, value in proposal.changes:
                transformation = self.new.stream_graph.by_id[node].transformation
                changed = set_operator_field(changed, node, transformation, field, value)
            check_edit(changed, document)
            verdict = self.judge(changed)
        except ExplorerError:
            return None
        survives = _outcomes(verdict)[operator.operator_id] in _SURVIVES
        is_worse = verdict.error is not None and self.verdict.error is None
        is_worse = is_worse or not _endangered_ids(verdict) <= self.before
        return _JudgedChange(changed, verdict) if survives and not is_worse else None

    def _fix(self, proposals: Sequence[_Proposal], change: _JudgedChange) -> OperatorFix:
        lines = (
            _CALLS[field].format(value=_java(field, value))
            + f"  // {self.new.stream_graph.by_id[node].name}"
            for proposal in proposals
            for node, field, value in proposal.changes
        )
        return OperatorFix(
            sentence="; ".join(dict.fromkeys(proposal.sentence for proposal in proposals)),
            lines=tuple(dict.fromkeys(lines)),
            outcome="restored",
            restores=change.verdict.holds,
            document=document_values(change.document.with_baseline(None)),
        )

    def set_maximum(self, operator: RestoredOperator, task: JobVertex) -> Iterator[_Proposal]:
        """Set the recorded maximum on the head of the chain, which gives it to the task."""
        maximum = operator.max_parallelism[0]
        name = self.new.stream_graph.by_id[task.head].name
        yield _Proposal(
            f"Call setMaxParallelism({maximum}) on {name!r}, the maximum that the savepoint "
            f"records for {operator.name!r}",
            (_FieldChange(task.head, "max_parallelism", maximum),),
        )

    def keep_ids(self, _operator: RestoredOperator, task: JobVertex) -> Iterator[_Proposal]:
        """Give the operators of the task their old IDs, under which they have records."""
        task_nodes = {chained.node for chained in task.operators}
        moved = [
            saved
            for saved in self.verdict.operators
            if saved.node in task_nodes and saved.change == "moved" and not saved.rescued
        ]
        changes = tuple(
            _FieldChange(saved.node, "uid_hash", saved.operator_id)
            for saved in moved
            if saved.node is not None
        )
        if changes:
            names = first_listed([repr(saved.name) for saved in moved], _SHOWN)
            yield _Proposal(f"Give {names} the old ID with setUidHash", changes)

    def unchain(self, operator: RestoredOperator, task: JobVertex) -> Iterator[_Proposal]:
        """Start a new chain where an operator without the same record begins."""
        by_id = self.new.stream_graph.by_id
        starts = self._chain_starts(operator, task)
        calls = (
            ("startNewChain()", "HEAD", [node for node in starts if not by_id[node].sink]),
            # A DataStreamSink has no startNewChain, and nothing is chained behind it.
            ("disableChaining()", "NEVER", [node for node in starts if by_id[node].sink]),
        )
        if starts:
            texts = [
                f"{call} on {first_listed([repr(by_id[node].name) for node in nodes], _SHOWN)}"
                for call, _, nodes in calls
                if nodes
            ]
            yield _Proposal(
                f"Call {listed(texts)}, which leaves {operator.name!r} in a task of its own",
                tuple(
                    _FieldChange(node, "chaining_strategy", strategy)
                    for _, strategy, nodes in calls
                    for node in nodes
                ),
            )

    def _chain_starts(self, operator: RestoredOperator, task: JobVertex) -> list[NodeId]:
        """Return the operators of a task that are recorded otherwise than the one before them."""
        foreign = {
            chained.node
            for chained in task.operators
            if (saved := self.saved.get(chained.node)) is None
            or saved.max_parallelism[0] != operator.max_parallelism[0]
        }
        keyed = {node for node, saved in self.saved.items() if "keyed" in saved.what}
        return [
            output
            for chained in task.operators
            for output in chained.chained_outputs
            if (chained.node in foreign) != (output in foreign) and output in foreign | keyed
        ]

    def keep_parallelism(self, operator: RestoredOperator, task: JobVertex) -> Iterator[_Proposal]:
        """Choose the nearest parallelism for which Flink derives the recorded maximum."""
        maximum = operator.max_parallelism[0] or 0
        is_lowest = maximum == DEFAULT_LOWER_BOUND
        minimum = 1 if is_lowest else most_subtasks(maximum // 2) + 1
        nearest = min(max(task.parallelism, minimum), most_subtasks(maximum))
        if nearest == task.parallelism or default_max_parallelism(nearest) != maximum:
            return
        yield _Proposal(
            f"Keep the parallelism of {counted(len(task.operators), 'operator')} of the task "
            f"between {minimum:,} and {most_subtasks(maximum):,}, for which Flink derives "
            f"{maximum:,}: set it to {nearest:,}",
            tuple(_FieldChange(chained.node, "parallelism", nearest) for chained in task.operators),
        )


_PROPOSERS: Final = (
    _FixSearch.set_maximum,
    _FixSearch.keep_ids,
    _FixSearch.unchain,
    _FixSearch.keep_parallelism,
)
"""The makers of proposals, that of the one that lasts longest first."""
_SURVIVES: Final = frozenset({"restored", "empty"})
_CALLS: Final = {
    "max_parallelism": ".setMaxParallelism({value})",
    "uid_hash": ".setUidHash({value})",
    "chaining_strategy": "{value}",
    "parallelism": ".setParallelism({value})",
}
"""Calls of the DataStream API, by the field that a change sets."""
_STRATEGIES: Final = {"HEAD": ".startNewChain()", "NEVER": ".disableChaining()"}


def _java(field: str, value: object) -> str:
    if field == "uid_hash":
        return f'"{value}"'
    return _STRATEGIES.get(str(value), str(value)) if field == "chaining_strategy" else str(value)


def _outcomes(verdict: RestoreVerdict) -> dict[str | None, Fate]:
    return {operator.operator_id: operator.outcome for operator in verdict.operators}


def _endangered_ids(verdict: RestoreVerdict) -> set[str | None]:
    return {operator.operator_id for operator in verdict.operators if operator.endangered}
