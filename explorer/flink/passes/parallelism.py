"""Number of subtasks of each vertex, and conversion of the partitioners that depend on it.

Mirrors ``setVertexParallelismsForDynamicGraphIfNecessary``, ``ForwardGroupComputeUtil`` and
``tryConvertPartitionerForDynamicGraph``.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from explorer.flink.partitioners import (
    BINARY_HASH,
    FORWARD_CONSECUTIVE_HASH,
    FORWARD_UNSPECIFIED,
    RESCALE,
    partitioner_class,
)
from explorer.flink.regions import regions
from explorer.model.chains import Chains, JobSettings, Partitioner
from explorer.model.stream_graph import StreamEdge, StreamGraph


def convert_partitioners(
    graph: StreamGraph, chains: Chains, settings: JobSettings
) -> dict[int, Partitioner]:
    """By position of each edge that leaves a task, its partitioner, in the order of connecting.

    In a dynamic graph an unspecified FORWARD becomes RESCALE, as the parallelism is still open, and
    one between operators that hash by the same keys becomes that hash.
    """
    return {
        position: _convert_partitioner(graph.edges[position], dynamic=settings.dynamic)
        for chain in chains.chains
        for position in chain.out_edges
    }


def _convert_partitioner(edge: StreamEdge, *, dynamic: bool) -> Partitioner:
    name, text = edge.partitioner_class, edge.partitioner
    if dynamic and name == FORWARD_UNSPECIFIED:
        name, text = RESCALE, "RESCALE"
    elif dynamic and name == FORWARD_CONSECUTIVE_HASH:
        name, text = BINARY_HASH, edge.hash_partitioner or "HASH"
    # A subclass of the program decides ``StreamPartitioner.isPointwise`` itself; no table knows it.
    known = partitioner_class(name)
    return Partitioner(name, text, known.pointwise or bool(edge.pointwise and known.own))


def vertex_sizes(
    graph: StreamGraph,
    chains: Chains,
    partitioners: Mapping[int, Partitioner],
    settings: JobSettings,
) -> dict[int, tuple[int, int]]:
    """By chain, its parallelism and its maximum parallelism.

    Both are the head's, unless the scheduler decides. -1 stands for a parallelism that the
    scheduler still has to decide, and for a maximum that is not set. Vertices joined by FORWARD
    share a group.
    """
    heads = [graph.by_id[chain.head] for chain in chains.chains]
    parallelism = {v: head.parallelism for v, head in enumerate(heads)}
    maximum = {v: head.max_parallelism for v, head in enumerate(heads)}
    if settings.dynamic:
        if settings.auto_parallelism:
            for v, chain in enumerate(chains.chains):
                # ``createJobVertex`` sets ``JobVertex.parallelismConfigured`` if any operator of
                # the chain has a parallelism of its own: one is enough to take the decision from
                # the scheduler.
                if not any(graph.by_id[node].parallelism_configured for node in chain.nodes):
                    parallelism[v] = -1
        for group in _forward_groups(graph, chains, partitioners):
            _agree(group, parallelism)
            _agree(group, maximum)
    return {v: (parallelism[v], maximum[v]) for v in parallelism}


def _agree(group: list[int], sizes: dict[int, int]) -> None:
    """Set the size of all members of a group to the smallest one that is given."""
    # ``ForwardGroup``: given parallelisms are equal, or FORWARD would have been refused.
    values = [sizes[v] for v in group if sizes[v] > 0]
    if values:
        sizes.update(dict.fromkeys(group, min(values)))


def _forward_groups(
    graph: StreamGraph, chains: Chains, partitioners: Mapping[int, Partitioner]
) -> Iterable[list[int]]:
    """Groups of chains that FORWARD edges connect; any other chain is a group of its own."""
    forward = (
        graph.edges[position]
        for position, partitioner in partitioners.items()
        if partitioner_class(partitioner.class_name).forward
    )
    joined = ((chains.chain_of[edge.source], chains.chain_of[edge.target]) for edge in forward)
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for vertex, group in regions(range(len(chains.chains)), joined).items():
        groups[group].append(vertex)
    return groups.values()
