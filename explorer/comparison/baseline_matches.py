"""Matches the operators of a baseline to those of a new program.

Matches that the user chose come first, then those of the old program's operators, then those of a
savepoint without a known program. A savepoint holds operator IDs, kinds of state, and in newer
releases names and uids. An ID that the new program has is evidence only if the operator can have
such state.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from explorer.comparison.baseline import CompiledBaseline
from explorer.comparison.chosen_matches import applied_matches
from explorer.comparison.matching import Match, match_operators
from explorer.flink.compiler import Compilation
from explorer.flink.operator_state import HeldState
from explorer.flink.tasks.stream_config_facts import STATE_BACKEND
from explorer.lookup.identity import operator_identities
from explorer.lookup.whatis import identities_by_id
from explorer.model.document import Document
from explorer.model.stream_graph import NodeId, StreamNode
from explorer.savepoints import OperatorState


def match_deployed(old: CompiledBaseline, document: Document, new: Compilation) -> dict[str, Match]:
    """Map operator IDs of the baseline to operators of the new program."""
    chosen = applied_matches(old, new)
    matches_by_id = {id: Match(grade="certain", node=node) for id, node in chosen.items()}
    if old.program is not None:
        nodes = old.nodes
        chosen_nodes = {nodes[id]: node for id, node in chosen.items() if id in nodes}
        matching = match_operators(old.program, new, chosen_nodes)
        matches_by_id |= {id: matching.matches[node] for id, node in nodes.items()}
    left = [state for state in old.savepoint.operators if state.operator_id not in matches_by_id]
    matched = {id: state.node for id, state in matches_by_id.items() if state.node is not None}
    return matches_by_id | (match_saved(left, document, new, matched) if left else {})


def match_saved(
    saved: Sequence[OperatorState],
    document: Document,
    new: Compilation,
    matched: Mapping[str, NodeId],
) -> dict[str, Match]:
    """Map operator IDs of a savepoint to operators of the new program.

    Args:
        saved: The operators that are not matched yet.
        document, new: The new program and its compilation.
        matched: Maps operator IDs to the new operators that are matched already.
    """
    search = _Search(document, new, set(matched.values()))
    search.by_own_ids(saved)
    search.by_other_releases([state for state in saved if state.operator_id not in search.found])
    search.by_name([state for state in saved if state.operator_id not in search.found])
    return search.found


class _Search:
    """Matches that are found so far; no new operator is matched twice."""

    def __init__(self, document: Document, new: Compilation, matched: set[NodeId]) -> None:
        self.document, self.new, self.matched = document, new, matched
        self.found: dict[str, Match] = {}

    def by_own_ids(self, saved: Sequence[OperatorState]) -> None:
        """Match by uid hash, uid and generated ID."""
        by_id = {id: node for node, id in self.new.hashes.items()}
        for node in self.new.stream_graph.nodes:
            if node.uid_hash is not None:
                by_id[node.uid_hash.lower()] = node.id
        for state in saved:
            if state.operator_id in by_id:
                self._match(state, by_id[state.operator_id])

    def by_other_releases(self, saved: Sequence[OperatorState]) -> None:
        """Match by the ID that an operator has under another release, or with other chaining."""
        node_ids = {pair: id for id, pair in operator_identities(self.new.stream_graph).items()}
        identities = identities_by_id(self.document) if saved else {}
        for state in saved:
            for identity in identities.get(state.operator_id, ()):
                if identity in node_ids:
                    self._match(state, node_ids[identity])

    def by_name(self, saved: Sequence[OperatorState]) -> None:
        """Match by a name that one operator alone has on either side."""
        nodes = [node for node in self.new.stream_graph.nodes if node.id not in self.matched]
        often, saved_often = (
            Counter(node.name for node in nodes),
            Counter(state.name for state in saved),
        )
        named = {node.name: node.id for node in nodes if often[node.name] == 1}
        for state in saved:
            if state.name is not None and saved_often[state.name] == 1 and state.name in named:
                self._match(state, named[state.name])

    def _match(self, saved: OperatorState, id: NodeId) -> None:
        node = self.new.stream_graph.by_id[id]
        if id in self.matched or saved.operator_id in self.found:
            return
        if not can_keep(saved, node, self.new, self.new.held_states[id]):
            return
        ids = {self.new.hashes[id] if node.uid else None, (node.uid_hash or "").lower()}
        sure = saved.operator_id in ids or (saved.uid is not None and saved.uid == node.uid)
        self.found[saved.operator_id] = Match(grade="certain" if sure else "likely", node=id)
        self.matched.add(id)


def can_keep(
    saved: OperatorState, node: StreamNode, new: Compilation, held_state: HeldState
) -> bool:
    """Whether an operator can have left such state, as far as its type and inputs show."""
    if not saved.has_own_state or held_state.certainty == "none":
        return not saved.has_own_state
    if "keyed" not in saved.kinds:
        return True
    if held_state.certainty == "known":
        return held_state.what not in {"read position", "commit state", "operator state"}
    if node.transformation is None and node.operator is None:
        return True
    if node.operator is not None and STATE_BACKEND in node.operator.slot_memory_use_cases:
        return True
    edges = [new.stream_graph.edges[edge] for edge in new.stream_graph.in_edges[node.id]]
    return any("HASH" in edge.partitioner or edge.hash_partitioner is not None for edge in edges)
