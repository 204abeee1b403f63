"""Connections between vertices, and the order in which Flink lists the vertices.

Mirrors ``JobVertex.connectNewDataSetAsInput`` and
``JobGraph.getVerticesSortedTopologicallyFromSources``.
"""

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from explorer.model.chains import Chains, Output, Wiring
from explorer.model.frozen import FrozenDict
from explorer.model.stream_graph import StreamGraph


def connect_chains(graph: StreamGraph, chains: Chains, outputs: Sequence[Output]) -> Wiring:
    """Connect the vertices in the order of ``outputs``."""
    inputs: defaultdict[int, list[Output]] = defaultdict(list)
    consumers: defaultdict[int, list[int]] = defaultdict(list)
    produced: defaultdict[int, list[int]] = defaultdict(list)
    producer: dict[int, int] = {}
    index: dict[int, int] = {}
    # ``StreamingJobGraphGenerator.connect`` is called vertex by vertex as they were made,
    # downstream first. This numbers the inputs of a vertex, and not the order in which its
    # operator names them.
    for output in outputs:
        edge = graph.edges[output.edge]
        source, target = chains.chain_of[edge.source], chains.chain_of[edge.target]
        if output.dataset not in index:
            index[output.dataset] = len(produced[source])
            produced[source].append(output.dataset)
            producer[output.dataset] = source
        inputs[target].append(output)
        consumers[output.dataset].append(target)
    return Wiring(
        order=_topological(len(chains.chains), inputs, consumers, produced),
        inputs=FrozenDict(zip(inputs, map(tuple, inputs.values()), strict=True)),
        dataset_index=index,
        producer=producer,
    )


def connect_as_made(graph: StreamGraph, chains: Chains, outputs: Sequence[Output]) -> Wiring:
    """Connect vertices that are made one after the other, each to producers that have finished.

    Mirrors ``AdaptiveGraphManager.connectToFinishedUpStreamVertex``: ``order`` is that of
    ``chains``, and the inputs of a vertex come in the order of its head's in-edges.
    """
    leaving = {output.edge: output for output in outputs}
    inputs = {
        vertex: tuple(leaving[i] for i in graph.in_edges[chain.head] if i in leaving)
        for vertex, chain in enumerate(chains.chains)
    }
    return msgspec.structs.replace(
        connect_chains(graph, chains, outputs),
        order=tuple(inputs),
        inputs={vertex: result for vertex, result in inputs.items() if result},
    )


def _topological(
    count: int,
    inputs: dict[int, list[Output]],
    consumers: dict[int, list[int]],
    produced: dict[int, list[int]],
) -> tuple[int, ...]:
    """Sources first, then depth first each vertex with producers that are all placed.

    A vertex counts as placed once it is listed, whether or not its own edges were visited yet.
    Neither Kahn's order nor breadth first will do: the plan, the numbers of slot sharing groups and
    the prefixes of names all show this one.
    """
    # By data set, and within one by consumer, as both were made; who reads two stands here twice.
    targets = [
        [target for data in produced.get(vertex, ()) for target in consumers[data]]
        for vertex in range(count)
    ]
    open_inputs = [len(inputs.get(vertex, ())) for vertex in range(count)]
    order = [vertex for vertex in range(count) if not open_inputs[vertex]]
    placed = set(order)
    for vertex in order:
        for target in targets[vertex]:
            open_inputs[target] -= 1
    start = 0
    while len(order) < count:
        # ``addNodesThatHaveNoNewPredecessors`` calls itself for each vertex that it appends; the
        # caller goes on behind the vertices that were listed meanwhile.
        stack = [targets[order[start]][::-1]]
        start += 1
        while stack:
            if not stack[-1]:
                stack.pop()
                continue
            target = stack[-1].pop()
            if target in placed or open_inputs[target]:
                continue
            placed.add(target)
            order.append(target)
            for further in targets[target]:
                open_inputs[further] -= 1
            stack.append(targets[target][::-1])
    return tuple(order)
