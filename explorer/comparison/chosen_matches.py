"""Matches that the user chooses: on the page, ``--match OLD=NEW``, ``matches={}``.

The baseline holds them, so that every place that reads the verdict applies them.

Either side is called by its operator ID, uid or uid hash, transformation id, or name.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.comparison.baseline import Baseline, CompiledBaseline, deployed_program
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.model.stream_graph import NodeId, StreamNode
from explorer.wording import first_listed, quoted, suggestion

_SHOWN: Final = 8


class MatchError(ExplorerError):
    """A chosen match names no operator, several, or one twice."""


def chosen_matches(
    old: CompiledBaseline, new: Compilation, matches: Mapping[str, str]
) -> dict[str, NodeId]:
    """Map operator IDs of the old side to the new operators chosen by the user.

    Raises ``MatchError`` where a name stands for no operator or for several ones, and where an
    operator is matched twice.
    """
    if not matches:
        return {}
    lookup = _Lookup(old, new)
    node_ids: dict[str, NodeId] = {}
    for name, current in matches.items():
        id, node = lookup.pair(name, current)
        if id in node_ids or node in node_ids.values():
            msg = f"--match {name}={current} matches an operator that another --match has already"
            raise MatchError(msg)
        node_ids[id] = node
    return node_ids


def with_matches(
    old: CompiledBaseline, new: Compilation, matches: Mapping[str, str]
) -> CompiledBaseline:
    """Add matches to the baseline, which win over its own.

    Raises ``MatchError`` as ``chosen_matches`` does.
    """
    chosen_matches(old, new, matches)
    earlier_matches = {
        name: current for name, current in old.matches.items() if name not in matches
    }
    return msgspec.structs.replace(old, matches={**matches, **earlier_matches})


def check_baseline(baseline: Baseline | None, matches: Mapping[str, str]) -> None:
    """Raise ``MatchError`` for matches without a baseline."""
    if baseline is None:
        _refuse(matches, "there is no baseline; give one with --baseline")


def check_program(matches: Mapping[str, str]) -> None:
    """Raise ``MatchError`` for matches where the new side is a savepoint, without a program."""
    _refuse(
        matches,
        "the new side is a savepoint, and its operators are compared by their IDs; give the "
        "program that is started from it",
    )


def _refuse(matches: Mapping[str, str], why: str) -> None:
    for name, current in matches.items():
        msg = f"--match {name}={current}: {why}"
        raise MatchError(msg)


def applied_matches(old: CompiledBaseline, new: Compilation) -> dict[str, NodeId]:
    """Map operator IDs to new operators by the baseline's own matches.

    A match of an operator that the user has removed or renamed since is not applied.
    """
    if not old.matches:
        return {}
    lookup = _Lookup(old, new)
    result: dict[NodeId, str] = {}
    for name, current in old.matches.items():
        ids, new_ids = lookup.ids(name, current)
        if len(ids) == len(new_ids) == 1 and ids.isdisjoint(result.values()):
            result.setdefault(lookup.nodes[min(new_ids)], min(ids))
    return {id: node for node, id in result.items()}


class _Lookup:
    """The operator IDs of both sides by each of their operators' names."""

    def __init__(self, old: CompiledBaseline, new: Compilation) -> None:
        nodes = old.program.stream_graph.by_id if old.program else {}
        self.old = _ids_by_name(
            *(
                (operator.operator_id, (operator.name, operator.uid))
                for operator in old.savepoint.operators
            ),
            *((id, _names(nodes[node])) for id, node in old.nodes.items()),
        )
        graph = new.stream_graph
        self.new = _ids_by_name(*((new.hashes[node.id], _names(node)) for node in graph.nodes))
        self.before = f"the operators of {old.name}"
        self.nodes = {id: node for node, id in new.hashes.items()}

    def ids(self, name: str, current: str) -> tuple[set[str], set[str]]:
        """Return the operator IDs of either side that have these names."""
        return _ids_of(name, self.old), _ids_of(current, self.new)

    def pair(self, name: str, current: str) -> tuple[str, NodeId]:
        """Return the operator ID of the old side and the new node; raises ``MatchError``."""
        ids, new_ids = self.ids(name, current)
        id = _only_id(ids, name, self.old, self.before)
        return id, self.nodes[
            _only_id(new_ids, current, self.new, "the operators of the new program")
        ]


def _names(node: StreamNode) -> tuple[str | None, ...]:
    return node.name, node.uid, node.uid_hash, node.transformation


def _ids_by_name(*operators: tuple[str, tuple[str | None, ...]]) -> Mapping[str, set[str]]:
    """Map each ID and each name to the IDs of the operators that have it."""
    result: defaultdict[str, set[str]] = defaultdict(set)
    for id, names in operators:
        for name in (id, *names):
            if name is not None:
                result[name].add(id)
    return result


def _ids_of(name: str, names: Mapping[str, set[str]]) -> set[str]:
    return names.get(name) or names.get(name.lower(), set())


def _only_id(ids: set[str], name: str, names: Mapping[str, set[str]], place: str) -> str:
    """Return the one ID that ``name`` stands for; raises ``MatchError`` for none or several."""
    if len(ids) == 1:
        return min(ids)
    if ids:
        listed_ids = first_listed(sorted(ids), _SHOWN)
        problem = f"names {len(ids)} of {place}; give its ID instead: {listed_ids}"
    else:
        hint = suggestion(name, names.keys())
        problem = f"is none of {place}{hint}; give an ID, a uid or a name"
    msg = f"--match: {quoted(name)} {problem}"
    raise MatchError(msg)


def chosen_nodes(
    before: Compilation, after: Compilation, matches: Mapping[str, str]
) -> dict[NodeId, NodeId]:
    """Map nodes of ``before`` to the nodes of ``after`` chosen by the user, where both exist."""
    if not matches:
        return {}
    old = deployed_program("the old program", before, matches=matches)
    return {old.nodes[id]: node for id, node in applied_matches(old, after).items()}
