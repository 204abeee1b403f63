"""Lessons answered: each question names a fact, and the compiler answers with its reason."""

from explorer.documents.lesson_files import load_lesson
from explorer.lessons.answering import LessonAt, answer, answered
from explorer.lessons.facts import FACTS
from explorer.lessons.predicting import chains_question, moved_ids_question, predictable_changes

__all__ = [
    "FACTS",
    "LessonAt",
    "answer",
    "answered",
    "chains_question",
    "load_lesson",
    "moved_ids_question",
    "predictable_changes",
]
