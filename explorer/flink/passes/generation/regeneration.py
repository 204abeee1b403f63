"""The StreamGraph after an edit of one operator or partition, made from the graph before the edit.

Most edits set a field that decides about an operator's own node, its edges and nothing else, or
about a partition's edges: every other node and every other edge stays the same object. A new
partition also gives other numbers to the nodes that are declared after it.
"""

from collections.abc import Mapping, Sequence
from itertools import compress, count
from operator import is_, is_not
from typing import Final

import msgspec

from explorer.flink.kinds import KINDS, Kind, types_with
from explorer.flink.partitioners import NAMED_PARTITIONERS
from explorer.flink.passes.generation.generator import Generated, program_warnings, with_setters
from explorer.flink.passes.generation.graph import partitioner_between
from explorer.flink.passes.generation.nodes import NodeMaker, without_ignored
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
    """Generate ``pipeline`` if it differs from ``previous`` in one operator or one partition.

    The partition may be a new one. ``graph``, ``settings``: what ``previous`` became under this
    release. None: the edit is another one, and ``generate`` must run. Raises ``FlinkRefusalError``
    where Flink refuses the new graph.
    """
    # Iterations are numbered from program to program, and ``IterativeStream.closeWith`` compares
    # parallelisms also where no operator reads the iteration, so that it has no node.
    if types_with(lambda kind: kind.iterates, pipeline):
        return None
    if (inserted := _find_insertion(pipeline, previous)) is not None:
        regenerated = _insert(*inserted, pipeline, release, graph, settings)
    elif (edit := _find_edit(pipeline, previous)) is None:
        return None
    elif KINDS[edit[0].type].partitions:
        regenerated = _repartition(*edit, pipeline, graph, settings)
    else:
        regenerated = _remake(*edit, pipeline, release, graph, settings)
    if regenerated is None:
        return None
    return Generated(
        stream_graph=regenerated,
        settings=settings,
        warnings=program_warnings(pipeline, release),
    )


def _repartition(
    new: Transformation,
    old: Transformation,
    pipeline: Pipeline,
    graph: StreamGraph,
    settings: JobSettings,
) -> StreamGraph | None:
    """The graph with another partitioner on the edges that pass a partition and no other one."""
    kinds = (KINDS[new.type], KINDS[old.type])
    plain = all(kind.partitioner in NAMED_PARTITIONERS and not kind.exists for kind in kinds)
    # A call that partitions its input itself leaves no trace in ``via``.
    if not plain or types_with(lambda kind: kind.hidden, pipeline):
        return None
    if msgspec.structs.replace(old, type=new.type) != new:
        return None
    changed = {}
    for position, edge in enumerate(graph.edges):
        if new.id in edge.via:
            if sum(KINDS[pipeline.transformation(id).type].partitions for id in edge.via) > 1:
                return None
            changed[position] = _connect(edge, kinds[0].partitioner, graph.by_id, settings)
    return _with_edges(graph, changed)


def _insert(
    partition: Transformation,
    reader: Transformation,
    pipeline: Pipeline,
    release: Release,
    graph: StreamGraph,
    settings: JobSettings,
) -> StreamGraph | None:
    """The graph with a partition more, declared right before the only operator that reads it."""
    if types_with(_counts_or_looks_upstream, pipeline):
        return None
    nodes = {node.transformation: node for node in graph.nodes}
    source, target = nodes.get(partition.inputs[0]), nodes.get(reader.id)
    if source is None or target is None:
        return None
    between = [i for i in graph.in_edges[target.id] if graph.edges[i].source == source.id]
    if len(between) != 1 or graph.edges[between[0]].via:
        return None
    maker = NodeMaker(
        configured(pipeline.environment, release), with_setters(pipeline), settings, release
    )
    # A partition of a keyed stream is not keyed.
    if _make(maker, maker.by_id[reader.id], target) != target:
        return None
    renumbered = _renumber(graph, target.id)
    edge = msgspec.structs.replace(renumbered.edges[between[0]], via=(partition.id,))
    partitioner = KINDS[partition.type].partitioner
    edge = _connect(edge, partitioner, renumbered.by_id, settings)
    return _with_edges(renumbered, {between[0]: edge})


def _renumber(graph: StreamGraph, first: NodeId) -> StreamGraph:
    """The graph with numbers that are one higher, from the node ``first`` on."""
    numbers = {node.id: NodeId(node.id + (node.id >= first)) for node in graph.nodes}
    nodes = [
        msgspec.structs.replace(node, id=numbers[node.id]) if node.id >= first else node
        for node in graph.nodes
    ]
    edges = [
        msgspec.structs.replace(edge, source=numbers[edge.source], target=numbers[edge.target])
        if edge.target >= first or edge.source >= first
        else edge
        for edge in graph.edges
    ]
    return StreamGraph.of(
        tuple(nodes),
        tuple(edges),
        tuple([numbers[id] for id in graph.sources]),
        chaining_enabled=graph.chaining_enabled,
    )


def _remake(
    new: Transformation,
    old: Transformation,
    pipeline: Pipeline,
    release: Release,
    graph: StreamGraph,
    settings: JobSettings,
) -> StreamGraph | None:
    """The graph with the node of an operator that differs in own fields, and with its edges."""
    node_values = {field: getattr(new, field) for field in _OWN_FIELDS}
    nodes = [node for node in graph.nodes if node.transformation == new.id]
    if msgspec.structs.replace(old, **node_values) != new or len(nodes) != 1:
        return None
    declared = with_setters(pipeline)
    maker = NodeMaker(configured(pipeline.environment, release), declared, settings, release)
    set_before = without_ignored(old) if KINDS[old.type].ignored else old
    # What is made in another place than the maker, such as the writer of a sink, is not this node.
    if _make(maker, set_before, nodes[0]) != nodes[0]:
        return None
    if new.parallelism != old.parallelism and types_with(_follows_parallelism, pipeline):
        return None
    node = _make(maker, declared[new.id], nodes[0])
    by_id = {**graph.by_id, node.id: node}
    changed = _connect_again(graph, graph.in_edges[node.id], by_id, declared, settings)
    # Flink adds an operator with its in-edges, refuses it for its own sake, and goes on to readers.
    maker.check(declared[new.id], node)
    changed |= _connect_again(graph, graph.out_edges[node.id], by_id, declared, settings)
    return _with_edges(graph.with_nodes(tuple([by_id[node.id] for node in graph.nodes])), changed)


def _with_edges(graph: StreamGraph, edges: Mapping[int, StreamEdge]) -> StreamGraph:
    """The graph with other edges at some positions."""
    if all(edge == graph.edges[position] for position, edge in edges.items()):
        return graph
    every = [edges.get(position, edge) for position, edge in enumerate(graph.edges)]
    return msgspec.structs.replace(graph, edges=tuple(every))


def _counts_or_looks_upstream(kind: Kind) -> bool:
    """Whether a new partition may reach more of such a call than its number and its edge.

    A virtual node that is no partition, as a union's, looks at what it reads or multiplies streams.
    A sink with a committer numbers its nodes when Flink meets it.
    """
    if not (kind.node or kind.partitions) or "committer" in kind.fields:
        return True
    return bool(kind.hidden or kind.hides_inputs or not kind.numbered) or _follows_parallelism(kind)


def _follows_parallelism(kind: Kind) -> bool:
    """Whether such a call may make a node with the parallelism of another that it reads.

    A cache's node copies also whether the program set it.
    """
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
        # What Flink chooses by both ends' parallelism, a partition of the program sets as well.
        is_set = edge.partitioner not in {"FORWARD", "REBALANCE"} or any(
            KINDS[declared[id].type].partitions for id in edge.via
        )
        connected = _connect(edge, edge.partitioner if is_set else None, by_id, settings)
        if connected != edge:
            edges[position] = connected
    return edges


def _connect(
    edge: StreamEdge, program: str | None, by_id: Mapping[NodeId, StreamNode], settings: JobSettings
) -> StreamEdge:
    """The edge between its ends in ``by_id``; ``program``: the partitioner that it sets."""
    source, target = by_id[edge.source], by_id[edge.target]
    partitioner, class_name = partitioner_between(program, source, target, dynamic=settings.dynamic)
    return msgspec.structs.replace(
        edge,
        partitioner=partitioner,
        partitioner_class=class_name,
        buffer_timeout=source.buffer_timeout,
    )


def _find_edit(
    pipeline: Pipeline, previous: Pipeline
) -> tuple[Transformation, Transformation] | None:
    """The only transformation that differs, as it is and as it was; None for other edits."""
    transformations, previous_ones = pipeline.transformations, previous.transformations
    if pipeline.environment != previous.environment or len(transformations) != len(previous_ones):
        return None
    pairs = zip(transformations, previous_ones, strict=True)
    replaced = list(compress(pairs, map(is_not, transformations, previous_ones)))
    return replaced[0] if len(replaced) == 1 else None


def _find_insertion(
    pipeline: Pipeline, previous: Pipeline
) -> tuple[Transformation, Transformation] | None:
    """A partition that alone is new, and its reader, declared next; None for other edits."""
    transformations, previous_ones = pipeline.transformations, previous.transformations
    length = len(previous_ones)
    if pipeline.environment != previous.environment or len(transformations) != length + 1:
        return None
    first = next(compress(count(), map(is_not, transformations, previous_ones)), length)
    if first == length or not all(
        map(is_, transformations[first + 2 :], previous_ones[first + 1 :])
    ):
        return None
    partition, reader = transformations[first : first + 2]
    kind = KINDS[partition.type]
    if not kind.partitions or kind.exists or kind.partitioner not in NAMED_PARTITIONERS:
        return None
    (read,) = partition.inputs
    plain = Transformation(id=partition.id, type=partition.type, inputs=partition.inputs)
    inputs = tuple([read if id == partition.id else id for id in reader.inputs])
    is_only_reader = inputs.count(read) == 1 and inputs != reader.inputs
    differs_in_input_alone = msgspec.structs.replace(reader, inputs=inputs) == previous_ones[first]
    if partition == plain and is_only_reader and differs_in_input_alone:
        return partition, reader
    return None


def _make(maker: NodeMaker, t: Transformation, old: StreamNode) -> StreamNode:
    """Make the node of ``t`` with the number, the group and the selectors of the node before."""
    node = maker.make_operator(t, old.id, old.slot_sharing_group or "", maker.keyed_inputs(t))
    return msgspec.structs.replace(node, output_selectors=old.output_selectors)
