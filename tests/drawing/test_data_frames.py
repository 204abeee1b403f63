"""Data frames of a graph, for a caller without the drawings."""

import explorer
from explorer.drawing.data_frames import graph_tables


def test_a_row_names_the_chain_and_the_task_of_its_operator() -> None:
    env = explorer.environment("lines")
    env.source("lines").map("words").rebalance().sink("out")
    tables = graph_tables(env.compile("1.20").view)

    assert list(tables.operators["chain"]) == [1, 1, 2]
    assert list(tables.operators["vertex"].unique()) == list(tables.vertices.index)
    assert list(tables.edges["partitioner"]) == ["FORWARD", "REBALANCE"]
