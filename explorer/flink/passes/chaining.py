"""The pass that decides which edges chain; mirrors ``StreamingJobGraphGenerator.isChainable``.

Every rule is evaluated for every edge, also after an earlier one failed. The result is stored as
one bit per rule and described on request.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain, compress
from operator import attrgetter, is_not
from typing import TypeAlias

from explorer.flink.releases import Release
from explorer.flink.rules import (
    BIT,
    EDGE_FACTS,
    NODE_FACTS,
    OF_CHAINED_SOURCE,
    RULES,
    ChainingQuestion,
    hashed_bits,
    rules_of,
)
from explorer.model.chains import Decision, JobSettings, Verdict
from explorer.model.stream_graph import NodeId, StreamGraph

Ask: TypeAlias = Callable[[int], ChainingQuestion]
"""Makes the question about the edge at a position of ``StreamGraph.edges``."""


def questions(graph: StreamGraph, settings: JobSettings, release: Release) -> Ask:
    """Return a function that makes questions; facts that all edges share are looked up once."""
    edges, by_id, in_edges = graph.edges, graph.by_id, graph.in_edges

    @cache
    def on_inputs() -> Counter[tuple[NodeId, int]]:
        return Counter((edge.target, edge.type_number) for edge in edges)

    def ask(position: int) -> ChainingQuestion:
        edge = edges[position]
        source, target = by_id[edge.source], by_id[edge.target]
        alone = len(in_edges[target.id]) == 1
        on_input = 1 if alone else on_inputs()[target.id, edge.type_number]
        return ChainingQuestion(graph, settings, release, on_input, edge, source, target, legacy)

    legacy = _legacy_heads(graph, release, ask)
    return ask


def judge_edges(graph: StreamGraph, settings: JobSettings, release: Release) -> tuple[int, ...]:
    """Evaluate every rule for every edge: the bits of the rules that fail, by edge; 0: chains."""
    judge = _judge(graph, settings, release)
    numbers: dict[object, int] = {}
    facts = {node.id: numbers.setdefault(_node_facts(node), len(numbers)) for node in graph.nodes}
    shared_verdicts: dict[object, int] = {}
    verdicts: list[int] = []
    for position, edge in enumerate(graph.edges):
        alone = len(graph.in_edges[edge.target]) == 1
        edge_class = (facts[edge.source], facts[edge.target], _edge_facts(edge), alone)
        bits = shared_verdicts.get(edge_class)
        if bits is None:
            bits = judge(position)
            if alone and not graph.by_id[edge.target].yielding:
                shared_verdicts[edge_class] = bits
        verdicts.append(bits)
    return tuple(verdicts)


_node_facts = attrgetter(*NODE_FACTS)
_edge_facts = attrgetter(*EDGE_FACTS)


def judge_again(
    graph: StreamGraph,
    settings: JobSettings,
    release: Release,
    graph_before: StreamGraph,
    previous: tuple[int, ...],
) -> tuple[int, ...]:
    """Return ``judge_edges(graph, settings, release)``, given the verdicts of ``graph_before``.

    Both graphs were judged under the same settings. Where the one is an edit of the other, only
    changed edges and those of changed nodes are judged again; a legacy source decides about edges
    far downstream.
    """
    alike = (
        graph.in_edges is graph_before.in_edges
        and graph.chaining_enabled == graph_before.chaining_enabled
    )
    every = chain(graph.nodes, graph_before.nodes)
    if not alike or any(map(attrgetter("legacy_source"), every)):
        return judge_edges(graph, settings, release)
    judge, verdicts = _judge(graph, settings, release), list(previous)
    changed = compress(graph.edges, map(is_not, graph.edges, graph_before.edges))
    positions = {position for edge in changed for position in graph.in_edges[edge.target]}
    for node in compress(graph.nodes, map(is_not, graph.nodes, graph_before.nodes)):
        positions.update(graph.in_edges[node.id], graph.out_edges[node.id])
    for position in positions:
        verdicts[position] = judge(position)
    return tuple(verdicts)


def _judge(graph: StreamGraph, settings: JobSettings, release: Release) -> Callable[[int], int]:
    rules = tuple((BIT[rule.code], rule.holds) for rule in rules_of(release))
    ask = questions(graph, settings, release)

    def judge(position: int) -> int:
        question, bits = ask(position), 0
        for bit, holds in rules:
            if not holds(question):
                bits |= bit
        return bits

    return judge


def chained_for_hashing(verdicts: Sequence[int], release: Release) -> list[bool]:
    """By edge, whether the release's hasher counts it as chained; older ones check fewer rules."""
    # Up to 1.10 ``StreamGraphHasherV2.isChainable`` was a copy that did not ask for the exchange
    # mode: an edge that BATCH cuts still counts as an output there, and so in the ID.
    hash_mask = hashed_bits(release)
    return [not bits & hash_mask for bits in verdicts]


def chained_as_input(verdicts: Sequence[int]) -> list[bool]:
    """By edge, whether ``isChainableInput`` holds: all that a chained source needs of it."""
    return [not bits & OF_CHAINED_SOURCE for bits in verdicts]


def decide(ask: Ask, edge: int, bits: int) -> Decision:
    """The verdicts of one edge in words; ``bits`` as ``judge_edges`` gave them."""
    question = ask(edge)
    return Decision(
        edge=edge,
        source=question.source.name,
        target=question.target.name,
        verdicts=tuple(
            Verdict(
                code=rule.code,
                title=rule.title,
                holds=not bits & BIT[rule.code],
                asked=rule.applies(question.release),
                values=rule.values(question),
                text=rule.reason,
            )
            for rule in RULES
        ),
    )


def _legacy_heads(graph: StreamGraph, release: Release, ask: Ask) -> Callable[[NodeId], bool]:
    """Find the head of a node's chain, as ``getHeadOperator`` does, and cache the path."""
    known: dict[NodeId, bool] = {}
    rules = tuple(rule.holds for rule in rules_of(release) if not rule.needs_head)

    def chains(position: int) -> bool:
        question = ask(position)
        return all(holds(question) for holds in rules)

    def legacy(start: NodeId) -> bool:
        route: list[NodeId] = []
        id = start
        while id not in known:
            route.append(id)
            edges = graph.in_edges[id]
            if len(edges) != 1 or not chains(edges[0]):
                known[id] = graph.by_id[id].legacy_source
                break
            id = graph.edges[edges[0]].source
        head = known[id]
        for passed in reversed(route):
            # A yielding operator that meets a legacy source starts a chain of its own.
            head = head and not graph.by_id[passed].yielding
            known[passed] = head
        return known[start]

    return legacy
