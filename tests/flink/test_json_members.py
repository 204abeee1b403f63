"""Graphs and the execution plan as members, spelled as Flink prints them."""

import json
from typing import Any

import pytest

from explorer import Compilation, compile_graph
from explorer.flink.json_members import (
    MAX_LISTED,
    adaptive_members,
    execution_graph_members,
    execution_plan,
    job_graph_members,
    stream_graph_members,
)
from explorer.flink.releases import release
from tests.comparison.small_jobs import COUNT, changed, program


def compiled(version: str = "1.20", **environment: Any) -> Compilation:
    source = changed("lines", type="legacy_source") if version == "1.9" else COUNT
    return compile_graph(program(source, flink=version, **environment))


def test_a_plan_has_its_sinks_last_and_every_input_on_the_second_side() -> None:
    steps = [
        COUNT[0],
        {"id": "o1", "type": "sink", "inputs": ["lines"]},
        {"id": "m", "type": "map", "inputs": ["lines"]},
        {"id": "o2", "type": "sink", "inputs": ["m"]},
    ]
    done = compile_graph(program(steps))

    nodes = execution_plan(done.stream_graph, done.release)["nodes"]

    assert [node["pact"] for node in nodes] == [
        "Data Source",
        "Operator",
        "Data Sink",
        "Data Sink",
    ]
    assert "predecessors" not in nodes[0]
    assert nodes[1]["predecessors"] == [{"id": 1, "ship_strategy": "FORWARD", "side": "second"}]


@pytest.mark.parametrize(("version", "described"), [("1.14", False), ("1.15", True)])
def test_a_plan_has_descriptions_where_the_release_has_them(version: str, described: bool) -> None:  # noqa: FBT001
    window = {"id": "w", "type": "window", "inputs": ["by"]}
    steps = [*COUNT[:3], window | {"window": {"assigner": "tumbling", "size": 5}}]
    done = compile_graph(program(steps, flink=version))

    last = execution_plan(done.stream_graph, release(version))["nodes"][-1]

    assert (last["contents"] != last["type"]) is described


def test_fields_that_a_release_does_not_have_are_absent() -> None:
    old, new = (
        stream_graph_members(done.stream_graph, done.settings, done.release)
        for done in (compiled("1.9"), compiled("1.20"))
    )

    assert "supports_concurrent_attempts" not in old["nodes"][0]
    assert new["nodes"][0]["supports_concurrent_attempts"] is True
    assert "operator" not in new["nodes"][0]


def test_edges_are_listed_by_their_source_in_the_order_of_its_outputs() -> None:
    steps = [
        COUNT[0],
        {"id": "a", "type": "map", "inputs": ["lines"]},
        {"id": "b", "type": "map", "inputs": ["lines"]},
        {"id": "c", "type": "map", "inputs": ["a"]},
    ]
    done = compile_graph(program(steps))

    members = stream_graph_members(done.stream_graph, done.settings, done.release)

    assert [(edge["source"], edge["target"]) for edge in members["edges"]] == [
        (1, 2),
        (1, 3),
        (2, 4),
    ]
    assert (members["nodes"][0]["out_order"], members["nodes"][0]["in_order"]) == ([2, 3], [])


def test_a_job_graph_has_a_description_a_vertex() -> None:
    members = job_graph_members(compiled().job_graph)

    assert members["vertices"][0]["description"] == ("Source: Custom Source\n+- Flat Map\n")
    assert [edge["ship_strategy"] for edge in members["edges"]] == ["HASH"]


def test_the_adaptive_job_graph_has_what_is_known_before_the_job_runs() -> None:
    done = compiled("2.2", runtime_mode="BATCH")
    assert done.scheduled is not None

    members = adaptive_members(done.scheduled.job_graph)

    assert {*members["vertices"][0]} == {
        "id",
        "name",
        "operator_ids",
        "parallelism",
        "max_parallelism",
    }
    assert len(members["edges"]) == 1


@pytest.mark.parametrize(("limit", "listed"), [(6, True), (5, False)])
def test_subtasks_are_listed_up_to_the_limit(limit: int, listed: bool) -> None:  # noqa: FBT001
    graph = compiled(parallelism=3).execution_graph

    members = execution_graph_members(graph, limit=limit)

    assert members["listed"] is listed
    assert ("subtasks" in members["vertices"][0]) is listed
    assert ("consumed" in members["edges"][0]) is listed
    assert limit < MAX_LISTED


def test_ranges_have_both_ends_included() -> None:
    members = execution_graph_members(compiled(parallelism=3).execution_graph)

    assert members["edges"][0]["consumed"][1] == {
        "subtask": 1,
        "partitions": [0, 2],
        "subpartitions": [1, 1],
    }
    assert members["results"] == [
        {
            "producer": members["vertices"][0]["id"],
            "dataset_index": 0,
            "result_type": "PIPELINED_BOUNDED",
            "partitions": 3,
            "subpartitions": 9,
            "consumers": 1,
        }
    ]
    assert json.loads(json.dumps(members["counts"]))["edges"] == 9
