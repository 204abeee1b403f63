"""Lessons in files, and the pipelines that they are about."""

from pathlib import Path
from typing import Any

import pytest

from explorer.documents.lesson_files import (
    MAX_STEPS,
    is_lesson_file,
    lesson_file_of,
    load_lesson,
    parse_lesson,
    to_lesson,
)
from explorer.errors import DocumentError
from explorer.locations import sample_folder
from tests.many_cases import for_each

LESSON = "lesson: One\ngroup: chains\nsteps: [{say: Look.}]\n"
PIPELINE = "transformations: [{id: a, type: source}]\n"
STEP: dict[str, Any] = {"say": "Look."}


def values(**members: Any) -> dict[str, Any]:
    return {"lesson": "One", "group": "chains", "steps": [STEP], **members}


@pytest.mark.parametrize("name", ["a.lesson.yaml", "a.lesson.yml", "a.lesson.json"])
def test_a_lesson_is_known_by_its_ending(name: str) -> None:
    assert is_lesson_file(Path(name))
    assert not is_lesson_file(Path(name.replace(".lesson", "")))


def test_a_lesson_finds_its_pipeline_and_a_pipeline_its_lesson(tmp_path: Path) -> None:
    lesson, pipeline = tmp_path / "a.lesson.yaml", tmp_path / "a.yaml"
    lesson.write_text(LESSON)
    pipeline.write_text(PIPELINE)

    assert load_lesson(lesson) == load_lesson(pipeline)
    assert lesson_file_of(pipeline) == lesson
    assert lesson_file_of(tmp_path / "b.yaml") is None


def test_a_lesson_may_name_its_pipeline(tmp_path: Path) -> None:
    (tmp_path / "steps.yaml").write_text(f"{LESSON}pipeline: job.yaml\n")
    (tmp_path / "job.yaml").write_text(PIPELINE)

    assert load_lesson(tmp_path / "steps.yaml").lesson.pipeline == "job.yaml"


def test_a_lesson_without_a_pipeline_and_a_pipeline_without_a_lesson_are_reported(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.lesson.yaml").write_text(LESSON)
    (tmp_path / "b.yaml").write_text(PIPELINE)

    with pytest.raises(DocumentError, match=r"the lesson's folder has no pipeline a.yaml"):
        load_lesson(tmp_path / "a.lesson.yaml")
    with pytest.raises(DocumentError, match=r"it has no lesson; write b.lesson.yaml"):
        load_lesson(tmp_path / "b.yaml")


def test_every_sample_with_a_lesson_is_loaded() -> None:
    lessons = sorted(sample_folder().glob("*.lesson.yaml"))

    assert len(lessons) > 20
    assert all(load_lesson(path).lesson.steps for path in lessons)


@for_each(
    ("lesson", "says"),
    [
        ([], "a lesson is a mapping with lesson, group and steps, not a list"),
        (values(steps=[]), "steps: has 0 steps; 1 to 100 are allowed"),
        (values(steps=[STEP] * (MAX_STEPS + 1)), "steps: has 101 steps"),
        (values(steps=[{"say": " "}]), "steps[0].say: is empty; write a sentence"),
        (values(lesson="x" * 10_001), "lesson: has 10,001 characters"),
    ],
)
def test_a_lesson_that_cannot_be_is_refused(lesson: object, says: str) -> None:
    with pytest.raises(DocumentError) as fault:
        to_lesson(lesson)

    assert says in str(fault.value)


def test_an_upload_is_yaml_or_json() -> None:
    json = '{"lesson": "One", "group": "chains", "steps": [{"say": "Look."}]}'

    assert parse_lesson(LESSON) == parse_lesson(json.encode(), name="a.lesson.json")
