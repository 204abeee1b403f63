"""What a user fills in where only the StreamGraph is known, and an operator of any document."""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.documents import as_document, load_document
from explorer.edits.stream_graphs import (
    FIELDS,
    set_edge_partitioner,
    set_node_field,
    set_operator_field,
)
from explorer.errors import EditError
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import NodeId
from tests.golden_files import cases
from tests.many_cases import for_each
from tests.plans.plans import COUNT, program

HASH = "0123456789abcdef" * 2

LINE = {
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "s", "type": "source"},
        {"id": "m", "type": "map", "inputs": ["s"]},
        {"id": "k", "type": "key_by", "inputs": ["m"], "keys": ["n"]},
        {"id": "r", "type": "reduce", "inputs": ["k"]},
        {"id": "o", "type": "sink", "inputs": ["r"]},
    ],
}


def document() -> StreamGraphDocument:
    compiled = compile_graph(LINE, "1.20").to_dict()
    found = load_document({"stream_graph": compiled["stream_graph"], "flink": "1.20"})
    assert isinstance(found, StreamGraphDocument)
    return found


@for_each(
    ("field", "value"),
    [("chaining_strategy", "HEAD"), ("uid", "u"), ("slot_sharing_group", "g"), ("name", "x")],
)
def test_a_field_is_set_and_removed(field: str, value: str) -> None:
    changed = set_node_field(document(), NodeId(2), field, value)

    assert getattr(changed.stream_graph.node(NodeId(2)), field) == value
    assert (
        set_node_field(changed, NodeId(2), field, None).stream_graph.node(NodeId(2)).uid_hash
        is FIELDS["uid_hash"]
    )
    assert document() == document()


def test_a_stream_graph_compiles_as_the_pipeline_with_the_same_edit() -> None:
    """The strategy set on the node gives the IDs that the transformation's gives."""
    changed = set_node_field(document(), NodeId(2), "chaining_strategy", "NEVER")
    never = [
        {**one, "chaining_strategy": "NEVER"} if one["id"] == "m" else one
        for one in LINE["transformations"]
        if isinstance(one, dict)
    ]

    assert (
        compile_graph(changed).hashes
        == compile_graph({**LINE, "transformations": never}, "1.20").hashes
    )


def test_forward_becomes_rebalance_where_the_parallelism_differs() -> None:
    changed = set_node_field(document(), NodeId(1), "parallelism", 1)

    assert [edge.partitioner for edge in changed.stream_graph.edges] == [
        "REBALANCE",
        "HASH",
        "FORWARD",
    ]
    with pytest.raises(EditError, match="1 and 2"):
        set_edge_partitioner(changed, 0, "FORWARD")


def test_an_edge_gets_another_partitioner_with_its_class() -> None:
    edge = set_edge_partitioner(document(), 1, "SHUFFLE").stream_graph.edges[1]

    assert (edge.partitioner, edge.partitioner_class) == ("SHUFFLE", "ShufflePartitioner")
    assert edge.keys is None


def test_edges_share_a_data_set_by_the_partitioner_that_they_are_given() -> None:
    """Two calls of keyBy never do, two shuffles always."""
    keyed = [
        transformation
        for id in ("k", "l")
        for transformation in (
            {"id": id, "type": "key_by", "inputs": ["s"], "keys": ["n"]},
            {"id": f"{id} read", "type": "reduce", "inputs": [id]},
        )
    ]
    program = {
        "environment": {"runtime_mode": "BATCH"},
        "transformations": [{"id": "s", "type": "source"}, *keyed],
    }
    found = load_document(compile_graph(program, "1.20").to_dict())
    assert isinstance(found, StreamGraphDocument)

    shuffled = set_edge_partitioner(set_edge_partitioner(found, 0, "SHUFFLE"), 1, "SHUFFLE")
    hashed = set_edge_partitioner(set_edge_partitioner(shuffled, 0, "HASH"), 1, "HASH")

    indexes = [
        [edge.dataset_index for edge in compile_graph(one).job_graph.edges]
        for one in (found, shuffled, hashed)
    ]
    assert indexes == [[0, 1], [0, 0], [0, 1]]


def test_an_impossible_value_is_refused_in_a_sentence() -> None:
    with pytest.raises(EditError, match="no field 'id'"):
        set_node_field(document(), NodeId(1), "id", 5)
    with pytest.raises(EditError, match="no operator numbered 99"):
        set_node_field(document(), NodeId(99), "uid", "u")
    with pytest.raises(EditError, match="parallelism"):
        set_node_field(document(), NodeId(1), "parallelism", "two")
    with pytest.raises(EditError, match="no partitioner 'HASHED'"):
        set_edge_partitioner(document(), 0, "HASHED")


def test_an_operator_of_a_pipeline_is_its_transformation() -> None:
    changed = set_operator_field(as_document(program(COUNT)), NodeId(4), "count", "uid_hash", HASH)

    assert changed.pipeline is not None
    assert changed.pipeline.transformation("count").uid_hash == HASH


def test_an_operator_of_a_stream_graph_is_its_node() -> None:
    graph = compile_graph(program(COUNT)).to_dict()["stream_graph"]
    captured: dict[str, Any] = {"flink": "2.2", "stream_graph": graph}
    changed = set_operator_field(as_document(captured), NodeId(4), None, "uid_hash", HASH)

    assert changed.operators is not None
    assert changed.operators.stream_graph.node(NodeId(4)).uid_hash == HASH


def test_an_operator_that_no_transformation_declares_has_no_fields() -> None:
    with pytest.raises(EditError, match="operator 9 comes from no transformation"):
        set_operator_field(as_document(program(COUNT)), NodeId(9), None, "uid_hash", HASH)


def test_a_submitted_job_is_not_edited() -> None:
    running = next(cases("running_jobs"))["running"]

    with pytest.raises(EditError, match="a submitted job is what its cluster reports"):
        set_operator_field(as_document(running), NodeId(1), None, "uid_hash", HASH)
