"""The changed part of the graph: what changed, and what is next to it."""

from typing import Any

from explorer.plans.changed_graph import ChangedGraph
from explorer.plans.graph_comparison import MOST_OPERATORS, compare_graphs
from tests.plans.plans import COUNT, FILTERED, compared, program


def graph_of(old: dict[str, Any], new: dict[str, Any]) -> ChangedGraph:
    graph = compare_graphs(compared(old, new))
    assert graph is not None
    return graph


def test_an_inserted_filter_changes_itself_and_the_ids_after_it() -> None:
    graph = graph_of(program(COUNT), program(FILTERED))
    changes = {one.name: one.change for one in graph.operators}
    edges = {(one.source, one.target): one.change for one in graph.edges}
    names = {one.name: one.key for one in graph.operators}

    assert changes["Filter"] == "added"
    assert changes["count"] == "changed"
    assert all(len(pair[0]) == 32 for one in graph.operators for pair in one.changes)
    assert edges[names["Filter"], names["Flat Map"]] == "added"
    assert "removed" in edges.values()


def test_a_removed_filter_is_shown_after_the_operators_of_new() -> None:
    graph = graph_of(program(FILTERED), program(COUNT))

    assert (graph.operators[-1].name, graph.operators[-1].change) == ("Filter", "removed")


def test_an_option_alone_changes_edges_that_chain_no_longer() -> None:
    graph = graph_of(program(COUNT), program(COUNT, chaining=False))

    assert {(one.was_chained, one.chained) for one in graph.edges if one.change == "changed"} == {
        (True, False)
    }


def test_another_partitioner_and_another_parallelism_are_changes() -> None:
    line: list[dict[str, Any]] = [
        {"id": "lines", "type": "source"},
        {"id": "spread", "type": "rebalance", "inputs": ["lines"]},
        {"id": "words", "type": "map", "inputs": ["spread"], "parallelism": 2},
        {"id": "out", "type": "sink", "inputs": ["words"]},
    ]
    wider = [line[0], {**line[1], "type": "shuffle"}, {**line[2], "parallelism": 3}, line[3]]
    graph = graph_of(program(line), program(wider))

    assert ("REBALANCE", "SHUFFLE") in {
        (one.old_partitioner, one.partitioner) for one in graph.edges if one.change == "changed"
    }
    assert ("×2", "×3") in {pair for one in graph.operators for pair in one.changes}


def test_the_whole_graph_has_also_what_did_not_change() -> None:
    same = compare_graphs(compared(program(COUNT), program(COUNT)), whole=True)
    assert same is not None
    assert len(same.operators) == len(compared(None, program(COUNT)).new.stream_graph.nodes)
    assert {operator.change for operator in same.operators} == {"same"}


def test_an_unchanged_program_has_an_empty_diagram_and_a_first_deployment_none() -> None:
    assert graph_of(program(COUNT), program(COUNT)) == ChangedGraph()
    assert compare_graphs(compared(None, program(COUNT))) is None


def test_a_large_change_is_cut_and_the_rest_counted() -> None:
    def line(kind: str) -> list[dict[str, Any]]:
        steps = [
            {"id": f"m{n}", "type": kind, "inputs": [f"m{n - 1}" if n else "lines"]}
            for n in range(60)
        ]
        return [{"id": "lines", "type": "source"}, *steps, {**COUNT[-1], "inputs": ["m59"]}]

    graph = graph_of(program(line("map")), program(line("map"), parallelism=2))

    assert len(graph.operators) == MOST_OPERATORS
    assert graph.left_out == 62 - MOST_OPERATORS
    keys = {one.key for one in graph.operators}
    assert {end for one in graph.edges for end in (one.source, one.target)} <= keys
