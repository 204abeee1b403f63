"""Invariants that are checked after each pass: a row has a sentence and a predicate.

Nothing in Flink mirrors this. A row that fails is a bug of ours, never the user's; its error names
the pass and the sentence. Predicates only count and compare whole collections, so a check costs
next to nothing on a graph of any size.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from explorer.errors import BrokenInvariantError
from explorer.model.chains import Chains, Output
from explorer.model.operator_ids import known_id
from explorer.model.stream_graph import NodeId, StreamGraph

Holds: TypeAlias = Callable[..., bool]
"""Called with what a pass made, and what it was given, in the order of ``check``'s arguments."""


def check(following: str, *results: object) -> None:
    """Check every row of one pass; raises ``BrokenInvariantError`` for the first that fails."""
    for sentence, holds in INVARIANTS[following].items():
        if not holds(*results):
            msg = f"the pass {following!r} broke a rule of ours: {sentence}. Please report it."
            raise BrokenInvariantError(msg)


def _nodes_are_shared_out(graph: StreamGraph, verdicts: Sequence[int], chains: Chains) -> bool:
    members = sum([len(chain.members) + len(chain.sources) for chain in chains.chains])
    return members == len(graph.nodes) and chains.chain_of.keys() == graph.by_id.keys()


def _chains_have_one_head(graph: StreamGraph, verdicts: Sequence[int], chains: Chains) -> bool:
    heads = {chain.head for chain in chains.chains}
    return len(heads) == len(chains.chains) == len(graph.nodes) - _internal(graph, verdicts, chains)


def _others_leave_a_task(
    graph: StreamGraph, verdicts: Sequence[int], chains: Chains, outputs: Sequence[Output]
) -> bool:
    edges = {output.edge for output in outputs}
    return len(edges) == len(outputs) == len(graph.edges) - _internal(graph, verdicts, chains)


def _internal(graph: StreamGraph, verdicts: Sequence[int], chains: Chains) -> int:
    """Number of edges within a task: those that chain, and the others of chained sources."""
    sources = [source for chain in chains.chains if chain.sources for source in chain.sources]
    other_node_ids = [source for source in sources if verdicts[graph.out_edges[source][0]]]
    return verdicts.count(0) + len(other_node_ids)


def _parallelism_is_sound(chains: Chains, parallelism: Mapping[int, int]) -> bool:
    values = set(parallelism.values())
    return (
        len(parallelism) == len(chains.chains) and 0 not in values and min(values, default=1) >= -1
    )


def _fractions_are_parts(graph: StreamGraph, fractions: Mapping[NodeId, float | None]) -> bool:
    values = set(fractions.values())
    parts = [value for value in values if value is not None]
    return len(fractions) == len(graph.nodes) and all(0 <= part <= 1 for part in parts)


INVARIANTS: Final[Mapping[str, Mapping[str, Holds]]] = {
    "generate": {
        "no two nodes have the same number": lambda graph: len(graph.by_id) == len(graph.nodes),
        "every edge leaves one node and reaches one node": lambda graph: all(
            sum(map(len, side.values())) == len(graph.edges)
            for side in (graph.in_edges, graph.out_edges)
        ),
        "the sources are the nodes that no edge reaches": lambda graph: (
            list(graph.in_edges.values()).count(()) == len(graph.sources)
        ),
    },
    "judge_edges": {
        "every edge has a verdict": lambda graph, verdicts: len(verdicts) == len(graph.edges),
    },
    "assign_hashes": {
        "every node has an operator ID": lambda graph, hashes: hashes.keys() == graph.by_id.keys(),
        "an operator ID has 32 digits, or is unknown": lambda _, hashes: (
            set(map(len, hashes.values())) <= {32}
            or set(map(len, filter(known_id, hashes.values()))) <= {32}
        ),
    },
    "build_chains": {
        "every node is in exactly one chain": _nodes_are_shared_out,
        "a chain has one head, and every edge that chains adds one operator": _chains_have_one_head,
    },
    "vertex_parallelism": {
        "a vertex has a subtask at least, or -1 for undecided": _parallelism_is_sound,
    },
    "plan_outputs": {
        "the edges that leave a task are exactly those that do not chain": _others_leave_a_task,
    },
    "connect": {
        "every vertex is listed once": lambda chains, _, wiring: (
            len(set(wiring.order)) == len(wiring.order) == len(chains.chains)
        ),
        "every output is one input of one vertex": lambda _, outputs, wiring: (
            sum(map(len, wiring.inputs.values())) == len(outputs)
        ),
    },
    "slot_sharing_groups": {
        "every vertex is in a slot sharing group": lambda wiring, groups: (
            len(groups) == len(wiring.order)
        ),
    },
    "memory_fractions": {
        "no operator gets more than all of its slot's memory": _fractions_are_parts,
    },
    "assemble": {
        "no two vertices have the same ID": lambda _, jobs: (
            len({vertex.id for vertex in jobs.vertices}) == len(jobs.vertices)
        ),
        "the vertices' operators are the StreamGraph's nodes": lambda graph, jobs: (
            sum([len(vertex.operators) for vertex in jobs.vertices])
            == len(jobs.vertex_of)
            == len(graph.nodes)
        ),
    },
    "expand": {
        "every result is read, and each edge reads one": lambda graph: (
            all(result.consumers for result in graph.results)
            and sum(len(result.consumers) for result in graph.results) == len(graph.edges)
        ),
        "every subtask owns a key group at least": lambda graph: all(
            vertex.parallelism <= vertex.max_parallelism
            for vertex in graph.vertices
            if vertex.decided
        ),
    },
}
"""Predicates by sentence, by pass in the order of the passes."""
