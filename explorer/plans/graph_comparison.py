"""Selects the changed part of the graph: what changed, was added or removed, and its neighbours."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

import msgspec

from explorer.flink.compiler import Compilation
from explorer.model.stream_graph import NodeId, StreamEdge, StreamNode
from explorer.plans.changed_graph import ChangedGraph, PartChange, ShownEdge, ShownOperator
from explorer.plans.plan_case import PlanCase

MOST_OPERATORS: Final = 40
"""Operators of the changed part that are shown; the others are counted."""
MOST_WHOLE: Final = 300
"""Operators of both graphs up to which they are shown whole on demand."""


class _Place(NamedTuple):
    """A node: of NEW, or of OLD where NEW has no such operator."""

    is_new: bool
    id: NodeId


_Edges: TypeAlias = Mapping[tuple[_Place, _Place, int, int], tuple[StreamEdge, bool]]
"""By both ends, input and number, an edge and whether it is chained."""
_EdgeChange: TypeAlias = tuple[_Place, _Place, PartChange, StreamEdge, bool, StreamEdge, bool]
"""Both ends, what changed, and the edge as it is and as it was, each with its chaining."""


def compare_graphs(case: PlanCase, *, whole: bool = False) -> ChangedGraph | None:
    """The changed part of NEW's graph, compared with OLD's; None where OLD's is not known.

    ``whole``: also what did not change, up to ``MOST_WHOLE`` operators.
    """
    old_compilation = case.old_program
    if old_compilation is None:
        return None
    old_nodes, new_nodes = old_compilation.stream_graph.nodes, case.new.stream_graph.nodes
    new_places = {node.id: _Place(is_new=True, id=node.id) for node in new_nodes}
    old_places = {
        node.id: new_places[case.matched[node.id]]
        if node.id in case.matched
        else _Place(is_new=False, id=node.id)
        for node in old_nodes
    }
    old_by_place = {old_places[node.id]: node for node in old_nodes}
    operators = {
        place: _compare_operator(
            case, old_compilation, case.new.stream_graph.by_id[id], old_by_place.get(place)
        )
        for id, place in new_places.items()
    }
    for place, node in old_by_place.items():
        if not place.is_new:
            operators[place] = _operator(node, "removed")
    edges = list(
        _compare_edges(_by_ends(old_compilation, old_places), _by_ends(case.new, new_places))
    )
    if whole and len(operators) <= MOST_WHOLE:
        return _selected(operators, edges, list(operators), len(operators))
    return _around_changes(operators, edges)


def _operator(
    node: StreamNode, change: PartChange, changes: tuple[tuple[str, str], ...] = ()
) -> ShownOperator:
    """A row without its key, which the selection gives it."""
    return ShownOperator(
        key=0, name=node.name, parallelism=node.parallelism, change=change, changes=changes
    )


def _compare_operator(
    case: PlanCase, old_compilation: Compilation, node: StreamNode, old: StreamNode | None
) -> ShownOperator:
    if old is None:
        return _operator(node, "added")
    pairs = (
        (old_compilation.hashes[old.id], case.new.hashes[node.id]),
        (f"×{old.parallelism}", f"×{node.parallelism}"),
        (old.name, node.name),
    )
    changes = tuple(pair for pair in pairs if pair[0] != pair[1])
    return _operator(node, "changed" if changes else "same", changes)


def _by_ends(program: Compilation, places: Mapping[NodeId, _Place]) -> _Edges:
    return {
        (places[edge.source], places[edge.target], edge.type_number, edge.unique_id): (
            edge,
            program.verdicts[position] == 0,
        )
        for position, edge in enumerate(program.stream_graph.edges)
    }


def _compare_edges(old: _Edges, new: _Edges) -> Iterator[_EdgeChange]:
    for key in (*new, *(key for key in old if key not in new)):
        edge, chained = new.get(key) or old[key]
        old_edge, was_chained = old.get(key) or new[key]
        change: PartChange = "added" if key not in old else "removed"
        if key in old and key in new:
            facts = [
                (stream_edge.partitioner, stream_edge.exchange_mode)
                for stream_edge in (edge, old_edge)
            ]
            is_same = chained == was_chained and facts[0] == facts[1]
            change = "same" if is_same else "changed"
        yield key[0], key[1], change, edge, chained, old_edge, was_chained


def _around_changes(
    operators: Mapping[_Place, ShownOperator], edges: list[_EdgeChange]
) -> ChangedGraph:
    """Select what changed and its neighbours, what changed first."""
    changed = {place for place, operator in operators.items() if operator.change != "same"}
    near = set(changed)
    for source, target, change, *_ in edges:
        if change != "same" or source in changed or target in changed:
            near |= {source, target}
    ordered = [place for place in operators if place in near]
    changed_first = sorted(ordered, key=lambda place: place not in changed)
    chosen = set(changed_first[:MOST_OPERATORS])
    return _selected(
        operators, edges, [place for place in ordered if place in chosen], len(ordered)
    )


def _selected(
    operators: Mapping[_Place, ShownOperator],
    edges: list[_EdgeChange],
    chosen: list[_Place],
    count: int,
) -> ChangedGraph:
    """Return the ``chosen`` of so many operators, numbered in their order, with their edges."""
    keys = {place: key for key, place in enumerate(chosen)}
    return ChangedGraph(
        operators=tuple(
            msgspec.structs.replace(operators[place], key=key) for place, key in keys.items()
        ),
        edges=tuple(
            ShownEdge(
                source=keys[source],
                target=keys[target],
                change=change,
                chained=chained,
                partitioner=edge.partitioner,
                was_chained=was_chained,
                old_partitioner=old_edge.partitioner,
            )
            for source, target, change, edge, chained, old_edge, was_chained in edges
            if source in keys and target in keys
        ),
        left_out=count - len(keys),
    )
