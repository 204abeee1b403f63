"""Which rows flow where? Found by walking from the sources, asking each transformation in turn.

Mirrors how Flink's type extraction follows a program; ``steps.py`` says what each type does.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from explorer.flink.compiler import Compilation
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Transformation
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph, StreamNode
from explorer.rows.row_type import NO_COLUMNS, SchemaError
from explorer.task import plan
from explorer.trial.source_plans import default_source, source_plan
from explorer.trial.stateless_work import BUILDERS, collect
from explorer.trial.work import Arriving, Outcome, Setting, distinct, pass_on

T = TypeVar("T", bound=Hashable)


def producers_first(nodes: Sequence[T], edges: Iterable[tuple[T, T]]) -> list[T]:
    """Sort so that every edge runs forward; ties keep the order of ``nodes``. No cycles.

    >>> producers_first(["c", "b", "a"], [("a", "b"), ("b", "c")])
    ['a', 'b', 'c']
    """
    missing = dict.fromkeys(nodes, 0)
    readers: dict[T, list[T]] = {}
    for source, target in edges:
        missing[target] += 1
        readers.setdefault(source, []).append(target)
    order = [node for node in nodes if not missing[node]]
    for node in order:
        for reader in readers.get(node, ()):
            missing[reader] -= 1
            if not missing[reader]:
                order.append(reader)
    return order


class Sink(msgspec.Struct, frozen=True, kw_only=True):
    """A sink of the job: its id in the report, and what its rows look like."""

    id: str
    node: int
    row_types: plan.RowTypes


class Flow:
    """Each node's work, and the row types of what it gives."""

    def __init__(self, compilation: Compilation, data_dir: Path | None, setting: Setting) -> None:
        self._graph = compilation.stream_graph
        self._data_dir, self._setting = data_dir, setting
        declared = compilation.pipeline.transformations if compilation.pipeline else ()
        self._transformations = {one.id: one for one in declared}
        self._sink_names = _sink_names(self._graph)
        self.sources: dict[NodeId, plan.Source] = {}
        self.outcomes: dict[NodeId, Outcome] = {}
        self.sinks: dict[str, Sink] = {}
        self.warnings: list[str] = []
        ends = [(edge.source, edge.target) for edge in self._graph.edges]
        for id in producers_first([node.id for node in self._graph.nodes], ends):
            self.outcomes[id] = self._outcome(self._graph.node(id))
            self.warnings += self.outcomes[id].warnings

    def along(self, edge: StreamEdge) -> plan.RowTypes:
        """The row types on an edge; a tag that nothing is emitted to looks like the main output."""
        source = self.outcomes[edge.source]
        if edge.side_output is None:
            return source.main
        return source.tags.get(edge.side_output, source.main)

    def _outcome(self, node: StreamNode) -> Outcome:
        transformation = self._transformations.get(node.transformation or "")
        if not self._graph.in_edges[node.id]:
            return self._source(node, transformation)
        arriving = self._arriving(node)
        if node.vertex_class == "StreamIterationTail":
            steps = tuple((one.input, one.row_type, plan.Drop()) for one in arriving)
            return Outcome(steps=steps)
        sink = self._sink_name(node, transformation)
        if sink is not None:
            return self._collected(node, sink, arriving)
        if transformation is None:
            return pass_on(None, arriving, self._setting)
        return BUILDERS.get(transformation.type, pass_on)(transformation, arriving, self._setting)

    def _sink_name(self, node: StreamNode, transformation: Transformation | None) -> str | None:
        if transformation is None:
            return self._sink_names.get(node.id)
        return transformation.id if KINDS[transformation.type].sink else None

    def _source(self, node: StreamNode, transformation: Transformation | None) -> Outcome:
        if node.vertex_class == "StreamIterationHead":
            self.sources[node.id] = plan.Source(rows=None, row_type=NO_COLUMNS)
            self.warnings.append(f"{node.name}: a trial does not feed rows back into an iteration")
            return Outcome()
        timestamped = node.new_source
        made = (
            default_source(timestamped=timestamped)
            if transformation is None
            else source_plan(transformation, self._data_dir, timestamped=timestamped)
        )
        self.sources[node.id] = made
        return Outcome(main=(made.row_type,))

    def _arriving(self, node: StreamNode) -> list[Arriving]:
        """The rows of each input, each type once."""
        found: dict[Arriving, None] = {}
        first: dict[int, StreamEdge] = {}
        for position in self._graph.in_edges[node.id]:
            edge = self._graph.edges[position]
            self._check_union(first.setdefault(edge.type_number, edge), edge)
            for row_type in self.along(edge):
                found[Arriving(input=edge.type_number, row_type=row_type, keys=edge.keys)] = None
        return list(found)

    def _check_union(self, one: StreamEdge, other: StreamEdge) -> None:
        """Streams that meet on one input come of a union, which takes one type alone."""
        types, more = self.along(one), self.along(other)
        if len(types) == 1 and len(more) == 1 and types != more:
            names = [self._graph.node(edge.source).transformation for edge in (one, other)]
            msg = (
                f"Cannot union streams of different types: {names[0]!r} gives {types[0]}, and "
                f"{names[1]!r} gives {more[0]}; give both the same columns with a select"
            )
            raise SchemaError(msg)

    def _collected(self, node: StreamNode, name: str, arriving: Sequence[Arriving]) -> Outcome:
        """The first node of a sink collects; a committer behind it has nothing to do."""
        if name in self.sinks:
            return Outcome()
        row_types = distinct([one.row_type for one in arriving])
        self.sinks[name] = Sink(id=name, node=node.id, row_types=row_types)
        return collect(name, arriving, self._setting)


def _sink_names(graph: StreamGraph) -> Mapping[NodeId, str]:
    """What the sinks of a StreamGraph are called: by name, or by number where names meet."""
    sinks = [node for node in graph.nodes if node.sink or not graph.out_edges[node.id]]
    names = [node.name for node in sinks]
    return {
        node.id: node.name if names.count(node.name) == 1 else f"{node.name} {node.id}"
        for node in sinks
    }
