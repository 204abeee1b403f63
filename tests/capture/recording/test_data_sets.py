"""A captured DataSet program has the optimizer plan and the JobGraph, Flink's answers alone."""

import json
from pathlib import Path

import pytest

import explorer
from explorer.documents import DataSetDocument, document_values, load_document
from explorer.explain.data_set_text import data_set_text
from tests.capture.flinks import jar, lib

pytestmark = [pytest.mark.flink, pytest.mark.usefixtures("warm_java")]


def test_the_plan_and_the_tasks_are_flinks(tmp_path: Path) -> None:
    program = jar("DataSets", "1.20.5", tmp_path)
    (document,) = explorer.capture(program, flink_lib=lib("1.20.5"), parallelism=2)
    loaded = load_document(document)
    assert isinstance(loaded, DataSetDocument)

    plan = loaded.data_set
    assert [node.contents for node in plan.nodes if node.is_combiner] == ["count"]
    assert {one.ship_strategy for node in plan.nodes for one in node.predecessors} == {
        *("Forward", "Hash Partition on [0]"),
    }
    assert all(node.costs for node in plan.nodes)
    assert [one.name for task in plan.tasks for one in task.chained]

    done = explorer.compile_graph(document)
    vertices = {vertex.id: vertex for vertex in done.job_graph.vertices}
    assert set(vertices) == {task.id for task in plan.tasks}
    flink = {(one.source, one.target, one.ship_strategy): one for one in plan.edges}
    assert len(done.job_graph.edges) == len(plan.edges)
    for edge in done.job_graph.edges:
        found = flink[edge.source, edge.target, edge.ship_strategy]
        assert edge.distribution_pattern == found.distribution_pattern
    assert len({vertex.slot_sharing_group for vertex in vertices.values()}) == 1
    assert "nothing of them is computed here" in done.warnings[0]

    text = data_set_text(loaded)
    assert "a combiner" in text
    assert "Sorted Combine" in text
    again = load_document(json.loads(json.dumps(document_values(loaded))))
    assert document_values(again) == document_values(loaded)


@pytest.mark.parametrize("version", ["1.9.3", "1.20.5"])
def test_iterations_are_drawn_and_explained(version: str, tmp_path: Path) -> None:
    program = jar("Iterations", version, tmp_path)
    (values,) = explorer.capture(program, flink_lib=lib(version))

    document = load_document(values)
    assert isinstance(document, DataSetDocument)
    plan = document.data_set
    bulk, delta = (one for one in plan.nodes if one.step_function)
    assert (bulk.pact, delta.pact) == ("Bulk Iteration", "Workset Iteration")
    assert "Map" in {one.pact for one in bulk.step_function}
    names = {task.id: task.name for task in document.job.tasks}
    synchronised = [one for one in plan.edges if names[one.target].startswith("Sync (")]
    assert [one.ship_strategy for one in synchronised] == ["", ""]
    again = load_document(json.loads(json.dumps(document_values(document))))
    assert document_values(again) == document_values(document)

    text = data_set_text(document)
    assert text.count("step function, once a superstep:") == 2
    assert "no records, the end of each superstep; POINTWISE PIPELINED" in text
    assert len(explorer.compile_graph(values).job_graph.vertices) == len(plan.tasks)
