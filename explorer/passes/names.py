"""What a vertex is called.

Mirrors ``StreamingJobGraphGenerator.createChainedName`` and ``nameWithChainedSourcesInfo``.
"""

from explorer.model.chain_text import nested_text, sources_suffix
from explorer.model.chains import Chain, Chains
from explorer.model.release import Release
from explorer.model.stream_graph import StreamGraph


def name_vertices(graph: StreamGraph, chains: Chains, release: Release) -> tuple[str, ...]:
    """Name each chain, in the order of ``chains``."""
    every = [source for chain in chains.chains for source in chain.sources]
    names = []
    for chain in chains.chains:
        below = {
            node: [graph.edges[i].target for i in chains.chained_outputs[node]]
            for node in chain.members
        }
        texts = {node: graph.by_id[node].name for node in chain.members}
        listed = every if release.all_chained_sources_in_names else chain.sources
        if listed and _is_entry(graph, chain):
            texts[chain.head] += sources_suffix([graph.by_id[s].name for s in listed])
        names.append(nested_text(chain.head, texts, below, ", "))
    return tuple(names)


def _is_entry(graph: StreamGraph, chain: Chain) -> bool:
    """Whether the chain was an entry point, which alone is known to have chained sources."""
    return bool(chain.sources) or not graph.in_edges[chain.head]
