"""Questions about samples, and about small pipelines of the tests."""

from pathlib import Path
from typing import Any, Final

from explorer.documents import load_document, samples
from explorer.lessons import answer
from explorer.lessons.lesson_case import LessonCase, LessonProgram
from explorer.model.lesson import Answer, PipelineChange, Question

A_TO_E: Final = next(one.path for one in samples() if one.key == "02-a-to-e")
HOURLY: Final = next(one.path for one in samples() if one.key == "14-windows")
WIDER: Final = PipelineChange(set={"C": {"parallelism": 3}})

Source = Path | dict[str, Any]


def asked(source: Source, fact: str, **about: Any) -> Answer:
    return answer(Question(fact=fact, **about), load_document(source))


def case(source: Source, fact: str = "tasks", **about: Any) -> LessonCase:
    question = Question(fact=fact, **about)
    return LessonCase(
        program=LessonProgram(document=load_document(source)), question=question, path="ask"
    )
