"""What a StreamGraph document must be for its passes to work."""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.documents import load_document
from explorer.documents.checks.graph_rules import check_count
from explorer.errors import DocumentError
from tests.many_cases import for_each
from tests.plans.plans import COUNT, program


def changed(part: str, position: int, **members: Any) -> dict[str, Any]:
    """The StreamGraph of the count with other members of a node or an edge."""
    graph = compile_graph(program(COUNT)).to_dict()["stream_graph"]
    graph[part][position] |= members
    return {"flink": "2.2", "stream_graph": graph}


@for_each(
    ("document", "sentence"),
    [
        (changed("nodes", 1, id=1), "nodes[1].id: 1 is the id of nodes[0] already"),
        (changed("nodes", 1, parallelism=0), "nodes[1].parallelism: must be 1 to 32768, or -1 for"),
        (changed("nodes", 1, max_parallelism=32_769), "nodes[1].max_parallelism: must be 1 to"),
        (changed("nodes", 1, uid_hash="x"), "nodes[1].uid_hash: Node hash must be a 32 character"),
        (changed("nodes", 1, name="x" * 10_201), "nodes[1].name: has 10,201 characters"),
        (changed("edges", 0, source=99), "edges[0].source: there is no node 99"),
        (changed("edges", 0, type_number=-1), "edges[0].type_number: must be at least 0"),
        (changed("edges", 0, source=5), "the edges make a cycle through or before node"),
    ],
)
def test_a_graph_that_cannot_be_is_refused(document: dict[str, Any], sentence: str) -> None:
    document["stream_graph"].pop("sources", None)
    with pytest.raises(DocumentError) as fault:
        load_document(document)

    assert sentence in str(fault.value)


def test_sources_are_the_nodes_without_an_edge_into_them() -> None:
    document = changed("nodes", 0)
    document["stream_graph"]["sources"] = [2]

    with pytest.raises(DocumentError, match="must be the nodes without an in-edge, but node 1"):
        load_document(document)


def test_nodes_are_counted_before_they_are_made() -> None:
    check_count([{}] * 3, 3)
    check_count([{}] * 4, None)
    with pytest.raises(DocumentError, match="4 nodes are too many; at most 3 are read"):
        check_count([{}] * 4, 3)
