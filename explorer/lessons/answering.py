"""Check the names in a lesson, and answer its questions with the compiler."""

from collections.abc import Mapping
from itertools import chain
from typing import Final

import msgspec

from explorer.errors import DocumentError
from explorer.lessons.facts import FACTS, Fact
from explorer.lessons.lesson_case import LessonCase, LessonProgram
from explorer.lookup.edge_lookup import UnknownEdgeError, edges_called, operators_called
from explorer.model.document import Document
from explorer.model.lesson import Answer, Lesson, LessonStep, Question
from explorer.model.narrated_step import Highlighted, NarratedStep
from explorer.model.stream_graph import StreamGraph
from explorer.wording import listed, quoted, suggestion


class LessonAt(NarratedStep[LessonStep], frozen=True, kw_only=True):
    """A narrated step with the answer to its question."""

    answer: Answer | None
    """None: the step asks nothing."""
    change: Document | None = None
    """The pipeline with the question's change; None: the question makes none."""


def answered(lesson: Lesson, document: Document) -> tuple[LessonAt, ...]:
    """Every step with its answer; raises ``DocumentError`` with the path of what is wrong."""
    program = LessonProgram(document=document)
    graph = program.compilation.stream_graph
    lesson_ats = []
    for position, step in enumerate(lesson.steps):
        path = f"steps[{position}]"
        case = None
        if step.ask is not None:
            case = LessonCase(program=program, question=step.ask, path=f"{path}.ask")
        keys = [_elements(graph, text, f"{path}.look[{at}]") for at, text in enumerate(step.look)]
        lesson_ats.append(
            LessonAt(
                number=position + 1,
                part=lesson.group,
                title=lesson.lesson,
                sentence=step.say,
                highlighted=Highlighted(parts=tuple(chain.from_iterable(keys))),
                details=(),
                event=step,
                answer=_answer(case) if case else None,
                change=case.changed if case and case.question.after else None,
            )
        )
    return tuple(lesson_ats)


def _elements(graph: StreamGraph, text: str, path: str) -> tuple[str, ...]:
    """Keys of the elements that a text names: operators of that name, else edges."""
    try:
        return tuple(f"n{node}" for node in sorted(operators_called(graph, text)))
    except UnknownEdgeError as error:
        unknown = error
    try:
        return tuple(f"e{edge}" for edge in edges_called(graph, text))
    except UnknownEdgeError as error:
        raise DocumentError(path, str(error if "->" in text or "→" in text else unknown)) from None


def answer(question: Question, document: Document, path: str = "ask") -> Answer:
    """The compiler's answer; raises ``DocumentError`` where the question cannot be asked."""
    program = LessonProgram(document=document)
    return _answer(LessonCase(program=program, question=question, path=path))


def _answer(case: LessonCase) -> Answer:
    fact = _fact(case)
    words = case.question.words or fact.words.format_map(_names(case, fact))
    words = case.change_sentence + words
    # Equal questions about the whole job have one answer.
    topic = f"{fact.name} {case.question.edge} {case.question.operator} {words}"
    result = case.once(topic, lambda: fact.answer(case, words))
    hides = fact.drawn and case.question.after is None
    return msgspec.structs.replace(result, hides=hides, partitioners=fact.partitioned)


def _fact(case: LessonCase) -> Fact:
    """The question's fact; raises ``DocumentError`` if the question names another subject."""
    question, path = case.question, case.path
    fact = FACTS.get(question.fact)
    if fact is None:
        hint = suggestion(question.fact, FACTS) or f"; the facts are {listed(FACTS)}"
        problem = f"there is no fact {quoted(question.fact)}{hint}"
        raise DocumentError(path=f"{path}.fact", problem=problem)
    for name in ("edge", "operator"):
        values = getattr(question, name) is not None
        if values != (fact.subject == name):
            missing = "" if values else "is missing: "
            problem = f"{missing}{fact.name} is asked of {_OF[fact.subject]}"
            raise DocumentError(path=f"{path}.{name}", problem=problem)
    return fact


_OF: Final[Mapping[str, str]] = {
    "edge": "an edge, as in [map, sink]",
    "operator": "one operator",
    "job": "the job as a whole",
}


def _names(case: LessonCase, fact: Fact) -> dict[str, str]:
    if fact.subject == "edge":
        edge = case.compilation.decision(case.edge)
        return {"source": edge.source, "target": edge.target}
    if fact.subject == "operator":
        graph = (case.was if fact.compares else case.compilation).stream_graph
        return {"operator": graph.node(case.node(graph)).name}
    return {}
