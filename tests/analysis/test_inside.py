"""The inside of a task in words: every step is told, and a task is found by what it is called."""

import json

import pytest
from hypothesis import given, settings

from explorer import compile_graph
from explorer.analysis.inside import UnknownTaskError, inside, inside_text, task_called
from explorer.drawing.inside_view import inside_view
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.model.pipeline import Pipeline
from explorer.model.task_trace import HandedOn
from tests.strategies import pipelines


def program(flink: str = "1.20", **configuration: bool) -> Compilation:
    """Two maps behind one, in a task."""
    options = {name.replace("_", "."): value for name, value in configuration.items()}
    steps = [
        {"id": "s", "type": "legacy_source"},
        {"id": "a", "type": "map", "inputs": ["s"], "name": "a"},
        {"id": "b", "type": "map", "inputs": ["a"], "name": "b"},
        {"id": "c", "type": "map", "inputs": ["a"], "name": "c"},
        {"id": "far", "type": "rebalance", "inputs": ["a"]},
        {"id": "d", "type": "map", "inputs": ["far"], "name": "d"},
    ]
    document = {"environment": {"configuration": options}, "transformations": steps}
    return compile_graph(document, flink)


def test_a_task_is_called_by_its_id_its_name_or_an_operator_of_it() -> None:
    done = program()
    for vertex in done.job_graph.vertices:
        assert task_called(done, vertex.id) == task_called(done, vertex.name) == vertex
    assert task_called(done, "b").name == task_called(done, "1").name
    with pytest.raises(ExplorerError, match="no operator 'nobody'"):
        task_called(done, "nobody")


def test_an_operator_in_two_tasks_names_both() -> None:
    steps = [{"id": one, "type": "source", "name": "twice"} for one in "st"]
    done = compile_graph({"transformations": steps}, "1.20")

    with pytest.raises(UnknownTaskError, match="2 tasks; tasks are 'Source: twice'"):
        task_called(done, "Source: twice")


def test_who_passes_what_to_whom_is_said() -> None:
    done = program()
    found = inside(done, task_called(done, "a").id)
    said = [step.sentence for step in found.steps if step.part == "a record"]

    assert said == [
        "Source: Custom Source hands the record to a, as a copy that the type's serializer makes.",
        "a writes the record to network output 0, as bytes.",
        "a hands the record to b, as a copy that the type's serializer makes.",
        "a hands the record to c, as a copy that the type's serializer makes.",
    ]
    assert "drawn at random" in inside_text(found)
    assert json.loads(json.dumps(found.to_dict()))["task"]["invokable"] == "SourceStreamTask"


def test_with_object_reuse_nothing_is_copied() -> None:
    done = program(**{"pipeline.object-reuse": True})
    found = inside(done, task_called(done, "a").id)
    handed = [one.step for one in found.steps if isinstance(one.step, HandedOn)]

    assert found.task.object_reuse
    assert not any(step.copied for step in handed)
    assert "hands the record to b: the same object." in inside_text(found)


@pytest.mark.parametrize(("flink", "method"), [("1.13", "dispose"), ("1.14", "finish")])
def test_the_end_is_told_as_the_release_ends(flink: str, method: str) -> None:
    done = program(flink)
    found = inside(done, task_called(done, "a").id)
    titles = [step.title for step in found.steps if step.part == "the end"]

    assert any(title.startswith(f"{method} of ") for title in titles)
    assert titles[-1] == f"{'close' if method == 'finish' else 'dispose'} of Source: Custom Source"


@settings(max_examples=30)
@given(pipelines())
def test_every_task_of_every_program_has_a_life_that_is_drawn(pipeline: Pipeline) -> None:
    done = compile_graph(pipeline, "1.20")
    for vertex in done.job_graph.vertices:
        try:
            found = inside(done, vertex.id)
        except ExplorerError:
            assert "Iteration" in vertex.invokable
            continue
        view = inside_view(found.task)
        keys = {box.key for box in view.boxes}
        assert {key for step in found.steps for key in step.lit} <= keys | {"in"}
        assert {end for line in view.lines for end in (line.source, line.target)} <= keys
        assert len(found.task.operators) == len(set(found.task.built)) == len(vertex.operators)
