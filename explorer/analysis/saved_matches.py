"""Which operator of a program left the state of a savepoint, where no old program is known.

A savepoint holds operator IDs, kinds of state, and in newer releases names and uids. An ID that
the new program has is evidence only if the operator can have such state.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from explorer.analysis.identity import operator_identities
from explorer.analysis.matching import Match
from explorer.analysis.whatis import whatis
from explorer.flink.compiler import Compilation
from explorer.flink.operator_state import HeldState
from explorer.flink.stream_config_facts import STATE_BACKEND
from explorer.model.document import Document
from explorer.model.stream_graph import NodeId, StreamNode
from explorer.savepoints import OperatorState


def match_saved(
    saved: Sequence[OperatorState],
    document: Document,
    new: Compilation,
    matched: Mapping[str, NodeId],
) -> dict[str, Match]:
    """By operator ID, what the operators of a savepoint are in the new program.

    Args:
        saved: The operators that are not matched yet.
        document, new: The new program and its compilation.
        matched: By operator ID, the new operators that are matched already.
    """
    search = _Search(document, new, set(matched.values()))
    search.by_own_ids(saved)
    search.by_other_releases(search.left(saved))
    search.by_name(search.left(saved))
    return search.found


class _Search:
    """Matches that are found so far; no new operator is matched twice."""

    def __init__(self, document: Document, new: Compilation, matched: set[NodeId]) -> None:
        self.document, self.new, self.matched = document, new, matched
        self.held = new.held_states
        self.found: dict[str, Match] = {}

    def left(self, saved: Iterable[OperatorState]) -> list[OperatorState]:
        return [one for one in saved if one.operator_id not in self.found]

    def by_own_ids(self, saved: Sequence[OperatorState]) -> None:
        """By uid hash, uid and generated ID."""
        by_id = {id: node for node, id in self.new.hashes.items()}
        for node in self.new.stream_graph.nodes:
            if node.uid_hash is not None:
                by_id[node.uid_hash.lower()] = node.id
        for one in saved:
            if one.operator_id in by_id:
                self._take(one, by_id[one.operator_id])

    def by_other_releases(self, saved: Sequence[OperatorState]) -> None:
        """By the ID that an operator has under another release, or with other chaining."""
        known = {each: id for id, each in operator_identities(self.new.stream_graph).items()}
        by_id = {one.operator_id: one for one in saved}
        for finding in whatis(" ".join(by_id), self.document).findings if by_id else ():
            node = known.get(finding.identity)
            if node is not None and finding.id in by_id:
                self._take(by_id[finding.id], node)

    def by_name(self, saved: Sequence[OperatorState]) -> None:
        """By a name that one operator alone has on either side."""
        nodes = [node for node in self.new.stream_graph.nodes if node.id not in self.matched]
        often = Counter(node.name for node in nodes)
        were = Counter(one.name for one in saved)
        named = {node.name: node.id for node in nodes if often[node.name] == 1}
        for one in saved:
            if one.name is not None and were[one.name] == 1 and one.name in named:
                self._take(one, named[one.name])

    def _take(self, saved: OperatorState, id: NodeId) -> None:
        node = self.new.stream_graph.by_id[id]
        if id in self.matched or saved.operator_id in self.found:
            return
        if not can_keep(saved, node, self.new, self.held[id]):
            return
        reported = {
            self.new.hashes[id] if node.uid else None,
            (node.uid_hash or "").lower() or None,
        }
        sure = saved.operator_id in reported or (saved.uid is not None and saved.uid == node.uid)
        self.found[saved.operator_id] = Match(grade="certain" if sure else "likely", node=id)
        self.matched.add(id)


def can_keep(saved: OperatorState, node: StreamNode, new: Compilation, held: HeldState) -> bool:
    """Whether an operator can have left such state, as far as its type and inputs show."""
    if not saved.has_state:
        return True
    if held.certainty == "none":
        return False
    keyed = "keyed" in saved.kinds
    return not keyed or _may_be_keyed(node, new, held)


def _may_be_keyed(node: StreamNode, new: Compilation, held: HeldState) -> bool:
    if held.certainty == "known":
        return held.what not in {"read position", "commit state", "operator state"}
    if node.transformation is None and node.operator is None:
        return True
    if node.operator is not None and STATE_BACKEND in node.operator.slot_memory_use_cases:
        return True
    graph = new.stream_graph
    edges = (graph.edges[edge] for edge in graph.in_edges[node.id])
    return any("HASH" in edge.partitioner or edge.hash_partitioner is not None for edge in edges)
