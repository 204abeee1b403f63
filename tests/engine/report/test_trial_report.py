"""A report's shape: the members that programs read, and a table for a spreadsheet."""

import csv
import io
import json

import pytest

from explorer import compile_graph
from explorer.engine.report.trial_report import copies_sentence
from tests.engine.in_process import trial
from tests.engine.report.reported import DOCUMENT


def test_the_contracts_members_are_there() -> None:
    members = json.loads(json.dumps(trial(DOCUMENT).to_dict()))
    source, target = members["vertices"]

    assert {key: source[key] for key in ("name", "parallelism", "records_in", "records_out")} == {
        "name": "Source: Custom Source",
        "parallelism": 2,
        "records_in": 0,
        "records_out": 10,
    }
    assert source["bytes_out"] == 10 * 14 + 4 * 13
    assert [subtask["records_in"] for subtask in target["subtasks"]] == [5, 5]
    spent = sum(subtask["operator_ms"] for subtask in source["subtasks"])
    assert source["operator_ms"] == pytest.approx(spent)
    assert [operator["name"] for operator in target["operators"]] == [
        "=1+1",
        "Sink: Print to Std. Out",
    ]
    assert members["operators"] == source["operators"] + target["operators"]
    assert {key: members["operators"][1][key] for key in ("node", "records_in", "records_out")} == {
        "node": 3,
        "records_in": 10,
        "records_out": 10,
    }
    assert members["sinks"]["o"]["columns"] == [{"name": "n", "type": "DOUBLE"}]
    assert sorted(members["sinks"]["o"]["data"]) == [[n / 2] for n in range(10)]
    assert members["sinks"]["o"]["rows"] == 10
    assert members["edges"][0]["records"] == 10
    assert members["flink_version"] == "1.20"


def test_the_former_members_are_there_for_one_release() -> None:
    members = trial(DOCUMENT).to_dict()

    for vertex in members["vertices"]:
        assert vertex["busy_ms"] == vertex["operator_ms"]
        assert vertex["subtask_busy_ms"] == [one["operator_ms"] for one in vertex["subtasks"]]
        assert vertex["subtask_records_in"] == [one["records_in"] for one in vertex["subtasks"]]
    assert all(one["busy_ms"] == one["operator_ms"] for one in members["operators"])


def test_vertices_come_in_the_job_graphs_order() -> None:
    compiled = compile_graph(DOCUMENT, "1.20")

    assert [one.id for one in trial(DOCUMENT).vertices] == [
        one.id for one in compiled.job_graph.vertices
    ]


def test_the_table_has_a_line_a_vertex_and_operator_and_no_formula() -> None:
    lines = list(csv.DictReader(io.StringIO(trial(DOCUMENT).to_csv())))

    assert [line["kind"] for line in lines] == [
        "vertex",
        "operator",
        "vertex",
        "operator",
        "operator",
    ]
    assert [line["name"] for line in lines][2:4] == ["'=1+1 -> Sink: Print to Std. Out", "'=1+1"]
    assert lines[0]["bytes_out"] == "192"


def test_copies_are_counted_unless_objects_are_reused() -> None:
    reusing = {
        **DOCUMENT,
        "environment": {"parallelism": 2, "configuration": {"pipeline.object-reuse": True}},
    }
    copied, shared = copies_sentence(trial(DOCUMENT)), copies_sentence(trial(reusing))

    assert copied.startswith("10 records copied between operators of a task, in ")
    assert shared.startswith("10 records handed on between operators of a task as the same object")


def test_a_trial_without_chained_operators_copies_nothing() -> None:
    alone = {**DOCUMENT, "environment": {"parallelism": 2, "chaining": False}}

    assert copies_sentence(trial(alone)) == ""
