"""Will it restore? What becomes of every operator of what is deployed, and what Flink says to it.

The verdict is ``savepoints.restoring``'s; which operator is which, ``counterparts`` says. Before
there is a savepoint, one that the old program would leave stands for it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from explorer.analysis.baseline import Baseline, Deployed, deployed, informed
from explorer.analysis.counterparts import by_name, counterparts
from explorer.analysis.coverage import coverage
from explorer.analysis.identity import operator_identities
from explorer.analysis.restored import Restore, RestoredOperator, dropped_operators
from explorer.analysis.state_types import StateCase, state_verdicts
from explorer.analysis.whatis import whatis
from explorer.documents import as_document
from explorer.flink.compiler import Compilation, compile_graph
from explorer.flink.key_groups import MAX_PARALLELISM, moved_key_groups
from explorer.flink.operator_state import HeldState, held_states
from explorer.model.document import Document
from explorer.model.stream_graph import NodeId
from explorer.savepoints import (
    FlinkVerdict,
    OperatorState,
    Savepoint,
    StateOutcome,
    flink_verdict,
    load_savepoint,
)
from explorer.savepoints.loading import is_savepoint

__all__ = ["Old", "Restore", "RestoredOperator", "check_restore", "old_side", "restore"]

Old: TypeAlias = Baseline | Savepoint | Document | Mapping[str, Any] | str | Path | bytes
"""What stands for the deployed program."""


def check_restore(
    old: Old,
    new: Document | Mapping[str, Any] | str | Path,
    *,
    flink_version: str | None = None,
    allow_non_restored: bool = False,
) -> Restore:
    """Whether the new program restores, as its Flink release decides.

    ``old``: a savepoint, its path or its bytes; or an older document, of which a savepoint is
    imagined. ``flink_version`` wins over the new document's own; an old document is taken as its
    own release compiles it, else as that one. Raises ``ExplorerError`` where either cannot be read,
    or where Flink refuses the program itself.
    """
    baseline = old_side(old)
    document = as_document(new)
    version = flink_version or document.flink
    return restore(
        deployed(baseline, version), document, compile_graph(document, version), allow_non_restored
    )


def old_side(old: Old) -> Baseline:
    """What is restored from: a folder or a file that begins as Flink's metadata is a savepoint."""
    if isinstance(old, Baseline):
        return old
    if isinstance(old, Savepoint):
        return Baseline(name=Path(old.path).name or "the savepoint", savepoint=old)
    if isinstance(old, bytes):
        return Baseline(name="the savepoint", savepoint=load_savepoint(old))
    if isinstance(old, str | Path):
        name = Path(old).name
        if is_savepoint(old):
            return Baseline(name=name, savepoint=load_savepoint(old))
        return Baseline(name=name, document=as_document(old))
    document = as_document(old)
    return Baseline(name=document.name, document=document)


def restore(
    old: Deployed,
    document: Document,
    new: Compilation,
    allow_non_restored: bool = False,  # noqa: FBT001, FBT002 - a name that Flink's users know
) -> Restore:
    """The verdict on starting ``new``, which ``document`` became, from what is deployed."""
    if old.program is not None:
        keeps = held_states(new.stream_graph, new.pipeline, new.release)
        old = informed(old, counterparts(old.program, new), keeps)
    sure, most = (
        flink_verdict(savepoint, new, allow_non_restored=allow_non_restored)
        for savepoint in (old.savepoint, old.fullest)
    )
    lax = flink_verdict(old.savepoint, new, allow_non_restored=True)
    told = _Told(old, document, new, sure, most)
    operators = (*told.before(), *told.added())
    dropped = tuple(one.name for one in dropped_operators(operators))
    return Restore(
        old=old.name,
        flink=new.release.version,
        allow_non_restored=allow_non_restored,
        error=sure.error,
        exception=sure.exception,
        if_possible=most.error if sure.error is None else None,
        dropped_if_allowed=dropped if sure.error and lax.error is None else None,
        operators=operators,
        coverage=coverage(operators, _release(old.savepoint, new)),
    )


def _release(savepoint: Savepoint, new: Compilation) -> str:
    """What the check of the release rests on."""
    release = new.release
    return f"Flink {release.version} reads metadata version {savepoint.version}"


_GONE: Final = RestoredOperator(change="lost", name="", state="none", what="", outcome="lost")
"""The new side of an operator that the new program does not have."""


class _Told:
    """One restore, operator by operator."""

    def __init__(
        self,
        old: Deployed,
        document: Document,
        new: Compilation,
        sure: FlinkVerdict,
        most: FlinkVerdict,
    ) -> None:
        self.old, self.new = old, new
        self.were = old.nodes
        self.sure = {one.operator_id: one for one in sure.operators}
        self.most = {one.operator_id: one for one in most.operators}
        self.same = _same(old, document, new, self.sure)
        self.keeps = held_states(new.stream_graph, new.pipeline, new.release)
        takers = {id: one.node for id, one in self.sure.items() if one.node is not None}
        self.states = state_verdicts(StateCase(old, document, new, takers))

    def before(self) -> Iterator[RestoredOperator]:
        """Those of the savepoint; in the program's order where there is one."""
        program = self.old.program
        nodes = program.stream_graph.nodes if program else ()
        order = {program.hashes[node.id]: at for at, node in enumerate(nodes)} if program else {}
        operators = sorted(
            self.old.savepoint.operators, key=lambda one: order.get(one.operator_id, len(order))
        )
        return map(self._one, operators)

    def _one(self, saved: OperatorState) -> RestoredOperator:
        id = saved.operator_id
        node, held = self.same.get(id), self.old.held[id]
        now = _GONE if node is None else self._new(node)
        told = (self.most if held.certainty == "possible" else self.sure)[id]
        taker = None if told.node in {None, node} else self.new.stream_graph.by_id[told.node]
        return msgspec.structs.replace(
            now,
            change="lost" if node is None else "kept" if now.new_id == id else "moved",
            name=now.name or saved.name or id,
            operator_id=id,
            state=held.certainty,
            what=held.what,
            state_bytes=saved.state_bytes if self.old.real else None,
            state_names=saved.state_names,
            outcome=told.outcome,
            found_by=told.found_by,
            taken_by=None if taker is None else taker.name,
            parallelism=(saved.parallelism, now.parallelism[1]),
            max_parallelism=(saved.max_parallelism, now.max_parallelism[1]),
            derived=(self._was_derived(id), now.derived[1]),
            moved_key_groups=_moved(held, saved, now.parallelism[1]),
            states=self.states.get(id, ()),
        )

    def _was_derived(self, id: str) -> bool | None:
        program, node = self.old.program, self.were.get(id)
        if program is None or node is None:
            return None
        return program.execution_vertex(node).max_parallelism_derived

    def added(self) -> Iterator[RestoredOperator]:
        """The new program's operators that were not there before."""
        known = set(self.same.values())
        for node in self.new.stream_graph.nodes:
            if node.id not in known:
                yield self._new(node.id)

    def _new(self, id: NodeId) -> RestoredOperator:
        """An operator of the new program, as if nothing of it had been there before."""
        node, held = self.new.stream_graph.by_id[id], self.keeps[id]
        vertex = self.new.execution_vertex(id)
        return RestoredOperator(
            change="new",
            name=node.name,
            new_id=self.new.hashes[id],
            uid_hash=node.uid_hash,
            node=id,
            transformation=node.transformation,
            state=held.certainty,
            what=held.what,
            outcome="empty",
            parallelism=(None, vertex.parallelism),
            max_parallelism=(None, vertex.max_parallelism),
            derived=(None, vertex.max_parallelism_derived),
        )


def _moved(held: HeldState, saved: OperatorState, now: int | None) -> int | None:
    """Key groups are the savepoint's: a maximum that the program does not set gives way."""
    if "keyed" not in held.what or now is None or not 0 < now <= saved.max_parallelism:
        return None
    if not 0 < saved.parallelism <= saved.max_parallelism <= MAX_PARALLELISM:
        return None
    return moved_key_groups(saved.max_parallelism, saved.parallelism, now)


def _same(
    old: Deployed, document: Document, new: Compilation, told: Mapping[str, StateOutcome]
) -> dict[str, NodeId]:
    """By ID of what is deployed, the new program's node that is the same operator."""
    found: dict[str, NodeId] = {}
    if old.program is not None:
        same = counterparts(old.program, new)
        found = {id: same[node] for id, node in old.nodes.items() if node in same}
    taken = set(found.values())
    for id, outcome in told.items():
        if id not in found and outcome.node is not None and outcome.node not in taken:
            found[id] = outcome.node
            taken.add(outcome.node)
    left = [one for one in old.savepoint.operators if one.operator_id not in found]
    return found if old.program or not left else found | _guessed(left, document, new, taken)


def _guessed(
    left: list[OperatorState], document: Document, new: Compilation, taken: set[NodeId]
) -> dict[str, NodeId]:
    """Whose an ID was under another release, or with chaining; else who has the name it had."""
    known = {each: id for id, each in operator_identities(new.stream_graph).items()}
    answer = whatis(" ".join(one.operator_id for one in left), document)
    found: dict[str, NodeId] = {}
    for finding in answer.findings:
        node = known.get(finding.identity)
        if node is not None and node not in {*taken, *found.values()}:
            found.setdefault(finding.id, node)
    names = {
        one.operator_id: one.name
        for one in left
        if one.name is not None and one.operator_id not in found
    }
    free = [node for node in new.stream_graph.nodes if node.id not in {*taken, *found.values()}]
    return found | by_name(names, free)
