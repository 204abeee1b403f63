"""A DataSet program's document holds Flink's plan, and its faults have a sentence each."""

from typing import Any

import pytest

import explorer
from explorer.analysis.data_set_text import data_set_text
from explorer.documents import DataSetDocument, document_values, load_document
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


def test_a_plan_of_other_tasks_is_refused() -> None:
    values = next(cases("data_set_programs"))
    values["data_set"]["tasks"][0]["id"] = "0" * 32
    with pytest.raises(DocumentError, match="there is no task"):
        load_document(values)
    values["data_set"] = {"nodes": []}
    with pytest.raises(DocumentError, match="data_set"):
        load_document(values)
