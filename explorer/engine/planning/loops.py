"""Loops of a plan: their tasks, their feedback edges, and warnings before the run."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from msgspec.structs import replace

from explorer.engine.planning.synthetic import is_synthetic
from explorer.engine.steps.drop import Drop
from explorer.engine.steps.feed_back import FeedBack
from explorer.engine.steps.planned import Arriving, Outcome, each
from explorer.engine.steps.step import RowTypes
from explorer.errors import TrialError
from explorer.flink.compiler import Compilation
from explorer.flink.regions import producers_first, reachable_from
from explorer.model.stream_graph import (
    ITERATION_HEAD,
    ITERATION_TAIL,
    NodeId,
    StreamGraph,
    StreamNode,
)
from explorer.wording import quoted

T = TypeVar("T", bound=Hashable)

ENDLESS: Final = (
    "{name}: no operator on the loop drops a record, so each would go round for ever, and a "
    "trial feeds none back; give a filter of the loop its where, or close it with a side output"
)
_NAMED: Final = 3
"""Operators that a warning names."""


class Loops:
    """The loops of a job, by vertex ID; loops within loops, or crossing others, are one."""

    def __init__(self, compilation: Compilation) -> None:
        self._compilation = compilation
        graph, nodes = compilation.job_graph, compilation.stream_graph.nodes
        if is_synthetic(compilation):
            nodes = ()
        job_edges = [(edge.source, edge.target) for edge in graph.edges]
        vertex_of = {o.node: vertex.id for vertex in graph.vertices for o in vertex.operators}
        self._heads = {
            node.transformation: node.id for node in nodes if node.vertex_class == ITERATION_HEAD
        }
        """The head's node of each iteration."""
        self.head_of: Mapping[str, str] = {
            vertex_of[node.id]: vertex_of[self._heads[node.transformation]]
            for node in nodes
            if node.vertex_class == ITERATION_TAIL and node.transformation in self._heads
        }
        """The head's vertex of each tail's vertex."""
        edges = [*job_edges, *self.head_of.items()]
        further, back = _neighbours(edges), _neighbours((b, a) for a, b in edges)
        self.loop_of: dict[str, int] = {}
        """The loop's number of each vertex in a loop."""
        for number, head in enumerate(self.head_of.values()):
            if head not in self.loop_of:
                old_reachable = reachable_from([head], back)
                within = (id for id in reachable_from([head], further) if id in old_reachable)
                self.loop_of.update(dict.fromkeys(within, number))
        self.order = self._order([vertex.id for vertex in graph.vertices], job_edges)
        """All vertices, producers first, the vertices of a loop next to one another."""
        stream_edges = [(edge.source, edge.target) for edge in compilation.stream_graph.edges]
        self._downstream = {
            head: sorted(reachable_from([head], _neighbours(stream_edges)))
            for head in self._heads.values()
        }
        """The nodes that records reach from each head on."""

    def _order(self, vertices: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[str]:
        label: dict[str, str | int] = {id: self.loop_of.get(id, id) for id in vertices}
        straight = producers_first(vertices, edges)
        whole = producers_first(
            list(dict.fromkeys(label.values())),
            dict.fromkeys((label[a], label[b]) for a, b in edges if label[a] != label[b]),
        )
        place = {item: at for at, item in enumerate(whole)}
        return sorted(straight, key=lambda id: place[label[id]])

    def warnings(self, outcomes: Mapping[NodeId, Outcome]) -> Iterator[str]:
        """Warn of results that in Flink depend on time or a random order of records."""
        pipeline = self._compilation.pipeline
        waits = {item.id: item.max_wait for item in pipeline.transformations} if pipeline else {}
        for transformation, head in self._heads.items():
            name = self._compilation.stream_graph.node(head).name
            if not waits.get(transformation or ""):
                yield (
                    f"{name}: without max_wait its head waits for ever and Flink's job never ends; "
                    "a trial ends when no record is left to feed back"
                )
            order_dependent = [
                id
                for id in self._downstream[head]
                if any(step.traits.order_sensitive for _, _, step in outcomes[id].steps)
            ]
            if order_dependent:
                names = [
                    repr(self._compilation.stream_graph.node(id).name) for id in order_dependent
                ]
                shown = ", ".join(names[:_NAMED]) + (" and others" if len(names) > _NAMED else "")
                yield (
                    f"{name}: in Flink it is chance in which order records that come back and "
                    f"others reach {shown}: its rows may depend on it; a trial takes those from "
                    "outside first, then round by round"
                )


def _neighbours(edges: Iterable[tuple[T, T]]) -> Callable[[T], list[T]]:
    """Return a function that gives the nodes one edge downstream."""
    result: dict[T, list[T]] = {}
    for source, target in edges:
        result.setdefault(source, []).append(target)
    return lambda item: result.get(item, [])


def tail_work(
    graph: StreamGraph,
    tail: StreamNode,
    arriving: Sequence[Arriving],
    carried: RowTypes,
    outcomes: Mapping[NodeId, Outcome],
) -> Outcome:
    """Plan a tail; ``outcomes``: of all nodes before the tail.

    Raises ``TrialError`` for rows of a type that does not enter the iteration (``carried``).
    """
    for one in arriving:
        if one.row_type not in carried:
            msg = (
                f"iteration {quoted(tail.transformation or '')}: what is fed back has "
                f"{one.row_type}, but it carries {' or '.join(map(str, carried))}; give both the "
                "same columns with a select"
            )
            raise TrialError(msg)
    if _is_endless(graph, tail, outcomes):
        dropped = each(arriving, [Drop() for _ in arriving])
        return replace(dropped, warnings=(ENDLESS.format(name=tail.name),))
    return each(arriving, [FeedBack() for _ in arriving])


def _is_endless(graph: StreamGraph, tail: StreamNode, outcomes: Mapping[NodeId, Outcome]) -> bool:
    """Whether every record reaches the tail from the head."""

    def before(node: NodeId) -> Iterator[NodeId]:
        """Yield the nodes of which this one emits a record for each, whatever other inputs do."""
        steps = outcomes[node].steps if node != tail.id else ()
        for edge in (graph.edges[position] for position in graph.in_edges[node]):
            chosen = edge.selected_names and graph.node(edge.source).directs_records
            whole = edge.side_output is None and not chosen
            mine = (step for number, _, step in steps if number == edge.type_number)
            if whole and all(step.traits.emits_each for step in mine):
                yield edge.source

    stream_nodes = map(graph.node, reachable_from([tail.id], before))
    heads = (
        stream_node for stream_node in stream_nodes if stream_node.vertex_class == ITERATION_HEAD
    )
    return any(head.transformation == tail.transformation for head in heads)
