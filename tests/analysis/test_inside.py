"""The inside of a task in words: every step is told, and a task is found by what it is called."""

import json
from collections.abc import Iterator
from contextlib import suppress

import pytest

from explorer import compile_graph
from explorer.analysis.inside import UnknownTaskError, inside, inside_text, task_called
from explorer.drawing.inside_view import inside_view
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.model.task_trace import HandedOn
from tests.golden_files import cases


def program(flink: str = "1.20", *, reuse: bool = False) -> Compilation:
    """Two maps behind one, in a task."""
    options = {"pipeline.object-reuse": reuse}
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
    sources = [{"id": one, "type": "source"} for one in "st"]
    sinks = [
        {"id": f"{one}2", "type": "sink", "name": "twice", "inputs": [one], "uid": one}
        for one in "st"
    ]
    done = compile_graph({"transformations": [*sources, *sinks]}, "1.20")

    with pytest.raises(UnknownTaskError, match="it names 2 tasks; tasks are "):
        task_called(done, "Sink: twice")


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
    done = program(reuse=True)
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


def compilations(file: str) -> Iterator[Compilation]:
    """The programs of a golden file that 1.20 takes."""
    for case in cases(file):
        with suppress(ExplorerError):
            yield compile_graph(case["pipeline"], "1.20")


@pytest.mark.parametrize("file", ["classics", "constructs"])
def test_every_task_of_every_program_has_a_life_that_is_drawn(file: str) -> None:
    for done in compilations(file):
        for vertex in done.job_graph.vertices:
            if "Iteration" in vertex.invokable:
                with pytest.raises(ExplorerError, match="an end of an iteration"):
                    inside(done, vertex.id)
                continue
            found = inside(done, vertex.id)
            view = inside_view(found.task)
            keys = {box.key for box in view.boxes}
            assert {key for step in found.steps for key in step.lit} <= keys | {"in"}
            assert {end for one in view.lines for end in (one.source, one.target)} <= keys
            assert len(set(found.task.built)) == len(vertex.operators)
