"""Which operator of one program is which of another, or of a savepoint?

Where both know their transformations, ``identity`` says. A captured program knows none and its
numbers shift with every new operator: there an operator is known by its ID, its uid, or its name
and its turn among those of that name.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Final

from explorer.analysis.identity import operator_identities, turns
from explorer.flink.compiler import Compilation
from explorer.model.stream_graph import NodeId, StreamNode

Key = Callable[[Compilation, StreamNode], Hashable]
"""What an operator is known by; None: by nothing of that sort."""


def counterparts(before: Compilation, after: Compilation) -> dict[NodeId, NodeId]:
    """By node of ``before``, the node of ``after`` that is the same operator; each at most once."""
    found: dict[NodeId, NodeId] = {}
    if _known(before) and _known(after):
        found |= _by_identity(before, after)
        ways = _WAYS[:2]
    else:
        ways = _WAYS
    for way in ways:
        found |= _paired(_left(before, found), _left(after, found.values()), way, before, after)
    return found


def _known(done: Compilation) -> bool:
    return all(node.transformation is not None for node in done.stream_graph.nodes)


def _by_identity(before: Compilation, after: Compilation) -> dict[NodeId, NodeId]:
    known = {each: id for id, each in operator_identities(after.stream_graph).items()}
    old = operator_identities(before.stream_graph)
    return {id: known[each] for id, each in old.items() if each in known}


def _left(done: Compilation, taken: Iterable[NodeId]) -> list[StreamNode]:
    gone = set(taken)
    return [node for node in done.stream_graph.nodes if node.id not in gone]


def _paired(
    old: list[StreamNode], new: list[StreamNode], way: Key, before: Compilation, after: Compilation
) -> dict[NodeId, NodeId]:
    known = {turn: node.id for node, turn in _turns(new, way, after)}
    return {node.id: known[turn] for node, turn in _turns(old, way, before) if turn in known}


def _turns(
    nodes: list[StreamNode], way: Key, done: Compilation
) -> Iterator[tuple[StreamNode, tuple[Hashable, int]]]:
    """Each node with what it is known by, and how often that occurred before."""
    keys = [(node, key) for node in nodes if (key := way(done, node)) is not None]
    return zip((node for node, _ in keys), turns(key for _, key in keys), strict=True)


_WAYS: Final[tuple[Key, ...]] = (
    lambda done, node: done.hashes[node.id],
    lambda _, node: node.uid,
    lambda _, node: node.name,
)
"""The surest first. Names tell only where transformations do not."""


def by_name(names: Mapping[str, str], nodes: Iterable[StreamNode]) -> dict[str, NodeId]:
    """By ID, the one node that has the name that a savepoint keeps for the ID."""
    once = Counter(names.values())
    told: dict[str, list[NodeId]] = {}
    for node in nodes:
        told.setdefault(node.name, []).append(node.id)
    return {
        id: told[name][0]
        for id, name in names.items()
        if once[name] == 1 and len(told.get(name, ())) == 1
    }
