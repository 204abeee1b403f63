"""View of a compilation for drawings: every ID and outcome looked up, once.

The page, the notebook and the text renderers read its records and never a Compilation.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count
from typing import Final

from msgspec.structs import replace

from explorer.deployment.slots import slots_by_group
from explorer.drawing.view.elements import (
    DATA_SET_WORDS,
    EdgeView,
    GraphView,
    GraphWords,
    JobEdgeView,
    NodeView,
    VertexView,
)
from explorer.flink.compiler import Compilation
from explorer.flink.process_functions import process_call
from explorer.flink.rules import Rule, failed
from explorer.flink.subtask_wiring import channels
from explorer.lookup.identity import Identity, edge_identities, operator_identities
from explorer.model.data_set import DataSetEdge
from explorer.model.stream_graph import NodeId, StreamGraph, StreamNode, bare_name

PARTITIONER: Final = "partitioner {edge.partitioner}"
"""Reason of a rule without a label of its own."""
NO_DRIVER: Final = "no driver"
"""What a source or a sink of a DataSet program runs."""


def graph_view(compilation: Compilation) -> GraphView:
    """Resolve everything that a drawing or a table of both graphs shows."""
    numbers = chain_numbers(compilation)
    vertices = _vertices(compilation, numbers)
    nodes = _nodes(compilation, numbers)
    job_edges = tuple(_job_edges(compilation, vertices))
    edges = tuple(_edges(compilation, {view.edge: view.key for view in job_edges}))
    return GraphView(
        release=compilation.release.version,
        nodes=nodes,
        edges=edges,
        vertices=vertices,
        job_edges=job_edges,
        words=GraphWords() if compilation.data_set is None else DATA_SET_WORDS,
        slots=sum(slots_by_group(compilation.job_graph).values()),
        node_of={node.key: node for node in nodes},
        edge_of={edge.key: edge for edge in edges},
        vertex_of={vertex.key: vertex for vertex in vertices},
        job_edge_of={edge.key: edge for edge in job_edges},
    )


def chain_numbers(compilation: Compilation) -> list[int]:
    """Return the number of each chain of the job graph: 1 for the one with the lowest node ID."""
    vertices = compilation.job_graph.vertices
    first = [min(operator.node for operator in vertex.operators) for vertex in vertices]
    order = sorted(range(len(vertices)), key=first.__getitem__)
    numbers = [0] * len(vertices)
    for turn, position in enumerate(order):
        numbers[position] = turn + 1
    return numbers


def chain_colours(compilation: Compilation, view: GraphView) -> list[int]:
    """Return the number that chooses the colour of each chain of the job graph."""
    colours = {vertex.id: vertex.colour for vertex in view.vertices}
    numbers = chain_numbers(compilation)
    vertices = compilation.job_graph.vertices
    return [
        colours.get(vertex.id, number) for vertex, number in zip(vertices, numbers, strict=True)
    ]


def _vertices(compilation: Compilation, numbers: list[int]) -> tuple[VertexView, ...]:
    job, plan = compilation.job_graph, compilation.data_set
    crossing = {edge.stream_edge for edge in job.edges}
    within: dict[int, list[str]] = defaultdict(list)
    for index, edge in enumerate(compilation.stream_graph.edges):
        if index not in crossing:
            within[job.vertex_of[edge.source]].append(f"e{index}")
    drivers = {task.id: task.driver or NO_DRIVER for task in plan.tasks} if plan else {}
    views = []
    for position, vertex in enumerate(job.vertices):
        chain = sorted(vertex.operators, key=lambda operator: (operator.chain_index, operator.node))
        view = VertexView(
            key=f"v{numbers[position]}",
            number=numbers[position],
            colour=numbers[position],
            id=vertex.id,
            name=vertex.name,
            parallelism=vertex.parallelism,
            max_parallelism=vertex.max_parallelism,
            invokable=drivers.get(vertex.id, vertex.invokable).rpartition(".")[2],
            slot_sharing_group=vertex.slot_sharing_group,
            slot_group=compilation.slot_sharing_groups[vertex.slot_sharing_group],
            nodes=tuple(f"n{operator.node}" for operator in chain),
            edges=tuple(within[position]),
        )
        views.append(view)
    return tuple(sorted(views, key=lambda view: view.number))


def _nodes(compilation: Compilation, numbers: list[int]) -> tuple[NodeView, ...]:
    job = compilation.job_graph
    index = {
        operator.node: operator.chain_index
        for vertex in job.vertices
        for operator in vertex.operators
    }
    pipeline = compilation.pipeline
    transformations = pipeline.transformations if pipeline else ()
    types = {transformation.id: transformation.type for transformation in transformations}
    unnamed = {
        transformation.id for transformation in transformations if transformation.name is None
    }
    pairs = operator_identities(compilation.stream_graph)
    nodes = tuple(
        _node(
            compilation.stream_graph,
            node,
            compilation.hashes[node.id],
            types.get(node.transformation or "", ""),
            (f"v{numbers[job.vertex_of[node.id]]}", index[node.id]),
            pairs[node.id],
            is_unnamed=not node.tags
            and node.transformation in unnamed
            and node.transformation != bare_name(node.name),
        )
        for node in compilation.stream_graph.nodes
    )
    if compilation.data_set is None:
        return nodes
    # A DataSet program has neither chaining strategies nor stream tasks.
    return tuple(replace(node, strategy=None, vertex_class="") for node in nodes)


def _node(
    graph: StreamGraph,
    node: StreamNode,
    hash: str,
    type: str,
    place: tuple[str, int],
    identity: Identity,
    *,
    is_unnamed: bool,
) -> NodeView:
    return NodeView(
        key=f"n{node.id}",
        id=node.id,
        name=node.name,
        uid=node.uid,
        uid_hash=node.uid_hash,
        hash=hash,
        parallelism=node.parallelism,
        max_parallelism=node.max_parallelism,
        strategy=node.chaining_strategy,
        strategy_words=node.strategy_words,
        slot_sharing_group=node.slot_sharing_group,
        vertex_class=node.vertex_class,
        buffer_timeout=node.buffer_timeout,
        transformation=node.transformation,
        tags=node.tags,
        type=type,
        vertex=place[0],
        chain_index=place[1],
        identity=identity,
        function=node.operator.function if node.operator else None,
        process=process_call(graph, node),
        event_time=node.event_time,
        hybrid_sources=node.operator.hybrid_sources if node.operator else (),
        is_unnamed=is_unnamed,
    )


def _edges(compilation: Compilation, job_edges: Mapping[str, str]) -> Iterable[EdgeView]:
    graph = compilation.stream_graph
    pairs = edge_identities(graph)
    planned = _planned_edges(compilation)
    for index, (edge, bits) in enumerate(zip(graph.edges, compilation.verdicts, strict=True)):
        source, target = graph.node(edge.source), graph.node(edge.target)
        # No chaining condition decided the tasks of a DataSet program.
        against = failed(bits) if compilation.data_set is None else []
        planned_edge = planned.get((edge.source, edge.target, edge.partitioner))
        key = f"e{index}"
        yield EdgeView(
            key=key,
            index=index,
            source=f"n{edge.source}",
            target=f"n{edge.target}",
            source_name=source.name,
            target_name=target.name,
            input=edge.type_number,
            partitioner=edge.partitioner,
            exchange_mode=edge.exchange_mode,
            side_output=edge.side_output,
            selected_names=edge.selected_names,
            via=edge.via,
            chained=key not in job_edges,
            failed=tuple(rule.code for rule in against),
            against=tuple(
                (rule.label or PARTITIONER).format(source=source, target=target, edge=edge)
                for rule in against
            ),
            cause=_cause(against, source, target) if key in job_edges else "",
            local_strategy=planned_edge.local_strategy if planned_edge else None,
            job_edge=job_edges.get(key),
            identity=pairs[index],
        )


def _planned_edges(
    compilation: Compilation,
) -> Mapping[tuple[NodeId, NodeId, str], DataSetEdge]:
    """Map the ends and the ship strategy of a DataSet program's edges to the edges of its plan."""
    if compilation.data_set is None:
        return {}
    job, data_set_edges = compilation.job_graph, compilation.data_set.edges
    edges = {(edge.source, edge.target, edge.ship_strategy): edge for edge in data_set_edges}
    ids = {node: job.vertices[position].id for node, position in job.vertex_of.items()}
    return {
        (edge.source, edge.target, edge.partitioner): data_set_edge
        for edge in compilation.stream_graph.edges
        if (data_set_edge := edges.get((ids[edge.source], ids[edge.target], edge.partitioner)))
    }


def _cause(against: Collection[Rule], source: StreamNode, target: StreamNode) -> str:
    labels = [rule.label for rule in against if rule.label]
    if len(labels) > 1:
        return f"{len(against)} reasons"
    return labels[0].format(source=source, target=target) if labels else ""


def job_edge_key(number: int) -> str:
    """Return the key of a job edge by its position in the JobGraph.

    >>> job_edge_key(0)
    'j0'
    """
    return f"j{number}"


def _job_edges(compilation: Compilation, vertices: tuple[VertexView, ...]) -> Iterable[JobEdgeView]:
    by_id = {vertex.id: vertex for vertex in vertices}
    planned = _planned_edges(compilation)
    for index, edge in enumerate(compilation.job_graph.edges):
        source, target, pattern = by_id[edge.source], by_id[edge.target], edge.distribution_pattern
        between = compilation.stream_graph.edges[edge.stream_edge]
        planned_edge = planned.get((between.source, between.target, between.partitioner))
        yield JobEdgeView(
            key=job_edge_key(index),
            source=source.key,
            target=target.key,
            source_name=source.name,
            target_name=target.name,
            input=edge.input,
            ship_strategy=edge.ship_strategy,
            pattern=pattern,
            result_type=planned_edge.result_type if planned_edge else edge.result_type,
            channels=channels(pattern, source.parallelism, target.parallelism),
            dataset_index=edge.dataset_index,
            edge=f"e{edge.stream_edge}",
        )


def keep_colours(view: GraphView, old_view: GraphView) -> GraphView:
    """Return the view with the colours that the chains of the same heads have in ``old_view``.

    So a chain keeps its colour over an edit as long as its head is the same. A new chain gets the
    first colour that no other chain has.
    """
    old_colours = {head: vertex.colour for head, vertex in _heads(old_view)}
    colours = {
        vertex.key: old_colours[head] for head, vertex in _heads(view) if head in old_colours
    }
    free = _free_colours(colours)
    vertices = tuple(
        replace(vertex, colour=colours[vertex.key] if vertex.key in colours else next(free))
        for vertex in view.vertices
    )
    return replace(view, vertices=vertices, vertex_of={vertex.key: vertex for vertex in vertices})


def _heads(view: GraphView) -> Iterator[tuple[Identity, VertexView]]:
    """Yield each chain with the identity of its first operator."""
    for vertex in view.vertices:
        yield view.node_of[vertex.nodes[0]].identity, vertex


def _free_colours(colours: Mapping[str, int]) -> Iterator[int]:
    taken = frozenset(colours.values())
    return (number for number in count(1) if number not in taken)
