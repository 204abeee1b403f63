"""Programs that released Flinks planned and generated: our JobGraph of each, equal to Flink's own.

A line of the golden files is a captured program: its StreamGraph with the job's settings, and what
the release printed of it, ``flink_job_graph`` and ``flink_execution_plan``. A plan of SQL has its
statements and options too; the others are programs of the DataStream API.
"""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from explorer import compile_graph
from explorer.documents import StreamGraphDocument, dump_json, load_document, parse_document
from tests.engine.in_process import report_of
from tests.golden_files import cases, differences

SQL = ("1.11", "1.13", "1.16", "1.20", "2.2")
FILES = [
    *(("sql_plans", release) for release in SQL),
    *(("data_stream_plans", release) for release in ("1.20", "2.2")),
]
NODE = [
    "id",
    "name",
    "parallelism",
    "max_parallelism",
    "slot_sharing_group",
    "co_location_group",
    "uid",
    "uid_hash",
    "buffer_timeout",
    "chaining_strategy",
    "yielding",
    "legacy_source",
    "vertex_class",
    "supports_concurrent_attempts",
    "in_order",
    "out_order",
]
EDGE = [
    "source",
    "target",
    "type_number",
    "partitioner",
    "partitioner_class",
    "exchange_mode",
    "side_output",
]
"""What every StreamGraph is printed with; a captured one says more."""


def plans(name: str, release: str) -> list[dict[str, Any]]:
    found = [plan for plan in cases(name) if plan["flink"] == release]
    assert found
    return found


def compiled(document: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(json.dumps(compile_graph(document).to_dict()))
    return values


@pytest.mark.law
@pytest.mark.parametrize(("name", "release"), FILES)
def test_a_captured_program_becomes_flinks_own_job_graph(name: str, release: str) -> None:
    wrong: list[str] = []
    for plan in plans(name, release):
        done = compiled(plan)
        graph = {key: value for key, value in plan["stream_graph"].items() if key != "settings"}
        lines = differences(plan["flink_job_graph"], done["job_graph"])
        lines += differences(plan["flink_execution_plan"], done["execution_plan"])
        lines += differences(graph, done["stream_graph"])
        wrong += [f"{plan['name']}{line}" for line in lines]

    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("release", ["1.20", "2.2"])
def test_the_print_of_every_stream_graph_suffices_for_flinks_tasks(release: str) -> None:
    """Without settings, a plan of the default options is recognized as a batch job by its edges."""
    wrong: list[str] = []
    for plan in plans("sql_plans", release):
        if plan["name"].endswith(("(pipelined)", "(hybrid)", "(plain)")):
            continue
        done = compiled(bare(plan))["job_graph"]
        for vertex in plan["flink_job_graph"]["vertices"]:
            del vertex["description"]
            for operator in vertex["operators"]:
                del operator["managed_memory_fraction"]
        lines = differences(plan["flink_job_graph"], done)
        wrong += [f"{plan['name']}{line}" for line in lines]

    assert wrong == []


def bare(plan: Mapping[str, Any]) -> dict[str, Any]:
    graph = plan["stream_graph"]
    nodes = [{key: node[key] for key in NODE if key in node} for node in graph["nodes"]]
    edges = [{key: edge[key] for key in EDGE} for edge in graph["edges"]]
    alone = {"nodes": nodes, "edges": edges, "sources": graph["sources"]}
    return {"flink": plan["flink"], "stream_graph": alone}


def test_the_plans_have_every_partitioner_that_the_planner_chooses() -> None:
    found = Counter(
        (edge["partitioner_class"], edge["partitioner"].partition("[")[0])
        for plan in cases("sql_plans")
        for edge in plan["stream_graph"]["edges"]
    )

    assert found.keys() == {
        ("ForwardPartitioner", "FORWARD"),
        ("ForwardForUnspecifiedPartitioner", "FORWARD"),
        ("ForwardForConsecutiveHashPartitioner", "FORWARD"),
        ("RebalancePartitioner", "REBALANCE"),
        ("BroadcastPartitioner", "BROADCAST"),
        ("GlobalPartitioner", "GLOBAL"),
        ("KeyGroupStreamPartitioner", "HASH"),
        ("BinaryHashPartitioner", "HASH"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["stream", "batch", "pipelined"])
def test_a_captured_plan_survives_a_round_trip_and_runs(setting: str) -> None:
    names = {f"{name} ({setting})" for name in ("new-users", "two-sinks", "dearest-of-all")}
    chosen = [plan for plan in plans("sql_plans", "2.2") if plan["name"] in names]
    assert len(chosen) == len(names)
    for plan in chosen:
        document = load_document(plan)
        assert isinstance(document, StreamGraphDocument)
        assert parse_document(dump_json(document), name="x.json") == document

        report = report_of(compile_graph(document))
        assert len(report.vertices) == len(plan["flink_job_graph"]["vertices"])
