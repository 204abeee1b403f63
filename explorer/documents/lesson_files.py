"""Lessons: the bundled ones, and the content of a file.

A lesson is a file ``NAME.lesson.yaml`` next to its pipeline, ``NAME.yaml`` or ``NAME.json``, or
names the pipeline's file. Whether it names operators and facts that there are is for
``explorer.lessons`` to say, which knows both.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from explorer.documents.checks.faults import Problem, refuse, too_long
from explorer.documents.loading import is_lesson, load_document, read_file, read_values
from explorer.documents.records import to_record
from explorer.errors import DocumentError
from explorer.model.document import Document
from explorer.model.lesson import Lesson
from explorer.wording import counted, described

MAX_STEPS: Final = 100
"""Steps of a lesson."""
_ENDINGS: Final = (".lesson.yaml", ".lesson.yml", ".lesson.json")
_PIPELINES: Final = (".yaml", ".yml", ".json")


class LoadedLesson(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson and the document that it is about."""

    lesson: Lesson
    document: Document


def is_lesson_file(path: Path) -> bool:
    """Whether a file holds a lesson, judged by its name."""
    return path.name.endswith(_ENDINGS)


def parse_lesson(content: bytes | str, *, name: str = "") -> Lesson:
    """Read an uploaded lesson; ``name`` distinguishes YAML from JSON. Raises ``DocumentError``."""
    return to_lesson(read_values(content, name))


def to_lesson(values: object) -> Lesson:
    """Build a lesson of plain values; raises ``DocumentError`` with the path of the first fault."""
    if not isinstance(values, Mapping):
        problem = f"a lesson is a mapping with lesson, group and steps, not {described(values)}"
        raise DocumentError(path="", problem=problem)
    lesson = to_record(values, Lesson)
    refuse(_problems(lesson))
    return lesson


def _problems(lesson: Lesson) -> Iterator[Problem]:
    if not 0 < len(lesson.steps) <= MAX_STEPS:
        yield "steps", f"has {counted(len(lesson.steps), 'step')}; 1 to {MAX_STEPS} are allowed"
    texts = {"lesson": lesson.lesson}
    for position, step in enumerate(lesson.steps):
        texts[f"steps[{position}].say"] = step.say
        if step.ask is not None and step.ask.words is not None:
            texts[f"steps[{position}].ask.words"] = step.ask.words
    for path, text in texts.items():
        if not text.strip():
            yield path, "is empty; write a sentence"
        if problem := too_long(text):
            yield path, problem


def load_lesson(path: Path) -> LoadedLesson:
    """Read a lesson and its pipeline, given the file of either; raises ``DocumentError``."""
    path = path if is_lesson_file(path) else _lesson_of(path)
    lesson = read_lesson(path)
    return LoadedLesson(lesson=lesson, document=load_document(_pipeline_of(path, lesson)))


def read_lesson(path: Path) -> Lesson:
    """Read a lesson's file; raises ``DocumentError``."""
    return parse_lesson(read_file(path), name=path.name)


def _lesson_of(path: Path) -> Path:
    file = lesson_file_of(path)
    if file is not None:
        return file
    if is_lesson(read_values(read_file(path), path.name)):
        return path
    problem = f"it has no lesson; write {path.stem}{_ENDINGS[0]}"
    raise DocumentError(path=path.name, problem=problem)


def lesson_file_of(path: Path) -> Path | None:
    """Return the file of a document's lesson; None if there is none."""
    named = (path.with_name(f"{path.stem}{ending}") for ending in _ENDINGS)
    return next((item for item in named if item.is_file()), None)


def _pipeline_of(path: Path, lesson: Lesson) -> Path:
    if lesson.pipeline is not None:
        return path.parent / lesson.pipeline
    stem = next((path.name.removesuffix(end) for end in _ENDINGS if path.name.endswith(end)), "")
    named = [path.with_name(f"{stem}{ending}") for ending in _PIPELINES if stem]
    result = next((item for item in named if item.is_file()), None)
    if result is None:
        problem = f"is missing, and the lesson's folder has no pipeline {stem or path.stem}.yaml"
        raise DocumentError(path="pipeline", problem=problem)
    return result
