"""The StreamGraph while it is made: virtual nodes, edges, numbers, slot sharing groups."""

from typing import Any

import pytest

from explorer.errors import FlinkRefusalError
from explorer.flink.partitioners import FORWARD, FORWARD_UNSPECIFIED
from explorer.flink.passes.generation.graph import (
    GrowingGraph,
    Stream,
    number,
    partitioned,
    selected,
    tagged,
)
from explorer.model.pipeline import Transformation
from explorer.model.stream_graph import NodeId, StreamNode
from tests.many_cases import for_each


def node(id: int, parallelism: int = 1, **fields: Any) -> StreamNode:
    return StreamNode(
        id=NodeId(id), name=f"n{id}", parallelism=parallelism, transformation=f"t{id}", **fields
    )


def graph(*nodes: StreamNode, dynamic: bool = False) -> GrowingGraph:
    """Sources without readers."""
    made = GrowingGraph(dynamic=dynamic)
    for one in nodes:
        made.add(one, [])
    return made


STREAM = Stream(node=NodeId(1))


def test_the_nearest_partitioner_and_the_first_exchange_mode_win() -> None:
    first = partitioned(STREAM, "a", "REBALANCE", "BATCH", keys=("k",))
    second = partitioned(first, "b", "SHUFFLE", "PIPELINED")

    assert (second.partitioner, second.exchange_mode, second.keys) == ("SHUFFLE", "BATCH", None)
    assert (first.keys, first.selector) == (("k",), None)
    assert partitioned(STREAM, "a", "HASH").selector == "a"
    assert partitioned(STREAM, "a", "HASH", selector="x").selector == "x"


def test_names_nearer_to_the_reader_are_selected() -> None:
    first = selected(STREAM, "a", ("x",))

    assert selected(first, "b", ("y",)).selected_names == ("y",)
    assert selected(first, "b", ()).selected_names == ("x",)


def test_an_edge_has_the_virtual_nodes_on_its_route() -> None:
    made = graph(node(1))
    stream = tagged(partitioned(STREAM, "p", "REBALANCE"), "side", "late")

    made.add(node(2), [(stream,)])

    (edge,) = made.edges
    assert (edge.via, edge.side_output, edge.partitioner) == (("p", "side"), "late", "REBALANCE")


@for_each(
    ("ends", "dynamic", "partitioner"),
    [
        ((2, 2), False, ("FORWARD", FORWARD)),
        ((2, 2), True, ("FORWARD", FORWARD_UNSPECIFIED)),
        ((2, 3), False, ("REBALANCE", "RebalancePartitioner")),
        ((2, 3), True, ("REBALANCE", "RebalancePartitioner")),
    ],
)
def test_flink_chooses_a_partitioner_by_the_parallelism_of_both_ends(
    ends: tuple[int, int],
    dynamic: bool,  # noqa: FBT001
    partitioner: tuple[str, str],
) -> None:
    made = graph(node(1, ends[0]), dynamic=dynamic)

    made.add(node(2, ends[1]), [(STREAM,)])

    (edge,) = made.edges
    assert (edge.partitioner, edge.partitioner_class) == partitioner


def test_forward_between_two_parallelisms_is_refused_in_flinks_words() -> None:
    made = graph(node(1, 2))
    forward = partitioned(STREAM, "f", "FORWARD")

    with pytest.raises(FlinkRefusalError, match="Upstream operation: n1-1 parallelism: 2") as error:
        made.add(node(2, 3), [(forward,)])

    assert error.value.transformations == ("t1", "t2")


def test_edges_between_the_same_nodes_are_counted_and_inputs_of_two_numbered() -> None:
    made = graph(node(1))

    made.add(node(2, vertex_class="TwoInputStreamTask"), [(STREAM,), (STREAM,)])
    made.add(node(3), [(STREAM,)])

    edges = made.finished(chaining_enabled=True).edges
    assert [(edge.type_number, edge.unique_id) for edge in edges] == [(1, 0), (2, 1), (0, 0)]
    assert made.sources == [1]


@for_each(
    ("groups", "common"),
    [((), "default"), (("a", "a"), "a"), (("a", "b"), "default"), ((None, "a"), "a")],
)
def test_inputs_that_agree_hand_on_their_slot_sharing_group(
    groups: tuple[str | None, ...], common: str
) -> None:
    nodes = [node(at, slot_sharing_group=group) for at, group in enumerate(groups, 1)]
    made = graph(*nodes)

    assert made.common_group([(Stream(node=one.id),) for one in nodes]) == common


def test_numbers_count_every_object_that_a_call_constructs() -> None:
    ids, last = number(
        [
            Transformation(id="s", type="source"),
            Transformation(id="k", type="key_by", inputs=("s",)),
            Transformation(id="w", type="window_all", inputs=("k",)),
            Transformation(id="o", type="sink", inputs=("w",)),
        ]
    )

    assert (ids["s"], ids["k"], ids["w"], ids["o"], last) == (1, 2, 4, 5, 5)


def test_nodes_are_in_the_order_of_their_numbers() -> None:
    made = graph(node(3), node(1))

    finished = made.finished(chaining_enabled=False)

    assert [one.id for one in finished.nodes] == [1, 3]
    assert finished.sources == (3, 1)
    assert not finished.chaining_enabled
