"""Questions about state: restores, lookups, reassigned key groups."""

from typing import Final

from explorer.errors import DocumentError
from explorer.lessons.choices import a_number, one_of
from explorer.lessons.lesson_case import LessonCase
from explorer.model.lesson import Answer
from explorer.restore.verdict import RestoredOperator
from explorer.wording import quoted

_VERDICTS: Final = {
    "restored": "It restores, with all state",
    "loses": "Flink starts it without an error, and state is lost",
    "fails": "Flink starts it, and a task fails",
    "drops": "Flink refuses, unless it may drop state (allowNonRestoredState)",
    "refused": "Flink refuses in any case",
}
_LOSSES: Final = {"Flink loses state or records": "loses", "tasks will fail": "fails"}
_OUTCOMES: Final = {
    "restored": "It is found",
    "keys_lost": "It is found, and its keys start without state, without an error",
    "fails": "It is found, and a task fails",
    "lost": "It belongs to no operator: it is dropped, or the restore is refused",
    "refused": "It is found and refused",
    "none": "It has no state",
}


def restores(case: LessonCase, words: str) -> Answer:
    """Whether the program starts from the savepoint that the previous program would leave."""
    verdict = case.restored
    text, right = verdict.sentence, "drops" if verdict.lost else "restored"
    if verdict.answer in _LOSSES:
        right = _LOSSES[verdict.answer]
    if verdict.verdict == "refused":
        text += f" Its words: {verdict.error}" if verdict.error else ""
        right = "refused" if verdict.dropped_if_allowed is None else "drops"
    endangered = (operator for operator in verdict.operators if operator.endangered)
    why = "".join(
        f" {restored_operator.name}: {restored_operator.sentence}."
        for restored_operator in endangered
    )
    return one_of(words, _VERDICTS, right, text + why)


def _find_restored_operator(case: LessonCase) -> RestoredOperator:
    graph = case.was.stream_graph
    id = case.was.hashes[case.node(graph)]
    operator = next(
        (
            restored_operator
            for restored_operator in case.restored.operators
            if restored_operator.operator_id == id
        ),
        None,
    )
    if operator is None:
        problem = f"{quoted(case.question.operator)} is in no savepoint of the program"
        raise DocumentError(path=f"{case.path}.operator", problem=problem)
    return operator


def state(case: LessonCase, words: str) -> Answer:
    """Whether one operator's state is restored."""
    operator = _find_restored_operator(case)
    lost = operator.outcome == "lost" or operator.taken_by is not None
    right = "none" if operator.state == "none" else "lost" if lost else operator.outcome
    return one_of(words, _OUTCOMES, right, f"{operator.name}: {operator.sentence}.")


def moved_key_groups(case: LessonCase, words: str) -> Answer:
    """How many key groups of an operator go to another subtask."""
    operator = _find_restored_operator(case)
    moved, limit = operator.moved_key_groups or 0, operator.max_parallelism[1] or 0
    old_number, new_number = operator.parallelism
    reason = (
        f"{operator.name} has no keyed state."
        if operator.moved_key_groups is None
        else f"There are {limit:,} key groups, in ranges of equal size. From {old_number} to "
        f"{new_number} subtasks, {moved:,} of them get another owner; the state of each goes "
        "along as a whole."
    )
    return a_number(words, moved, (0, limit // 2, limit), reason)


def max_parallelism(case: LessonCase, words: str) -> Answer:
    """The maximum parallelism of an operator's task: its number of key groups."""
    vertex = case.compilation.execution_vertex(case.node(case.compilation.stream_graph))
    manner = (
        f"Nothing sets it, so Flink derives it from the parallelism {vertex.parallelism}: one and "
        "a half times that, up to the next power of two, and 128 at least."
        if vertex.max_parallelism_derived
        else "The program sets it, and Flink uses that value."
    )
    mistakes = (vertex.parallelism, 128, vertex.max_parallelism * 2)
    return a_number(words, vertex.max_parallelism, mistakes, manner)


def key_groups(case: LessonCase, words: str) -> Answer:
    """How many key groups the first subtask of an operator's task owns."""
    vertex = case.compilation.execution_vertex(case.node(case.compilation.stream_graph))
    first, last = vertex.subtask(0).key_groups
    reason = (
        f"{vertex.max_parallelism:,} key groups are distributed over {vertex.parallelism:,} "
        f"subtasks in ranges; the first subtask owns {first} to {last}."
    )
    mistakes = (1, vertex.max_parallelism, vertex.parallelism)
    return a_number(words, last - first + 1, mistakes, reason)
