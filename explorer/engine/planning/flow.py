"""The row types along each edge of a StreamGraph, and the work of each node."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from explorer.engine import plan
from explorer.engine.operators.assign_timestamps import clock_warnings
from explorer.engine.operators.collect import plan_collect
from explorer.engine.planning.loops import tail_work
from explorer.engine.planning.operator_work import DEFAULT_SOURCE, OperatorWork, plan_operators
from explorer.engine.planning.outputs import SinkFolder, planned_output, with_part_files
from explorer.engine.planning.synthetic import (
    NOT_FED_BACK,
    NOTE,
    check_expected,
    is_synthetic,
    left_out_note,
    node_order,
    synthetic_figures,
    synthetic_source,
    synthetic_work,
)
from explorer.engine.rows.storage import FilePath
from explorer.engine.steps.drop import Drop
from explorer.engine.steps.planned import Arriving, Outcome, PlanningContext, distinct_types, each
from explorer.engine.steps.step import RowTypes
from explorer.engine.steps.tag import tag_rows
from explorer.flink.compiler import Compilation
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline
from explorer.model.row_type import NO_COLUMNS
from explorer.model.stream_graph import (
    ITERATION_HEAD,
    ITERATION_TAIL,
    NodeId,
    StreamEdge,
    StreamGraph,
    StreamNode,
)
from explorer.wording import quoted

SWITCHED: Final = (
    "{label}: in a run of Flink 1.20, rows of the next source were late that were older than the "
    "last ones of the source before; a trial counts them"
)


class Sink(msgspec.Struct, frozen=True, kw_only=True):
    """A sink of the job: its ID in the report, and its row types."""

    id: str
    node: int
    row_types: RowTypes


class Flow:
    """The planned work of each node, and the row types on each edge."""

    def __init__(
        self, compilation: Compilation, data_dir: FilePath | None, setting: PlanningContext
    ) -> None:
        self._graph, self._setting = compilation.stream_graph, setting
        self._pipeline = compilation.pipeline
        self._work = OperatorWork({}, {})
        if self._pipeline is not None:
            operators = {node.transformation or "" for node in self._graph.nodes}
            self._work = plan_operators(self._pipeline, operators, data_dir, setting)
        self._synthetic = is_synthetic(compilation)
        self._sink_names = _sink_names(self._graph, compilation.pipeline)
        self.sources: dict[NodeId, plan.Source] = {}
        self.outcomes: dict[NodeId, Outcome] = {}
        self.sinks: dict[str, Sink] = {}
        self.outputs: dict[str, SinkFolder] = {}
        """The folder of each sink that writes files."""
        notes = (NOTE, left_out_note(self._graph)) if self._synthetic else ()
        self.warnings: list[str] = [*filter(None, notes)]
        order = node_order(self._graph)
        if self._synthetic:
            check_expected(self._graph, order)
        for id in order:
            self.outcomes[id] = self._outcome(self._graph.node(id))
            self.warnings += self.outcomes[id].warnings

    def along(self, edge: StreamEdge) -> RowTypes:
        """The row types on an edge; most side outputs have the main output's."""
        outcome = self.outcomes[edge.source]
        return outcome.tagged.get(edge.side_output or "", outcome.main)

    def selectors(self, node: StreamNode) -> tuple[plan.OutputNames, ...]:
        """The selectors that direct a node's records to outputs, for each split and row type."""
        if self._synthetic or not node.directs_records:
            return ()
        return tuple(
            selector for id in node.output_selectors for selector in self._work.selectors[id]
        )

    def names(self, position: int) -> tuple[str, ...] | None:
        """The names that select an edge, by its position; None: it carries every record.

        Of equal edges only one carries records: ``DirectedOutput`` holds sets of outputs.
        """
        edges = self._graph.edges
        edge = edges[position]
        if self._synthetic or not self._graph.node(edge.source).directs_records:
            return None
        later = (out_edge for out_edge in self._graph.out_edges[edge.source] if out_edge > position)
        if any(_output_identity(edges[item]) == _output_identity(edge) for item in later):
            return ()
        return edge.selected_names or None

    def keys(self, edge: StreamEdge) -> tuple[str, ...] | None:
        """The key columns of an edge; None: the whole row, as where the rows are synthetic."""
        return None if self._synthetic else edge.keys

    def _outcome(self, node: StreamNode) -> Outcome:
        if not self._graph.in_edges[node.id]:
            return self._source(node)
        arriving = self._arriving(node)
        if node.vertex_class == ITERATION_TAIL:
            return self._fed_back(node, arriving)
        if node.id in self._sink_names:
            return self._plan_sink(node, self._sink_names[node.id], arriving)
        if self._synthetic:
            return synthetic_work(node, arriving)
        if node.tags:
            return tag_rows(node.tags, arriving)
        unchanged = Outcome(main=distinct_types([item.row_type for item in arriving]))
        return self._work.outcomes.get(node.transformation or "", unchanged)

    def _source(self, node: StreamNode) -> Outcome:
        if node.vertex_class == ITERATION_HEAD:
            self.sources[node.id] = plan.Source(rows=None, row_type=NO_COLUMNS)
            if self._synthetic:
                return Outcome(warnings=(NOT_FED_BACK.format(name=node.name),))
            return Outcome(main=self._work.outcomes[node.transformation or ""].main)
        source = self._work.sources.get(node.transformation or "", DEFAULT_SOURCE)
        if self._synthetic:
            source = synthetic_source(node)
        self.sources[node.id] = msgspec.structs.replace(source, timestamped=node.new_source)
        return Outcome(main=(source.row_type,), warnings=self._source_warnings(node, source))

    def _source_warnings(self, node: StreamNode, source: plan.Source) -> tuple[str, ...]:
        """What a source does by the clock."""
        if self._pipeline is None or node.transformation is None or source.time_column is None:
            return ()
        times = self._pipeline.transformation(node.transformation).timestamps
        label = f"source {quoted(node.transformation)}"
        switches = (SWITCHED.format(label=label),) if len(source.parts) > 1 else ()
        return (*switches, *(clock_warnings(label, times) if times is not None else ()))

    def _fed_back(self, tail: StreamNode, arriving: Sequence[Arriving]) -> Outcome:
        if self._synthetic:
            return each(arriving, [Drop() for _ in arriving])
        entering = self._work.outcomes[tail.transformation or ""].main
        return tail_work(self._graph, tail, arriving, entering, self.outcomes)

    def _arriving(self, node: StreamNode) -> list[Arriving]:
        edges = [self._graph.edges[position] for position in self._graph.in_edges[node.id]]
        result = dict.fromkeys(
            (edge.type_number, row_type) for edge in edges for row_type in self.along(edge)
        )
        return [Arriving(input=number, row_type=row_type) for number, row_type in result]

    def _plan_sink(self, node: StreamNode, name: str, arriving: Sequence[Arriving]) -> Outcome:
        """Plan the first node of a sink, with its files; a committer after it does nothing."""
        if name in self.sinks:
            return Outcome()
        row_types = distinct_types([item.row_type for item in arriving])
        self.sinks[name] = Sink(id=name, node=node.id, row_types=row_types)
        outcome = plan_collect(arriving, self._setting, synthetic_figures(node).cost)
        output, urls = self._setting.output, self._setting.urls
        write = None if self._pipeline is None else self._pipeline.transformation(name).write
        if output is None or write is None:
            return outcome
        folder = planned_output(name, node.id, write, output.path, row_types, urls=urls)
        self.outputs[name] = folder
        maximum = None if output.most is None else output.most // max(1, node.parallelism)
        return with_part_files(outcome, folder, maximum)


def _output_identity(edge: StreamEdge) -> tuple[object, ...]:
    """The fields by which a release with output selectors compares edges of one source."""
    names = (edge.selected_names, edge.side_output)
    return (edge.target, edge.type_number, *names, edge.partitioner)


def _sink_names(graph: StreamGraph, pipeline: Pipeline | None) -> Mapping[NodeId, str]:
    """Map each sink's node to its ID, or in a StreamGraph to its unique name."""
    if pipeline is not None:
        ids = {
            transformation.id
            for transformation in pipeline.transformations
            if KINDS[transformation.type].sink
        }
        return {node.id: node.transformation for node in graph.nodes if node.transformation in ids}
    sinks = [node for node in graph.nodes if node.sink or not graph.out_edges[node.id]]
    names = [node.name for node in sinks]
    return {
        node.id: node.name if names.count(node.name) == 1 else f"{node.name} {node.id}"
        for node in sinks
    }
