"""Loops of a plan: their tasks, their feedback edges, and warnings before the run."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from msgspec.structs import replace

from explorer.engine.operators.drop import Drop
from explorer.engine.operators.feed_back import FeedBack
from explorer.engine.operators.planned import Arriving, Outcome, each
from explorer.engine.operators.step import RowTypes
from explorer.engine.planning.synthetic import is_synthetic
from explorer.errors import TrialError
from explorer.flink.compiler import Compilation
from explorer.flink.regions import producers_first, reached
from explorer.model.row_type import RowType
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
        self._done = compilation
        graph = compilation.job_graph
        self._edges = [(edge.source, edge.target) for edge in graph.edges]
        self._vertices = [vertex.id for vertex in graph.vertices]
        self._by_node = {o.node: vertex.id for vertex in graph.vertices for o in vertex.operators}
        self._heads = {} if is_synthetic(compilation) else self._found_heads()
        """By transformation, the node of its head."""
        self.head_of: Mapping[str, str] = dict(self._tails_and_heads())
        """By tail its head."""
        self.loop_of: Mapping[str, int] = self._found_loops()
        """By vertex the number of its loop; what no record comes back to is in none."""

    def _found_heads(self) -> dict[str, NodeId]:
        nodes = self._done.stream_graph.nodes
        return {n.transformation or "": n.id for n in nodes if n.vertex_class == ITERATION_HEAD}

    def _tails_and_heads(self) -> Iterator[tuple[str, str]]:
        for node in self._done.stream_graph.nodes:
            head = self._heads.get(node.transformation or "")
            if node.vertex_class == ITERATION_TAIL and head is not None:
                yield self._by_node[node.id], self._by_node[head]

    def _found_loops(self) -> dict[str, int]:
        edges = [*self._edges, *self.head_of.items()]
        further, back = _neighbours(edges), _neighbours((b, a) for a, b in edges)
        found: dict[str, int] = {}
        for number, head in enumerate(self.head_of.values()):
            if head not in found:
                before = reached([head], back)
                found.update({id: number for id in reached([head], further) if id in before})
        return found

    def order(self) -> list[str]:
        """All vertices, producers first, those of a loop behind one another."""
        label: dict[str, str | int] = {id: self.loop_of.get(id, id) for id in self._vertices}
        straight = producers_first(self._vertices, self._edges)
        whole = producers_first(
            list(dict.fromkeys(label.values())),
            dict.fromkeys((label[a], label[b]) for a, b in self._edges if label[a] != label[b]),
        )
        place = {one: at for at, one in enumerate(whole)}
        return sorted(straight, key=lambda id: place[label[id]])

    def warnings(self, outcomes: Mapping[NodeId, Outcome]) -> Iterator[str]:
        """What Flink leaves to the clock or to chance; ``outcomes``: the operators' work."""
        pipeline = self._done.pipeline
        waits = {one.id: one.max_wait for one in pipeline.transformations} if pipeline else {}
        further = _neighbours((edge.source, edge.target) for edge in self._done.stream_graph.edges)
        for transformation, head in self._heads.items():
            name = self._done.stream_graph.node(head).name
            if not waits.get(transformation):
                yield (
                    f"{name}: without max_wait its head waits for ever and Flink's job never ends; "
                    "a trial ends when no record is left to feed back"
                )
            order_dependent = [
                id
                for id in sorted(reached([head], further))
                if any(step.traits.order_sensitive for _, _, step in outcomes[id].steps)
            ]
            if order_dependent:
                yield self._by_chance(name, order_dependent)

    def _by_chance(self, head: str, order_dependent: list[NodeId]) -> str:
        names = [repr(self._done.stream_graph.node(id).name) for id in order_dependent]
        shown = ", ".join(names[:_NAMED]) + (" and others" if len(names) > _NAMED else "")
        return (
            f"{head}: in Flink it is chance in which order records that come back and others reach "
            f"{shown}: its rows may depend on it; a trial takes those from outside first, then "
            "round by round"
        )


def _neighbours(edges: Iterable[tuple[T, T]]) -> Callable[[T], list[T]]:
    """Finds the nodes one edge downstream."""
    found: dict[T, list[T]] = {}
    for one, other in edges:
        found.setdefault(one, []).append(other)
    return lambda one: found.get(one, [])


def tail_work(
    graph: StreamGraph,
    tail: StreamNode,
    arriving: Sequence[Arriving],
    carried: RowTypes,
    outcomes: Mapping[NodeId, Outcome],
) -> Outcome:
    """What a tail does; ``carried``: what enters the iteration, as ``closeWith`` wants its rows.

    ``outcomes``: of all nodes before it. Raises ``TrialError`` for rows that look otherwise.
    """
    for one in arriving:
        if one.row_type not in carried:
            raise TrialError(_unlike(tail.transformation, one.row_type, carried))
    if _goes_round_for_ever(graph, tail, outcomes):
        dropped = each(arriving, [Drop() for _ in arriving])
        return replace(dropped, warnings=(ENDLESS.format(name=tail.name),))
    return each(arriving, [FeedBack() for _ in arriving])


def _unlike(iteration: str | None, back: RowType, carried: RowTypes) -> str:
    return (
        f"iteration {quoted(iteration or '')}: what is fed back has {back}, but it carries "
        f"{' or '.join(map(str, carried))}; give both the same columns with a select"
    )


def _goes_round_for_ever(
    graph: StreamGraph, tail: StreamNode, outcomes: Mapping[NodeId, Outcome]
) -> bool:
    """Whether a record comes from head to tail whatever it is."""

    def before(node: NodeId) -> Iterator[NodeId]:
        for position in graph.in_edges[node]:
            edge = graph.edges[position]
            chosen = edge.selected_names and graph.node(edge.source).directs_records
            whole = edge.side_output is None and not chosen
            if whole and all(step.traits.emits_each for _, _, step in outcomes[edge.source].steps):
                yield edge.source

    found = map(graph.node, reached([tail.id], before))
    heads = (one for one in found if one.vertex_class == ITERATION_HEAD)
    return any(head.transformation == tail.transformation for head in heads)
