"""Fixes for keyed state that a restore reads with another number of key groups.

Each change is made, compiled and judged again, and shown where every key of its operator survives
and no other operator is worse off.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec

from explorer.analysis.restored import OperatorFix, Restore, RestoredOperator
from explorer.documents import Document, check_document, document_values
from explorer.edits import set_operator_field
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.flink.key_groups import DEFAULT_LOWER_BOUND, default_max_parallelism, most_subtasks
from explorer.model.job_graph import JobVertex
from explorer.model.stream_graph import NodeId
from explorer.wording import counted, first_listed, listed

Judge: TypeAlias = Callable[[Document], Restore]
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


def with_key_group_fixes(
    verdict: Restore, document: Document, new: Compilation, judge: Judge
) -> Restore:
    """Add fixes to each operator with keyed state that is read with other key groups."""
    endangered = verdict.endangered_keys
    if verdict.error is not None or not endangered:
        return verdict
    tried = max(1, _MOST_TRIED // (len(_PROPOSERS) * len(new.stream_graph.nodes)))
    search = _FixSearch(verdict, document, new, judge)
    fixes = {
        operator.operator_id: tuple(search.fixes_of(operator)) for operator in endangered[:tried]
    }
    together = search.fix_all(endangered[:tried]) if 1 < len(endangered) <= tried else ()
    operators = tuple(
        msgspec.structs.replace(one, fixes=(*together, *fixes[one.operator_id]))
        if one.operator_id in fixes
        else one
        for one in verdict.operators
    )
    return msgspec.structs.replace(verdict, operators=operators)


class _FixSearch:
    """Tries the proposals for the operators of one verdict."""

    def __init__(
        self, verdict: Restore, document: Document, new: Compilation, judge: Judge
    ) -> None:
        self.verdict, self.document, self.new, self.judge = verdict, document, new, judge
        self.saved = {one.taker: one for one in verdict.operators if one.taker is not None}
        self.before = _endangered_ids(verdict)

    def fixes_of(self, operator: RestoredOperator) -> Iterator[OperatorFix]:
        """Yield the changes that keep all keys of the operator by themselves."""
        for proposal in self._proposals(operator):
            if (changed := self._try(self.document, proposal, operator)) is not None:
                yield _fix(proposal.sentence, changed)

    def fix_all(self, operators: Sequence[RestoredOperator]) -> tuple[OperatorFix, ...]:
        """Return the changes after which no keys are lost at all; empty: there are none."""
        document, sentences = self.document, []
        for operator in operators:
            for proposal in self._proposals(operator):
                if (changed := self._try(document, proposal, operator)) is not None:
                    document = changed
                    sentences.append(proposal.sentence)
                    break
            else:
                return ()
        return (_fix("; ".join(dict.fromkeys(sentences)), document),)

    def _proposals(self, operator: RestoredOperator) -> Iterator[_Proposal]:
        if operator.taker is None:
            return
        task = self.new.job_graph.task_of(operator.taker)
        for propose in _PROPOSERS:
            yield from propose(self, operator, task)

    def _try(
        self, document: Document, proposal: _Proposal, operator: RestoredOperator
    ) -> Document | None:
        """Return the changed document; None: it cannot be made, or does not keep the keys."""
        try:
            changed = document
            for node, field, value in proposal.changes:
                transformation = self.new.stream_graph.by_id[node].transformation
                changed = set_operator_field(changed, node, transformation, field, value)
            check_document(changed, document)
            verdict = self.judge(changed)
        except ExplorerError:
            return None
        endangered = _endangered_ids(verdict)
        survives = verdict.error is None and operator.operator_id not in endangered
        return changed if survives and endangered <= self.before else None

    # --- the proposals, the one that lasts longest first

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
        own = {chained.node for chained in task.operators}
        moved = [one for one in self.verdict.operators if one.node in own and one.change == "moved"]
        changes = tuple(
            _FieldChange(one.node, "uid_hash", one.operator_id)
            for one in moved
            if one.node is not None and not one.rescued
        )
        if changes:
            names = first_listed([repr(one.name) for one in moved], _SHOWN)
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
        least = 1 if is_lowest else most_subtasks(maximum // 2) + 1
        nearest = min(max(task.parallelism, least), most_subtasks(maximum))
        if nearest == task.parallelism or default_max_parallelism(nearest) != maximum:
            return
        yield _Proposal(
            f"Keep the parallelism of {counted(len(task.operators), 'operator')} of the task "
            f"between {least:,} and {most_subtasks(maximum):,}, for which Flink derives "
            f"{maximum:,}: set it to {nearest:,}",
            tuple(_FieldChange(chained.node, "parallelism", nearest) for chained in task.operators),
        )


_PROPOSERS: Final = (
    _FixSearch.set_maximum,
    _FixSearch.keep_ids,
    _FixSearch.unchain,
    _FixSearch.keep_parallelism,
)


def _endangered_ids(verdict: Restore) -> set[str | None]:
    return {one.operator_id for one in verdict.operators if one.endangered}


def _fix(sentence: str, document: Document) -> OperatorFix:
    return OperatorFix(
        sentence=sentence,
        outcome="restored",
        document=document_values(document.with_baseline(None)),
    )
