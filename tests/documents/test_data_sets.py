"""A DataSet program's document holds Flink's plan, and its faults have a sentence each."""

import json
from typing import Any

import pytest

import explorer
from explorer.analysis.data_set_text import data_set_text
from explorer.analysis.running_jobs import match_document
from explorer.documents import DataSetDocument, JobGraphDocument, document_values, load_document
from explorer.errors import DocumentError
from tests.golden_files import cases


@pytest.mark.parametrize(
    "values", list(cases("data_set_programs")), ids=lambda one: str(one["flink"])
)
def test_tasks_edges_and_texts_are_flinks(values: dict[str, Any]) -> None:
    loaded = load_document(values)
    assert isinstance(loaded, DataSetDocument)
    done = explorer.compile_graph(values)
    plan = loaded.data_set

    assert {one.id: one.name for one in loaded.job.tasks}.keys() == {task.id for task in plan.tasks}
    assert {vertex.id for vertex in done.job_graph.vertices} == {task.id for task in plan.tasks}
    assert sorted(
        (edge.source, edge.target, edge.ship_strategy, edge.distribution_pattern)
        for edge in done.job_graph.edges
    ) == sorted(
        (edge.source, edge.target, edge.ship_strategy, edge.distribution_pattern)
        for edge in plan.edges
    )
    assert "Sort (combining) on [0:ASC]" in data_set_text(loaded)
    assert document_values(load_document(document_values(loaded))) == document_values(loaded)


def running(values: dict[str, Any], name: str = "") -> JobGraphDocument:
    """The program as a job, in which Flink gave other IDs, and one task another name."""
    text = json.dumps({key: value for key, value in values.items() if key != "data_set"})
    for vertex in values["job_graph"]["vertices"]:
        text = text.replace(vertex["id"], vertex["id"][::-1])
    graph = json.loads(text)
    if name:
        graph["job_graph"]["vertices"][-1]["name"] = name
    loaded = load_document(graph)
    assert isinstance(loaded, JobGraphDocument)
    return loaded


def test_a_job_is_compared_with_its_program_by_names() -> None:
    values = list(cases("data_set_programs"))[-1]
    program, count = load_document(values), len(values["job_graph"]["vertices"])

    same = match_document(running(values), program)
    assert same.verdict == "same task names"
    assert same.sentence.startswith(
        f"Same task names: {count} of the job's {count} tasks have names of this program's tasks. "
        "Flink gives the tasks of a DataSet program IDs at random: names are compared."
    )
    other = match_document(running(values, "DataSink (other)"), program)
    assert other.verdict == "some task names"
    assert any("'DataSink (other)'" in one for one in other.differences)


def test_a_plan_of_other_tasks_is_refused() -> None:
    values = next(cases("data_set_programs"))
    values["data_set"]["tasks"][0]["id"] = "0" * 32
    with pytest.raises(DocumentError, match="there is no task"):
        load_document(values)
    values["data_set"] = {"nodes": []}
    with pytest.raises(DocumentError, match="data_set"):
        load_document(values)
