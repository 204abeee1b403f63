"""Task internals in words: every step is narrated, and a task is found by its names."""

import json
from collections.abc import Iterator
from contextlib import suppress

import pytest

from explorer import compile_graph
from explorer.drawing.svg.task_internals_view import task_internals_view
from explorer.errors import ExplorerError
from explorer.explain.task_internals import (
    UnknownTaskError,
    task_called,
    task_internals,
    task_internals_text,
)
from explorer.flink.compiler import Compilation
from explorer.model.task_steps import ElementPassed
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


def test_the_outputs_of_each_operator_are_listed() -> None:
    done = program()
    found = task_internals(done, task_called(done, "a").id)
    said = [step.sentence for step in found.steps if step.part == "a record"]

    assert said == [
        "Source: Custom Source hands the record to a, as a copy that the type's serializer makes.",
        "a writes the record to network output 0, as bytes.",
        "a hands the record to b, as a copy that the type's serializer makes.",
        "a hands the record to c, as a copy that the type's serializer makes.",
    ]
    assert "drawn at random" in task_internals_text(found)
    assert json.loads(json.dumps(found.to_dict()))["task"]["invokable"] == "SourceStreamTask"


def test_with_object_reuse_nothing_is_copied() -> None:
    done = program(reuse=True)
    found = task_internals(done, task_called(done, "a").id)
    handed = [one.event for one in found.steps if isinstance(one.event, ElementPassed)]

    assert found.task.object_reuse
    assert not any(step.copied for step in handed)
    assert "hands the record to b: the same object." in task_internals_text(found)


@pytest.mark.parametrize(("flink", "method"), [("1.13", "dispose"), ("1.14", "finish")])
def test_the_end_is_reported_as_the_release_ends(flink: str, method: str) -> None:
    done = program(flink)
    found = task_internals(done, task_called(done, "a").id)
    titles = [step.title for step in found.steps if step.part == "the end"]

    assert any(title.startswith(f"{method} of ") for title in titles)
    assert titles[-1] == f"{'close' if method == 'finish' else 'dispose'} of Source: Custom Source"


def compilations(file: str) -> Iterator[Compilation]:
    """The programs of a golden file that 1.20 accepts."""
    for case in cases(file):
        with suppress(ExplorerError):
            yield compile_graph(case["pipeline"], "1.20")


@pytest.mark.slow
@pytest.mark.parametrize("file", ["classics", "constructs"])
def test_every_task_of_every_program_has_a_lifecycle_that_is_drawn(file: str) -> None:
    for done in compilations(file):
        for vertex in done.job_graph.vertices:
            found = task_internals(done, vertex.id)
            view = task_internals_view(found.task)
            keys = {box.key for box in view.boxes}
            assert {key for step in found.steps for key in step.highlighted.parts} <= keys | {"in"}
            assert {end for one in view.lines for end in (one.source, one.target)} <= keys
            held = 0 if found.task.end is not None else len(vertex.operators)
            assert len(set(found.task.built)) == held


ENDS = ("Source", "Sink")
"""The two ends of an iteration, as their names have them."""


def loop(*, max_wait: int | None = None) -> Compilation:
    """A map in a loop."""
    wait = {} if max_wait is None else {"max_wait": max_wait}
    steps = [
        {"id": "s", "type": "legacy_source"},
        {"id": "i", "type": "iterate", "inputs": ["s"], **wait},
        {"id": "a", "type": "map", "inputs": ["i"], "name": "a"},
        {"id": "c", "type": "close_iteration", "inputs": ["a"], "iteration": "i"},
        {"id": "o", "type": "sink", "inputs": ["a"]},
    ]
    return compile_graph({"transformations": steps}, "1.20")


def test_the_ends_of_an_iteration_meet_at_a_queue() -> None:
    done = loop(max_wait=5000)
    head, tail = (task_internals(done, task_called(done, f"Iteration{end}-2").id) for end in ENDS)

    said = {step.part: step.sentence for step in head.steps}
    assert said["the end"].startswith("When no record came for 5,000 milliseconds it ends")
    assert said["a record"].endswith("writes the record to network output 0, as bytes.")
    said = {step.part: step.sentence for step in tail.steps}
    assert "It waits up to 5,000 milliseconds for space" in said["a record"]
    assert "ArrayBlockingQueue of IterationSource-2" in task_internals_text(tail)


def test_a_head_without_a_wait_never_ends() -> None:
    done = loop()
    said = [
        step.sentence
        for step in task_internals(done, task_called(done, "IterationSource-2").id).steps
    ]

    assert said[-1].startswith("Without max_wait it never ends by itself, nor does the job.")


def test_the_queue_is_drawn_at_both_ends() -> None:
    done = loop()
    for end, other in zip(ENDS, reversed(ENDS), strict=True):
        found = task_internals(done, task_called(done, f"Iteration{end}-2").id)
        view = task_internals_view(found.task)
        queue = next(box for box in view.boxes if box.key == "q")

        assert f"Iteration{other}-2" in queue.title
        assert queue.lines == ("ArrayBlockingQueue",)
        keys = {box.key for box in view.boxes}
        assert {line.source for line in view.lines} | {line.target for line in view.lines} == keys
        assert {key for step in found.steps for key in step.highlighted.parts} <= {*keys, "in"}
