"""Which operators emit nothing before their input has ended, themselves or by their chain.

Mirrors ``isOutputOnlyAfterEndOfStream`` in ``StreamingJobGraphGenerator.createChain``: what leaves
such an operator is a blocking result, in a streaming job too.
"""

from collections.abc import Iterable

from explorer.flink.releases import Release
from explorer.model.chains import Chains
from explorer.model.stream_graph import NodeId, StreamGraph


def nodes_that_emit_at_the_end(
    graph: StreamGraph, chains: Chains, release: Release
) -> frozenset[NodeId]:
    """The ids of all of them.

    An operator is marked with the one that it calls and, up the chain, with all that call it; down
    the chain, a release marks the next operators only or all of them.
    """
    own = [node.id for node in graph.nodes if node.output_only_after_end_of_stream]
    if not own or release.end_of_input_marks == "nothing":
        return frozenset()
    below = {
        node: [graph.edges[edge].target for edge in edges]
        for node, edges in chains.chained_outputs.items()
    }
    above = {target: [node] for node, targets in below.items() for target in targets}
    if release.end_of_input_marks == "the chain":
        late = _reached(own, below)
    else:
        late = {*own, *(target for node in own for target in below[node])}
    return frozenset(_reached(late, above))


def _reached(starts: Iterable[NodeId], ways: dict[NodeId, list[NodeId]]) -> set[NodeId]:
    found = set(starts)
    waiting = list(found)
    while waiting:
        new = [node for node in ways.get(waiting.pop(), ()) if node not in found]
        found.update(new)
        waiting.extend(new)
    return found
