"""Lessons as their player gets them."""

import json

import pytest

from explorer.documents import Sample, samples
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.lesson_steps import asked, lesson_json, lessons_by_group
from explorer.flink.compiler import compile_program
from explorer.lessons import answered, load_lesson
from explorer.model.lesson import GROUPS, Answer, Choice
from tests.many_cases import for_each


@for_each("sample", samples()[:6], name=lambda sample: sample.key)
def test_a_lesson_is_plain_json_with_keys_of_the_drawing(sample: Sample) -> None:
    loaded = load_lesson(sample.path)
    found = lesson_json(loaded.lesson, answered(loaded.lesson, loaded.document))
    view = graph_view(compile_program(loaded.document))
    keys = {*view.node_of, *view.edge_of, *view.vertex_of, *view.job_edge_of}

    assert json.loads(json.dumps(found)) == found
    assert (found["title"], len(found["steps"])) == (loaded.lesson.lesson, len(loaded.lesson.steps))
    assert {key for step in found["steps"] for key in step["look"]} <= keys


@pytest.mark.parametrize(("of", "mark"), [("edges", "e1"), ("operators", "n1"), ("", "")])
def test_a_choice_is_marked_by_the_key_of_its_element(of: str, mark: str) -> None:
    answer = Answer(
        question="Which?",
        choices=(Choice(key="1", text="one"), Choice(key="2", text="two")),
        right=("1",),
        reason="So it is.",
        reasons={"1": "It is."},
        of=of,  # type: ignore[arg-type]
    )
    first, second = asked(answer)["choices"]

    assert first == {"key": "1", "text": "one", "right": True, "reason": "It is.", "mark": mark}
    assert (second["right"], second["reason"]) == (False, "")


def test_a_course_lists_every_group_in_order() -> None:
    lessons = [(sample.key, sample.lesson) for sample in samples() if sample.lesson]
    groups = lessons_by_group(lessons)

    assert [one["group"] for one in groups] == list(GROUPS)
    assert sum(len(one["lessons"]) for one in groups) == len(lessons)
    assert lessons_by_group([])[0]["lessons"] == []
