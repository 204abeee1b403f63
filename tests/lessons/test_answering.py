"""The samples' lessons, and what is said of a lesson that cannot be played."""

import re
import time
from pathlib import Path
from typing import Any

import pytest

from explorer.documents import Sample, load_document, samples
from explorer.documents.lesson_files import parse_lesson, to_lesson
from explorer.documents.samples import course
from explorer.errors import DocumentError
from explorer.lessons import answered, load_lesson
from explorer.model.lesson import GROUPS, Lesson, LessonStep, Question

A_TO_E = next(one.path for one in samples() if one.key == "02-a-to-e")


def test_a_course_goes_through_all_groups_from_chains_to_savepoints() -> None:
    lessons = [sample.lesson for sample in course()]

    assert len(lessons) >= 12
    assert {sample.key for sample in course()} == {sample.key for sample in samples()}
    assert list(dict.fromkeys(one.group for one in lessons if one)) == list(GROUPS)
    assert course()[0].key == "02-a-to-e"


@pytest.mark.slow
@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.key)
def test_every_sample_is_a_lesson_that_the_compiler_answers(sample: Sample) -> None:
    loaded = load_lesson(sample.path)
    steps = answered(loaded.lesson, loaded.document)

    assert loaded.lesson == sample.lesson
    assert sum(step.answer is not None for step in steps) >= 2
    for step in steps:
        assert step.sentence.endswith((".", "?"))
        if step.answer is not None:
            assert step.answer.reason.endswith((".", "|", ")", "later"))
            assert {*step.answer.right} <= {one.key for one in step.answer.choices}


def test_no_answer_can_be_written_into_a_lesson() -> None:
    assert "right" not in Question.__struct_fields__
    with pytest.raises(DocumentError, match=r"steps\[0\].ask.right: there is no field 'right'"):
        to_lesson(lesson(ask={"fact": "tasks", "right": 2}))


def test_the_example_for_teachers_is_a_lesson() -> None:
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n(lesson:.*?)```", text, re.DOTALL)

    assert len(answered(parse_lesson(example), load_document(A_TO_E))) == 2


def test_a_lesson_may_lie_elsewhere_and_name_its_pipeline(tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(A_TO_E.read_text())
    (tmp_path / "first.yaml").write_text(
        "lesson: mine\ngroup: chains\npipeline: job.yaml\nsteps: [{say: Look., look: [C -> D]}]\n"
    )
    loaded = load_lesson(tmp_path / "first.yaml")

    assert loaded.document == load_document(A_TO_E)
    assert answered(loaded.lesson, loaded.document)[0].highlighted.parts == ("e2",)


def lesson(**step: Any) -> dict[str, Any]:
    return {"lesson": "one", "group": "chains", "steps": [{"say": "Look.", **step}]}


def asks(**question: Any) -> dict[str, Any]:
    return lesson(ask=question)


BAD: dict[str, tuple[object, str]] = {
    "no mapping": ([], "a lesson is a mapping with lesson, group and steps, not a list"),
    "no steps": ({"lesson": "a", "group": "IDs", "steps": []}, "steps: has 0 steps; 1 to 100"),
    "no group": ({"lesson": "a", "steps": []}, "group: is missing and must be given"),
    "another group": (
        {**lesson(), "group": "sql"},
        "group: must be IDs, chains, deployment, exchanges, runtime or state, ",
    ),
    "nothing said": (lesson(say=" "), "steps[0].say: is empty; write a sentence"),
    "too long": (lesson(say="a" * 10_001), "steps[0].say: has 10,001 characters; at most 10,000"),
    "no such operator": (lesson(look=["Z"]), "steps[0].look[0]: there is no operator 'Z'"),
    "no such edge": (lesson(look=["A -> D"]), "steps[0].look[0]: no edge goes from 'A' to 'D'"),
    "no such fact": (
        asks(fact="chainz", edge=["A", "B"]),
        "steps[0].ask.fact: there is no fact 'chainz'; did you mean 'chains'?",
    ),
    "an edge for a job": (
        asks(fact="tasks", edge=["A", "B"]),
        "steps[0].ask.edge: tasks is asked of the job as a whole",
    ),
    "no edge": (asks(fact="chained"), "steps[0].ask.edge: is missing: chained is asked of an edge"),
    "one end": (asks(fact="chained", edge=["A"]), "steps[0].ask.edge: must be a list of 2"),
    "another edge": (
        asks(fact="chained", edge=["A", "E"]),
        "steps[0].ask.edge: no edge goes from 'A' to 'E'",
    ),
    "another operator": (
        asks(fact="key_groups", operator="Q"),
        "steps[0].ask.operator: there is no operator 'Q' in this graph",
    ),
    "nothing to compare with": (
        asks(fact="restores"),
        "steps[0].ask: the pipeline holds no baseline to measure from; say what changes with after",
    ),
    "no change": (
        asks(fact="tasks", after={"set": {"D": {"chaining_strategy": "HEAD"}}}),
        "steps[0].ask.after: changes nothing; say what is set, inserted or deleted",
    ),
    "a change of nothing": (
        asks(fact="tasks", after={"set": {"Q": {"uid": "a"}}}),
        "steps[0].ask.after.set.Q.uid: there is no operator 'Q' in this graph",
    ),
    "a field that is none": (
        asks(fact="tasks", after={"set": {"D": {"colour": "red"}}}),
        "steps[0].ask.after.set.D.colour: transformation 'D': colour: there is no field 'colour'",
    ),
    "a bad value": (
        asks(fact="tasks", after={"set": {"D": {"parallelism": 0}}}),
        "steps[0].ask.after: transformations[3].parallelism: must be ",
    ),
    "another release": (
        asks(fact="tasks", after={"flink": "1.8"}),
        "steps[0].ask.after.flink: there is no Flink release '1.8'",
    ),
    "no place to insert": (
        asks(
            fact="tasks",
            after={"insert": {"between": ["A", "D"], "transformation": {"id": "x", "type": "map"}}},
        ),
        "steps[0].ask.after.insert: 'D' does not read 'A'; choose a stream that is there",
    ),
    "what Flink refuses": (
        asks(fact="tasks", after={"set": {"D": {"uid": "x"}, "E": {"uid": "x"}}}),
        "steps[0].ask.after: Flink refuses this pipeline",
    ),
    "no network": (
        asks(
            fact="network_buffers", after={"options": {"taskmanager.memory.network.max": "a lot"}}
        ),
        "steps[0].ask",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BAD)
def test_a_lesson_that_cannot_be_played_reports_in_a_sentence_where_and_why(name: str) -> None:
    values, sentence = BAD[name]
    with pytest.raises(DocumentError) as caught:
        answered(to_lesson(values), load_document(A_TO_E))

    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_a_lesson_is_no_program_and_a_program_no_lesson(tmp_path: Path) -> None:
    beside = A_TO_E.with_name("02-a-to-e.lesson.yaml")
    with pytest.raises(DocumentError, match="this is a lesson; name the file of its pipeline"):
        load_document(beside)
    with pytest.raises(DocumentError, match="lesson: is missing and must be given"):
        parse_lesson("group: chains\nsteps: []")
    alone = tmp_path / "alone.yaml"
    alone.write_text(A_TO_E.read_text())
    with pytest.raises(DocumentError, match=r"it has no lesson; write alone\.lesson\.yaml"):
        load_lesson(alone)
    lonely = tmp_path / "gone.lesson.yaml"
    lonely.write_text(beside.read_text())
    with pytest.raises(DocumentError, match=r"the lesson's folder has no pipeline gone\.yaml"):
        load_lesson(lonely)


def test_a_long_lesson_on_a_long_pipeline_costs_little() -> None:
    """CPU time; each question used to compile the pipeline, and to look through its operators."""
    maps = [{"id": f"m{n}", "type": "map", "inputs": [f"m{n - 1}"]} for n in range(1, 1_800)]
    document = load_document({"transformations": [{"id": "m0", "type": "source"}, *maps]})
    steps = tuple(
        LessonStep(say="?", look=(f"m{n} -> m{n + 1}",), ask=Question(fact=fact))
        for n, fact in enumerate(("chains", "tasks", "subtasks", "slots") * 25)
    )
    begun = time.process_time()
    answers = answered(Lesson(lesson="long", group="chains", steps=steps), document)

    assert len(answers) == 100
    assert time.process_time() - begun < 5
