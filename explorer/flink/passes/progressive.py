"""The order in which the adaptive batch scheduler makes job vertices and hashes their operators.

Mirrors ``AdaptiveGraphManager``: a job vertex is made when the producers of all its inputs have
finished, and its operators are hashed then, depth first along the chained outputs. Which producer
finishes first is decided at run time; the order here assumes that vertices finish in the order in
which they were made.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from explorer.flink.java_order import hash_order
from explorer.model.chains import Chain, Chains
from explorer.model.steps import ChainEntered, ChainReturned, Step
from explorer.model.stream_graph import NodeId, StreamGraph

MOST_COMPARED: Final = 400
"""Chains up to which every pair is compared to find what depends on the finishing order."""


class SchedulingOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The chains of a job in the order in which the scheduler makes their vertices."""

    chains: Chains
    nodes: tuple[NodeId, ...]
    """All operators in the order in which they are hashed."""


def order_as_made(graph: StreamGraph, chains: Chains) -> SchedulingOrder:
    """Reorder the chains of a job as their vertices are made while the job runs."""
    consumers, waiting, heads, result = _scheduling_start(graph, chains)
    for chain in result:  # grows while it is read
        ready = []
        for consumer in consumers[chain]:
            waiting[consumer] -= 1
            if not waiting[consumer]:
                ready.append(consumer)
        # ``AdaptiveGraphManager.createOperatorChainInfos`` sorts the vertices that become ready
        # together by their start nodes. The order numbers the operators, and so every ID without a
        # uid.
        result += sorted(ready, key=heads.__getitem__)
    return _progress(graph, chains, result)


def order_as_reported(
    graph: StreamGraph,
    chains: Chains,
    is_next: Callable[[NodeId], bool],
    take: Callable[[Iterable[NodeId]], None],
) -> SchedulingOrder | None:
    """The creation order of a job's vertices, inferred from their IDs; None if no order gives them.

    ``is_next``: whether a chain with this head, made now, has an ID of the job; ``take`` is called
    with the operators of each chain as it is made.
    """
    consumers, waiting, heads, ready = _scheduling_start(graph, chains)
    result: list[int] = []
    take(_chained_sources(graph, chains.chains))
    while ready:
        chosen = next((at for at in ready if is_next(heads[at])), None)
        if chosen is None:
            return None
        ready.remove(chosen)
        result.append(chosen)
        take(_hashed_nodes(graph, chains, [chains.chains[chosen]]))
        for consumer in consumers[chosen]:
            waiting[consumer] -= 1
            if not waiting[consumer]:
                ready.append(consumer)
    return _progress(graph, chains, result)


def _progress(graph: StreamGraph, chains: Chains, result: Sequence[int]) -> SchedulingOrder:
    """Reorder the chains; ``result``: their positions in ``chains``."""
    ordered = tuple(chains.chains[at] for at in result)
    placed = {at: position for position, at in enumerate(result)}
    return SchedulingOrder(
        chains=msgspec.structs.replace(
            chains,
            chains=ordered,
            chain_of={node: placed[at] for node, at in chains.chain_of.items()},
        ),
        nodes=(*_chained_sources(graph, ordered), *_hashed_nodes(graph, chains, ordered)),
    )


def _consumers(graph: StreamGraph, chains: Chains) -> list[tuple[int, ...]]:
    """The chains that read a chain, each once, by chain."""
    return [
        tuple(dict.fromkeys(chains.chain_of[graph.edges[i].target] for i in chain.out_edges))
        for chain in chains.chains
    ]


def _scheduling_start(
    graph: StreamGraph, chains: Chains
) -> tuple[list[tuple[int, ...]], list[int], list[NodeId], list[int]]:
    """Consumers, numbers of producers and heads by chain, and the chains without producers."""
    consumers = _consumers(graph, chains)
    waiting = [0] * len(chains.chains)
    for mine in consumers:
        for consumer in mine:
            waiting[consumer] += 1
    heads = [chain.head for chain in chains.chains]
    ready = sorted((at for at, count in enumerate(waiting) if not count), key=heads.__getitem__)
    return consumers, waiting, heads, ready


def _chained_sources(graph: StreamGraph, chains: Sequence[Chain]) -> list[NodeId]:
    """The sources in other tasks; they are hashed first, in the order of a ``HashSet``."""
    nested = {source for chain in chains for source in chain.sources}
    return [source for source in hash_order(graph.sources) if source in nested] if nested else []


def _hashed_nodes(graph: StreamGraph, chains: Chains, ordered: Sequence[Chain]) -> list[NodeId]:
    """The members of the chains, each chain depth first from its head."""
    node_ids: list[NodeId] = []
    for chain in ordered:
        stack = [chain.head]
        while stack:
            node = stack.pop()
            node_ids.append(node)
            outputs = chains.chained_outputs[node]
            stack.extend(graph.edges[i].target for i in reversed(outputs))
    return node_ids


def steps_as_made(steps: Sequence[Step], chains: Chains) -> list[Step]:
    """The chaining steps of the client's translation, vertex by vertex in the order of ``chains``.

    The scheduler makes a chain without going on to those behind it.
    """
    own: defaultdict[NodeId, list[Step]] = defaultdict(list)
    for step in steps:
        if isinstance(step, ChainEntered | ChainReturned):
            own[step.head].append(step)
    return [step for chain in chains.chains for step in own[chain.head]]


def decided_at_run_time(graph: StreamGraph, chains: Chains) -> Mapping[NodeId, tuple[int, int]]:
    """The operators without uid that get their ID from which of two job vertices finishes first.

    ``chains``: in the order in which they are made. By node, two positions in ``chains.chains``
    with an order that is not fixed before the job runs. Beyond ``MOST_COMPARED`` chains neighbours
    alone are compared, and all that follows a pair without a fixed order counts as dependent.
    """
    order = _Order(graph, chains)
    open_pairs = order.open_pairs()
    dependent: dict[NodeId, tuple[int, int]] = {}
    for position, chain in enumerate(chains.chains):
        pair = open_pairs.get(position)
        for node in (*chain.sources, *reversed(chain.members)):
            by_id = graph.by_id[node]
            if by_id.uid is not None or by_id.operator_id is not None:
                continue
            sources = (graph.edges[i].source for i in graph.in_edges[node])
            inherited = next((dependent[source] for source in sources if source in dependent), None)
            if result := (pair if node not in chain.sources else None) or inherited:
                dependent[node] = result
    return dependent


class _Order:
    """The part of the chains' order that is known before any of them has finished."""

    def __init__(self, graph: StreamGraph, chains: Chains) -> None:
        self.chains = chains
        self.heads = [chain.head for chain in chains.chains]
        # A bit for each chain: a chain stands behind all its producers, so one pass is enough.
        self.producers = [0] * len(self.heads)
        self.ancestors = [0] * len(self.heads)
        for position, consumers in enumerate(_consumers(graph, chains)):
            for consumer in consumers:
                self.producers[consumer] |= 1 << position
                self.ancestors[consumer] |= self.ancestors[position] | 1 << position

    def open_pairs(self) -> dict[int, tuple[int, int]]:
        """By chain, itself and another that may be made before or after it."""
        count = len(self.heads)
        if count <= MOST_COMPARED:
            pairs = ((a, b) for a in range(count) for b in range(a + 1, count))
            unsettled = [pair for pair in pairs if not self._is_fixed(*pair)]
            return {at: pair for pair in reversed(unsettled) for at in pair}
        first = next((a for a in range(count - 1) if not self._is_fixed(a, a + 1)), None)
        return {} if first is None else dict.fromkeys(range(first, count), (first, first + 1))

    def _is_fixed(self, earlier: int, later: int) -> bool:
        """Whether ``earlier`` is made before ``later``, whichever producers finish first."""
        required, behind = self.producers[earlier], self.ancestors[later]
        if behind >> earlier & 1:
            return True
        if required & ~behind:
            return False
        return self.heads[earlier] < self.heads[later] or not required & ~self._before(later)

    def _before(self, chain: int) -> int:
        """The chains that have finished before the last producer of ``chain`` starts."""
        producers, result = self.producers[chain], 0
        while producers:
            lowest = producers & -producers
            result |= self.ancestors[lowest.bit_length() - 1]
            producers ^= lowest
        return result
