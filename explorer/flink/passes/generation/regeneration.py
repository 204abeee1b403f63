"""The StreamGraph after an edit of one operator, made from the graph before the edit.

Most edits set a field that decides about the operator's own node, its edges and nothing else: every
other node and every other edge stays the same object.
"""

from collections.abc import Mapping, Sequence
from operator import is_not
from typing import Final

import msgspec

from explorer.flink.kinds import KINDS, Kind, types_with
from explorer.flink.passes.generation.generator import Generated, program_warnings, with_setters
from explorer.flink.passes.generation.graph import partitioner_between
from explorer.flink.passes.generation.nodes import NodeMaker
from explorer.flink.passes.generation.options import configured
from explorer.flink.releases import Release
from explorer.model.chains import JobSettings
from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph, StreamNode

_OWN_FIELDS: Final = (
    "name",
    "uid",
    "uid_hash",
    "chaining_strategy",
    "parallelism",
    "max_parallelism",
    "co_location_group",
    "buffer_timeout",
)
"""The fields of a transformation that decide about its own node and its edges alone."""


def regenerate(
    pipeline: Pipeline,
    release: Release,
    previous: Pipeline,
    graph: StreamGraph,
    settings: JobSettings,
) -> Generated | None:
    """Generate ``pipeline`` if it differs from ``previous`` in own fields of one operator.

    ``graph``, ``settings``: what ``previous`` became under this release. None: the edit is another
    one, and ``generate`` must run. Raises ``FlinkRefusalError`` where Flink refuses the new node.
    """
    edited = _find_edited(pipeline, previous)
    if edited is None:
        return None
    nodes = [node for node in graph.nodes if node.transformation == edited.id]
    if len(nodes) != 1:
        return None
    declared = with_setters(pipeline)
    maker = NodeMaker(configured(pipeline.environment, release), declared, settings, release)
    old = with_setters(previous)[edited.id]
    # What is made in another place than the maker, such as the writer of a sink, is not this node.
    if _make(maker, old, nodes[0]) != nodes[0]:
        return None
    node = _make(maker, declared[edited.id], nodes[0])
    if node.parallelism != nodes[0].parallelism and types_with(_follows_parallelism, pipeline):
        return None
    by_id = {**graph.by_id, node.id: node}
    changed = _connect_again(graph, graph.in_edges[node.id], by_id, declared, settings)
    # Flink adds an operator with its in-edges, refuses it for its own sake, and goes on to readers.
    maker.check(declared[edited.id], node)
    changed |= _connect_again(graph, graph.out_edges[node.id], by_id, declared, settings)
    edges = [changed.get(position, edge) for position, edge in enumerate(graph.edges)]
    regenerated = graph.with_nodes(tuple([by_id[other.id] for other in graph.nodes]))
    return Generated(
        stream_graph=msgspec.structs.replace(regenerated, edges=tuple(edges))
        if changed
        else regenerated,
        settings=settings,
        warnings=program_warnings(pipeline, release),
    )


def _follows_parallelism(kind: Kind) -> bool:
    """Whether such a call may make a node with the parallelism of one that it reads."""
    return (kind.node and kind.input_parallelism) or kind.tagger is not None or kind.caches


def _connect_again(
    graph: StreamGraph,
    positions: Sequence[int],
    by_id: Mapping[NodeId, StreamNode],
    declared: Mapping[str, Transformation],
    settings: JobSettings,
) -> dict[int, StreamEdge]:
    """By position, those of the edges that differ between the nodes that ``by_id`` has."""
    edges = {}
    for position in positions:
        edge = graph.edges[position]
        source, target = by_id[edge.source], by_id[edge.target]
        # What Flink chooses by both ends' parallelism, a partition of the program sets as well.
        is_set = edge.partitioner not in {"FORWARD", "REBALANCE"} or any(
            KINDS[declared[id].type].partitions for id in edge.via
        )
        partitioner, class_name = partitioner_between(
            edge.partitioner if is_set else None, source, target, dynamic=settings.dynamic
        )
        connected = msgspec.structs.replace(
            edge,
            partitioner=partitioner,
            partitioner_class=class_name,
            buffer_timeout=source.buffer_timeout,
        )
        if connected != edge:
            edges[position] = connected
    return edges


def _find_edited(pipeline: Pipeline, previous: Pipeline) -> Transformation | None:
    """The transformation that the edit replaced; None if the edit changed more than own fields."""
    transformations, then = pipeline.transformations, previous.transformations
    if pipeline.environment != previous.environment or len(transformations) != len(then):
        return None
    replaced = [
        position
        for position, counterpart in enumerate(map(is_not, transformations, then))
        if counterpart
    ]
    if len(replaced) != 1:
        return None
    new, old = transformations[replaced[0]], then[replaced[0]]
    own_values = {field: getattr(new, field) for field in _OWN_FIELDS}
    return new if msgspec.structs.replace(old, **own_values) == new else None


def _make(maker: NodeMaker, t: Transformation, old: StreamNode) -> StreamNode:
    """Make the node of ``t`` with the number, the group and the selectors of the node before."""
    node = maker.make_operator(t, old.id, old.slot_sharing_group or "", maker.keyed_inputs(t))
    return msgspec.structs.replace(node, output_selectors=old.output_selectors)
