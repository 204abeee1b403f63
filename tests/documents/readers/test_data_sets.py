"""A DataSet program's document holds Flink's plan, and its faults have a sentence each."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import explorer
from explorer.cli.main import main
from explorer.documents import DataSetDocument, document_values, load_document
from explorer.errors import DocumentError
from explorer.explain.data_set_text import data_set_text
from tests.golden_files import cases
from tests.many_cases import for_each


@for_each("values", list(cases("data_set_programs")), name=lambda one: str(one["flink"]))
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


@pytest.fixture(scope="module")
def compiled() -> explorer.CompiledGraph:
    return explorer.compile_graph(list(cases("data_set_programs"))[-1])


def test_an_edge_is_explained_by_flinks_plan_alone(compiled: explorer.CompiledGraph) -> None:
    explained = {(one.source.partition(" ")[0], one.target): one for one in compiled.explain()}
    chained = explained["DataSource", "FlatMap (words)"]
    sorted_input = explained["Combine", "Reduce (count)"]

    assert chained.headline.endswith(" as ChainedFlatMapDriver")
    assert sorted_input.headline == "Not chained: JobGraphGenerator made two tasks"
    assert sorted_input.sentences[0] == (
        "Ship strategy, local strategy, pattern and result type: Hash Partition on [0], "
        "Sort (combining) on [0:ASC]; ALL_TO_ALL BLOCKING."
    )
    assert not any(one.reasons or one.fixes or one.advice for one in compiled.explain())


def test_drawings_have_no_words_of_the_datastream_api(compiled: explorer.CompiledGraph) -> None:
    drawn = compiled.to_svg(), compiled.to_dot(), compiled.to_mermaid(), str(compiled)

    foreign = re.compile(r"StreamGraph|STREAMGRAPH|StreamTask|chain \d|forbids|reasons")
    assert [foreign.findall(text) for text in drawn] == [[]] * len(drawn)
    assert "DATASET OPERATORS" in drawn[0]
    assert "Sort (combining) on [0:ASC]" in drawn[1]
    assert "StreamTask" not in compiled.to_html()


@pytest.mark.parametrize(
    "arguments",
    [("trace",), ("explain", "--inside", "DataSink (pairs)"), ("wire", "--edge", "4->5")],
)
def test_answers_by_rules_of_the_datastream_api_are_refused(
    arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps(list(cases("data_set_programs"))[-1]))

    assert main([arguments[0], str(path), *arguments[1:]]) == 1
    assert "follows the rules of the DataStream API" in capsys.readouterr().err
