"""Which operators share a task, and in which order: programs of the golden files, and small ones.

Nodes are called by their numbers.
"""

from typing import Any

import pytest

from tests.flink.golden_programs import heads, node_of, printed_and_made
from tests.flink.passes.programs import SOURCE, compiled
from tests.many_cases import for_each

SINK = {"type": "sink"}
MAP = {"type": "map"}


def listed(members: dict[str, Any]) -> list[list[int]]:
    """By vertex, its operators in the order in which ``JobVertex.getOperatorIDs`` lists them."""
    ids = node_of(members)
    return [
        [ids[id] for id in vertex["operator_ids"]] for vertex in members["job_graph"]["vertices"]
    ]


def indexes(members: dict[str, Any]) -> dict[int, int]:
    """By node, its chain index."""
    vertices = members["job_graph"]["vertices"]
    return {one["node"]: one["chain_index"] for vertex in vertices for one in vertex["operators"]}


def inside(members: dict[str, Any]) -> list[int]:
    """The sources that run inside another operator's task."""
    return sorted(indexes(members).keys() - {n for chain in listed(members) for n in chain})


@for_each(
    ("name", "chains"),
    [
        ("deep-chain", [[*range(62, 0, -1)]]),
        ("fan-out", [[4, 2, 5, 3, 1]]),
        ("fan-out-mixed", [[7, 5, 2, 1], [6, 4]]),
        ("diamond", [[2, 3, 1], [6, 5]]),
        ("never", [[2, 1], [3], [5, 4]]),
        ("head", [[2, 1], [5, 4, 3]]),
        ("chaining-off", [[1], [2], [3]]),
    ],
)
@for_each("version", ["1.9", "1.20", "2.3"])
def test_a_chain_lists_its_operators_depth_first_and_its_head_last(
    name: str, chains: list[list[int]], version: str
) -> None:
    """``createChain`` adds an operator once all that it calls have been added."""
    for members in printed_and_made(name, version):
        assert listed(members) == chains


@pytest.mark.parametrize(("version", "first"), [("1.11", 0), ("1.12", 1), ("2.3", 1)])
def test_a_chain_counts_from_its_head(version: str, first: int) -> None:
    """Since 1.12 the head is number 1, and 0 is left to sources inside the task."""
    for members in printed_and_made("fan-out", version):
        assert indexes(members) == {
            1: first,
            2: first + 1,
            3: first + 1,
            4: first + 2,
            5: first + 2,
        }


@for_each(
    ("name", "sources"),
    [
        ("multi-input-chained-sources", [1, 2]),
        ("multi-input-one-source", [1]),
        ("multi-input-parallelism", [2]),
        ("multi-input-source-shared", [2]),
        ("multi-input-always", []),
    ],
)
@for_each("version", ["1.12", "2.3"])
def test_a_source_runs_inside_a_multiple_inputs_task(
    name: str, sources: list[int], version: str
) -> None:
    """A FLIP-27 source of the same parallelism without another reader, where the reader's strategy
    is HEAD_WITH_SOURCES; it gets index 0, and no place among the operator IDs."""
    for members in printed_and_made(name, version):
        assert inside(members) == sources
        assert {indexes(members)[source] for source in sources} <= {0}


@pytest.mark.slow
@pytest.mark.parametrize(("version", "order"), [("1.11", [1, -3, 3, -4]), ("1.12", [-3, 1, 3, -4])])
def test_chains_begin_at_the_sources_by_number_since_1_12(version: str, order: list[int]) -> None:
    """Before, in the order of a hash set, in which -3 comes behind 1."""
    for members in printed_and_made("iterate-wait", version):
        assert heads(members) == order


def test_vertices_are_made_downstream_first() -> None:
    """The order in which ``createJobVertex`` is called: chained edges are followed first, so what
    leaves the chain at ``b`` is made before what leaves it at its head."""
    done = compiled(
        SOURCE,
        {"id": "a", "inputs": ["s"], "parallelism": 2} | MAP,
        {"id": "b", "inputs": ["s"]} | MAP,
        {"id": "o", "inputs": ["a"], "parallelism": 3} | SINK,
        {"id": "p", "inputs": ["b"], "parallelism": 4} | SINK,
    )

    assert [chain.head for chain in done.chains.chains] == [5, 4, 2, 1]


def test_edges_that_leave_a_chain_stand_behind_those_of_the_operators_that_it_calls() -> None:
    """``transitiveOutEdges``: first what leaves deeper in the chain, then an operator's own."""
    done = compiled(
        SOURCE,
        {"id": "own", "inputs": ["s"], "parallelism": 2} | SINK,
        {"id": "a", "inputs": ["s"]} | MAP,
        {"id": "deeper", "inputs": ["a"], "parallelism": 3} | SINK,
    )

    chain = done.chains.chains[-1]
    edges = [done.stream_graph.edges[position] for position in chain.out_edges]
    assert chain.members == (3, 1)
    assert [(edge.source, edge.target) for edge in edges] == [(3, 4), (1, 2)]
