"""What vertices and the job say of themselves, release by release, as Flink printed it."""

from typing import Any

import pytest

from explorer.errors import FlinkRefusalError
from tests.flink.golden_programs import node_of, printed_and_made
from tests.flink.passes.programs import SINK, SOURCE, compiled

SECOND = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("name", "version", "type_"),
    [
        ("word-count", "1.12", "EAGER"),
        ("word-count", "1.13", "STREAMING"),
        ("batch-mode", "1.12", "LAZY_FROM_SOURCES_WITH_BATCH_SLOT_REQUEST"),
        ("batch-mode", "1.13", "BATCH"),
        ("automatic-mode", "2.3", "BATCH"),
    ],
)
def test_a_job_has_a_type_and_had_a_schedule_mode_before(
    name: str, version: str, type_: str
) -> None:
    for members in printed_and_made(name, version):
        assert members["job_graph"]["job_type"] == type_


@pytest.mark.parametrize(
    ("name", "tasks"),
    [
        ("two-inputs", ["SourceStreamTask", "SourceStreamTask", "TwoInputStreamTask"]),
        (
            "multi-input-always",
            ["SourceOperatorStreamTask", "SourceOperatorStreamTask", "MultipleInputStreamTask"],
        ),
        (
            "iterate",
            [
                "StreamIterationHead",
                "SourceStreamTask",
                "OneInputStreamTask",
                "StreamIterationTail",
            ],
        ),
    ],
)
def test_a_vertex_runs_the_task_of_its_head(name: str, tasks: list[str]) -> None:
    for members in printed_and_made(name, "1.20"):
        vertices = members["job_graph"]["vertices"]
        assert [vertex["invokable"].rpartition(".")[2] for vertex in vertices] == tasks


def test_a_vertex_has_its_heads_id_and_lists_its_operators_by_number() -> None:
    for members in printed_and_made("fan-out-mixed", "1.20"):
        vertices, ids = members["job_graph"]["vertices"], node_of(members)
        assert [ids[vertex["id"]] for vertex in vertices] == [1, 4]
        assert [[one["node"] for one in vertex["operators"]] for vertex in vertices] == [
            [1, 2, 5, 7],
            [4, 6],
        ]


def test_a_chain_starts_at_its_head_and_ends_where_no_operator_is_called() -> None:
    for members in printed_and_made("fan-out", "1.20"):
        operators = members["job_graph"]["vertices"][0]["operators"]
        assert [one["node"] for one in operators if one["chain_start"]] == [1]
        assert [one["node"] for one in operators if one["chain_end"]] == [4, 5]
        assert operators[0]["chained_outputs"] == [2, 3]


@pytest.mark.parametrize(
    ("version", "listed"), [("1.10", None), ("1.11", SECOND), ("1.20", SECOND)]
)
def test_a_uid_hash_is_stored_with_the_operators_id(version: str, listed: str | None) -> None:
    """In the order of the operator IDs: sink, map, source."""
    for members in printed_and_made("uid-hash", version):
        (vertex,) = members["job_graph"]["vertices"]
        assert vertex["user_defined_operator_ids"] == [None, listed, None]


@pytest.mark.parametrize(("version", "cores"), [("1.9", [1.0, 0.25]), ("1.10", [1.5, 0.5])])
def test_resources_of_a_chain_add_up(version: str, cores: list[float]) -> None:
    """Up to 1.9 the largest number of cores counted, though memory was added."""
    for members in printed_and_made("resources", version):
        found = [vertex["min_resources"] for vertex in members["job_graph"]["vertices"]]
        assert found == [
            {"cpu": cpu, "heap_mb": heap} for cpu, heap in zip(cores, (164.0, 20.0), strict=True)
        ]


@pytest.mark.slow
def test_one_operator_without_resources_leaves_the_chains_unknown() -> None:
    for members in printed_and_made("resources-partly", "1.20"):
        (vertex,) = members["job_graph"]["vertices"]
        assert vertex["min_resources"] is None


@pytest.mark.parametrize("field", ["name", "uid"])
def test_since_2_0_an_operators_texts_are_not_empty(field: str) -> None:
    """``OperatorIDPair`` of 2.0 looks at them; a name is never empty behind ``Source: ``."""
    program: tuple[dict[str, Any], ...] = (
        SOURCE,
        {"id": "m", "type": "map", "inputs": ["s"], field: ""},
    )

    assert compiled(*program, version="1.20").job_graph.vertices
    with pytest.raises(FlinkRefusalError, match=f"Empty string operator {field} is not allowed"):
        compiled(*program, version="2.0")


def test_formats_of_a_chain_make_a_format_vertex() -> None:
    done = compiled(
        SOURCE | {"input_format": "org.example.Rows"},
        SINK | {"output_format": "org.example.Files"},
    )

    (vertex,) = done.job_graph.vertices
    assert [(f.operator_id, f.kind, f.class_name) for f in vertex.formats] == [
        (vertex.operators[1].operator_id, "output", "org.example.Files"),
        (vertex.id, "input", "org.example.Rows"),
    ]


def test_savepoint_and_files_go_with_the_job() -> None:
    done = compiled(
        SOURCE,
        SINK,
        savepoint={"path": "file:/sp-1", "allow_non_restored_state": True, "claim_mode": "CLAIM"},
        artifacts={"model": "hdfs:/model.bin"},
    ).to_dict()["job_graph"]

    assert done["savepoint"] == {
        "path": "file:/sp-1",
        "allow_non_restored_state": True,
        "claim_mode": "CLAIM",
    }
    assert done["artifacts"] == {"model": "hdfs:/model.bin"}
