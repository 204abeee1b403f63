"""Operators with chaining, memory, resources or names that depend on the release."""

from typing import Any

import pytest

from explorer.errors import FlinkRefusalError
from explorer.flink.names import description
from tests.flink.passes.programs import NEW_SOURCE, SOURCE, compiled

MULTIPLE: dict[str, Any] = {"id": "m", "type": "multiple_input", "inputs": ["s"]}


@pytest.mark.parametrize("version", ["1.12", "2.3"])
def test_the_resources_of_a_chained_source_do_not_count(version: str) -> None:
    """As Flink 1.12.5 and 2.3.0 print it."""
    source = NEW_SOURCE | {"resources": {"cpu": 0.5, "heap_mb": 64}}
    head = MULTIPLE | {"resources": {"cpu": 0.25, "heap_mb": 10}}

    (vertex,) = compiled(source, head, version=version).job_graph.vertices
    assert vertex.min_resources is not None
    assert (vertex.min_resources.cpu, vertex.min_resources.heap_mb) == (0.25, 10)


@pytest.mark.parametrize(
    ("version", "names"),
    [
        (
            "1.15",
            [
                "Multi [Source: Custom Source]",
                "Source: Custom Source [Source: Custom Source]",
                "Filter [Source: Custom Source]",
            ],
        ),
        ("1.16", ["Multi [Source: Custom Source]", "Source: Custom Source", "Filter"]),
    ],
)
def test_old_releases_name_every_vertex_after_all_chained_sources(
    version: str, names: list[str]
) -> None:
    """As Flink 1.15.4 and 1.16.3 print it; the descriptions were right already."""
    program = (
        NEW_SOURCE,
        MULTIPLE,
        {"id": "t", "type": "legacy_source"},
        {"id": "r", "type": "rebalance", "inputs": ["t"]},
        {"id": "f", "type": "filter", "inputs": ["r"]},
    )

    vertices = compiled(*program, version=version).job_graph.vertices
    assert [vertex.name for vertex in vertices] == names
    assert description(vertices[-1]) == "Filter\n"


@pytest.mark.parametrize("version", ["1.17", "2.3"])
def test_vertices_joined_by_forward_share_the_smallest_maximum(version: str) -> None:
    """As Flink 1.17.2 and 2.3.0 print a batch job."""
    program = (
        NEW_SOURCE | {"max_parallelism": 128},
        {"id": "p", "type": "forward", "inputs": ["s"]},
        {"id": "f", "type": "filter", "inputs": ["p"], "max_parallelism": 16},
        {"id": "q", "type": "forward", "inputs": ["f"]},
        {"id": "g", "type": "filter", "inputs": ["q"]},
    )

    done = compiled(*program, version=version, runtime_mode="BATCH", chaining=False)
    assert [vertex.max_parallelism for vertex in done.job_graph.vertices] == [16, 16, 16]


@pytest.mark.parametrize(("field", "version"), [("name", "2.0"), ("uid", "2.3")])
def test_an_empty_name_or_uid_is_refused(field: str, version: str) -> None:
    """In the words of Flink 2.0.2 and 2.3.0; 1.20.5 accepts both."""
    program = (SOURCE, {"id": "m", "type": "map", "inputs": ["s"], field: ""})

    with pytest.raises(FlinkRefusalError, match=f"Empty string operator {field} is not allowed"):
        compiled(*program, version=version)
    assert len(compiled(*program, version="1.20").job_graph.vertices) == 1


def test_an_edge_of_a_side_output_selects_no_names() -> None:
    """In the words of Flink 1.10.3."""
    program = (
        SOURCE,
        {"id": "p", "type": "process", "inputs": ["s"]},
        {"id": "x", "type": "side_output", "inputs": ["p"], "tag": "x"},
        {
            "id": "b",
            "type": "partition",
            "inputs": ["x"],
            "partitioner": "FORWARD",
            "exchange_mode": "BATCH",
        },
        {"id": "f", "type": "flat_map", "inputs": ["b"]},
    )
    edge = "Process-2 -> Flat Map-5, typeNumber=0, selectedNames=null, outputPartitioner=FORWARD"

    with pytest.raises(FlinkRefusalError, match=edge):
        compiled(*program, version="1.10", buffer_timeout=200)
