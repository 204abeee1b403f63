"""Matches that the user chooses: ``--match OLD=NEW`` and ``check_restore(..., matches={})``.

Either side is called by its operator ID, uid or uid hash, transformation id, or name.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final, TypeAlias

from explorer.analysis.baseline import Deployed, deployed_program
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.model.stream_graph import NodeId, StreamNode
from explorer.wording import first_listed, quoted, suggestion

_SHOWN: Final = 8


class MatchError(ExplorerError):
    """A chosen match names no operator, several, or one twice."""


def chosen_matches(
    old: Deployed, new: Compilation, matches: Mapping[str, str]
) -> dict[str, NodeId]:
    """By operator ID of the old side, the new operator that the user says it is.

    Raises ``MatchError`` where a name stands for no operator or for several ones, and where an
    operator is matched twice.
    """
    if not matches:
        return {}
    were, are = _old_names(old), _new_names(new)
    nodes = {id: node for node, id in new.hashes.items()}
    found: dict[str, NodeId] = {}
    for name, now in matches.items():
        id = _called(name, were, f"the operators of {old.name}")
        node = nodes[_called(now, are, "the operators of the new program")]
        if id in found or node in found.values():
            msg = f"--match {name}={now} matches an operator that another --match has already"
            raise MatchError(msg)
        found[id] = node
    return found


_Names: TypeAlias = Mapping[str, set[str]]
"""By each of their names, the IDs of operators."""


def _old_names(old: Deployed) -> _Names:
    names: defaultdict[str, set[str]] = defaultdict(set)
    for saved in old.savepoint.operators:
        _add(names, saved.operator_id, saved.name, saved.uid)
    for id, node in old.nodes.items():
        _add_node(names, id, old.program.stream_graph.by_id[node] if old.program else None)
    return names


def _new_names(new: Compilation) -> _Names:
    names: defaultdict[str, set[str]] = defaultdict(set)
    for node in new.stream_graph.nodes:
        _add_node(names, new.hashes[node.id], node)
    return names


def _add_node(names: defaultdict[str, set[str]], id: str, node: StreamNode | None) -> None:
    if node is not None:
        _add(names, id, node.name, node.uid, node.uid_hash, node.transformation)


def _add(names: defaultdict[str, set[str]], id: str, *called: str | None) -> None:
    for name in (id, *called):
        if name is not None:
            names[name].add(id)


def _called(name: str, names: _Names, where: str) -> str:
    """The ID of the one operator that is called so."""
    found = names.get(name) or names.get(name.lower(), set())
    if len(found) == 1:
        return next(iter(found))
    if found:
        ids = first_listed(sorted(found), _SHOWN)
        msg = f"--match: {quoted(name)} names {len(found)} of {where}; give its ID instead: {ids}"
    else:
        hint = suggestion(name, names.keys())
        msg = f"--match: {quoted(name)} is none of {where}{hint}; give an ID, a uid or a name"
    raise MatchError(msg)


def chosen_nodes(
    before: Compilation, after: Compilation, matches: Mapping[str, str]
) -> dict[NodeId, NodeId]:
    """The same between two programs: by node of ``before``, the node of ``after``."""
    if not matches:
        return {}
    old = deployed_program("the old program", before)
    return {old.nodes[id]: node for id, node in chosen_matches(old, after, matches).items()}
