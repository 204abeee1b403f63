"""Facts that a lesson may ask for, one row each: its fields, its words, its answer."""

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple

from explorer.lessons import cluster_facts, graph_facts, id_facts, state_facts
from explorer.lessons.lesson_case import LessonCase
from explorer.model.lesson import Answer

Subject = Literal["edge", "operator", "job"]


class Fact(NamedTuple):
    """One kind of question."""

    name: str
    subject: Subject
    """The subject that a question of this kind names."""
    words: str
    """The question; ``{source}``, ``{target}`` and ``{operator}`` are names."""
    answer: Callable[[LessonCase, str], Answer]
    """Asks the compiler; its arguments include the question in words. Raises ``DocumentError``."""
    compares: bool = False
    """Whether it compares before and after: it needs a change, or a baseline."""
    drawn: bool = False
    """Whether a drawing of the pipeline shows the answer."""
    partitioned: bool = False
    """Whether the partitioners of edges are known when the question is answered."""


ROWS: Final = (
    Fact(
        "chained",
        "edge",
        "Will {source} and {target} chain?",
        graph_facts.chained,
        drawn=True,
        partitioned=True,
    ),
    Fact(
        "chains",
        "job",
        "Which edges will chain?",
        lambda case, words: graph_facts.chains(case.compilation, words),
        drawn=True,
        partitioned=True,
    ),
    Fact(
        "tasks",
        "job",
        "How many tasks will the job have?",
        graph_facts.tasks,
        drawn=True,
        partitioned=True,
    ),
    Fact(
        "id",
        "operator",
        "What happens to the ID of {operator}?",
        id_facts.operator_id,
        compares=True,
    ),
    Fact(
        "ids",
        "job",
        "Which operators will get another ID?",
        lambda case, words: id_facts.moved_ids(id_facts.Moves(*case.traced), words),
        compares=True,
    ),
    Fact(
        "ship_strategy",
        "edge",
        "How are records shipped from {source} to {target}?",
        graph_facts.ship_strategy,
        drawn=True,
    ),
    Fact(
        "channels",
        "edge",
        "How many channels are there from {source} to {target}?",
        graph_facts.channels,
        drawn=True,
    ),
    Fact(
        "result_type",
        "edge",
        "When may {target} start to read what {source} writes?",
        graph_facts.result_type,
    ),
    Fact(
        "restores",
        "job",
        "Will the program restore from the savepoint of the one before?",
        state_facts.restores,
        compares=True,
    ),
    Fact(
        "state",
        "operator",
        "What happens to the state of {operator}?",
        state_facts.state,
        compares=True,
    ),
    Fact(
        "moved_key_groups",
        "operator",
        "How many key groups of {operator} go to another subtask?",
        state_facts.moved_key_groups,
        compares=True,
    ),
    Fact(
        "max_parallelism",
        "operator",
        "How many key groups are there for {operator}?",
        state_facts.max_parallelism,
    ),
    Fact(
        "key_groups",
        "operator",
        "How many key groups does the first subtask of {operator} own?",
        state_facts.key_groups,
    ),
    Fact("subtasks", "job", "How many subtasks will run?", cluster_facts.subtasks, drawn=True),
    Fact("slots", "job", "How many slots does the job ask for?", cluster_facts.slots),
    Fact(
        "task_managers",
        "job",
        "How many task managers does the job need?",
        cluster_facts.task_managers,
    ),
    Fact(
        "network_buffers", "job", "Do the network buffers suffice?", cluster_facts.network_buffers
    ),
    Fact("refused", "job", "Does Flink accept this program?", cluster_facts.refused),
)

FACTS: Final[Mapping[str, Fact]] = {fact.name: fact for fact in ROWS}
"""By name."""
