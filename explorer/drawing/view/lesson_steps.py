"""Steps of a lesson for its player, with their keys in the drawing and their answers.

Small enough to send whole: a browser that holds a lesson plays it without asking again.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from explorer.lessons import LessonAt
from explorer.model.lesson import GROUPS, Answer, Lesson

Json: TypeAlias = dict[str, Any]
_LETTER = {"": "", "edges": "e", "operators": "n"}
"""By what an answer's choices stand for, how the keys of these begin."""


def lesson_json(lesson: Lesson, steps: Iterable[LessonAt]) -> Json:
    """Return a lesson as JSON for a player."""
    return {
        "title": lesson.lesson,
        "group": lesson.group,
        "steps": [
            {
                "say": step.sentence,
                "look": list(step.highlighted.parts),
                "ask": None if step.answer is None else asked(step.answer),
                "change": step.change is not None,
            }
            for step in steps
        ],
    }


def asked(answer: Answer) -> Json:
    """Return a question as JSON for a player, with the text shown after the answer."""
    letter = _LETTER[answer.of]
    return {
        "question": answer.question,
        "choices": [
            {
                "key": choice.key,
                "text": choice.text,
                "right": choice.key in answer.right,
                "reason": answer.reasons.get(choice.key, ""),
                "mark": f"{letter}{choice.key}" if letter else "",
            }
            for choice in answer.choices
        ],
        "many": answer.many,
        "reason": answer.reason,
        "hides": answer.hides,
        "partitioners": answer.partitioners,
    }


def lessons_by_group(lessons: Sequence[tuple[str, Lesson]]) -> list[Json]:
    """Return the lessons by group; ``lessons``: keys and lessons, in the course's order."""
    return [
        {
            "group": group,
            "lessons": [
                {"key": key, "title": lesson.lesson}
                for key, lesson in lessons
                if lesson.group == group
            ],
        }
        for group in GROUPS
    ]
