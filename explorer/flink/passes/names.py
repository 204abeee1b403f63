"""What a vertex is called.

Mirrors ``StreamingJobGraphGenerator.createChainedName`` and ``nameWithChainedSourcesInfo``.
"""

from explorer.flink.chain_text import nested_text, sources_suffix
from explorer.flink.java_order import hash_order
from explorer.flink.release import Release
from explorer.model.chains import Chains
from explorer.model.stream_graph import StreamGraph


def name_vertices(graph: StreamGraph, chains: Chains, release: Release) -> tuple[str, ...]:
    """Name each chain, in the order of ``chains``."""
    # Flink kept all of them in one hash map, which every chain shared.
    every = hash_order(source for chain in chains.chains for source in chain.sources)
    names = []
    for chain in chains.chains:
        sources = every if release.all_chained_sources_in_names else chain.sources
        below = {
            node: [graph.edges[i].target for i in chains.chained_outputs[node]]
            for node in chain.members
        }
        texts = {node: graph.by_id[node].name for node in chain.members}
        if sources:
            texts[chain.head] += sources_suffix([graph.by_id[s].name for s in sources])
        names.append(nested_text(chain.head, texts, below, ", "))
    return tuple(names)
