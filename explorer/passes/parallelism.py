"""How many subtasks each vertex gets, and what becomes of partitioners that depend on it.

Mirrors ``setVertexParallelismsForDynamicGraphIfNecessary``, ``ForwardGroupComputeUtil`` and
``tryConvertPartitionerForDynamicGraph``.
"""

from collections.abc import Mapping

from explorer.model.chains import Chains, JobSettings, Partitioner
from explorer.model.stream_graph import StreamGraph


def convert_partitioners(
    graph: StreamGraph, chains: Chains, settings: JobSettings
) -> dict[int, Partitioner]:
    """By position of each edge that leaves a task, its partitioner.

    In a dynamic graph an unspecified FORWARD becomes RESCALE: the parallelism is still open.
    """
    partitioners = {}
    for chain in chains.chains:
        for position in chain.out_edges:
            edge = graph.edges[position]
            partitioners[position] = Partitioner(edge.partitioner_class, edge.partitioner)
            if settings.dynamic and edge.partitioner_class == "ForwardForUnspecifiedPartitioner":
                partitioners[position] = Partitioner("RescalePartitioner", "RESCALE")
    return partitioners


def vertex_parallelism(
    graph: StreamGraph,
    chains: Chains,
    partitioners: Mapping[int, Partitioner],
    settings: JobSettings,
) -> dict[int, int]:
    """By chain, its parallelism: its head's, or -1 where the scheduler is to decide it.

    A vertex is configured when one of its operators is; vertices joined by FORWARD share a group,
    and with it the parallelism.
    """
    heads = {v: graph.by_id[c.head].parallelism for v, c in enumerate(chains.chains)}
    if not settings.dynamic or not settings.auto_parallelism:
        return heads
    result = {
        v: heads[v]
        if any(graph.by_id[n].parallelism_configured for n in (*chain.sources, *chain.members))
        else -1
        for v, chain in enumerate(chains.chains)
    }
    for group in _forward_groups(graph, chains, partitioners):
        settled = [result[v] for v in group if result[v] > 0]
        if settled:
            result.update(dict.fromkeys(group, settled[0]))
    return result


def _forward_groups(
    graph: StreamGraph, chains: Chains, partitioners: Mapping[int, Partitioner]
) -> list[list[int]]:
    """The chains joined by FORWARD edges, each group of two or more."""
    group_of = {vertex: [vertex] for vertex in range(len(chains.chains))}
    for position, partitioner in partitioners.items():
        edge = graph.edges[position]
        kept = group_of[chains.chain_of[edge.source]]
        other = group_of[chains.chain_of[edge.target]]
        if partitioner.ship_strategy == "FORWARD" and kept is not other:
            if len(kept) < len(other):
                # The smaller moves, or a long line would be moved at every edge.
                kept, other = other, kept
            kept.extend(other)
            group_of.update(dict.fromkeys(other, kept))
    unique = {id(group): group for group in group_of.values() if len(group) > 1}
    return list(unique.values())
