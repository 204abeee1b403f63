"""What can be asked in a lesson? A row a fact: what it is asked of, its words, who answers it."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from explorer.analysis.lessons import cluster_facts, graph_facts, id_facts, state_facts
from explorer.analysis.lessons.case import Case
from explorer.model.lesson import Answer

Taken = Literal["edge", "operator", "job"]


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of question."""

    name: str
    takes: Taken
    """What a question names besides."""
    words: str
    """The question; ``{source}``, ``{target}`` and ``{operator}`` are names."""
    answer: Callable[[Case, str], Answer]
    """Asks the compiler; takes the question in words, too. Raises ``DocumentError``."""
    compares: bool = False
    """Whether it is about before and after: it needs a change, or a baseline."""
    drawn: bool = False
    """Whether a drawing of the pipeline tells the answer."""


ROWS: Final = (
    Fact(
        name="chained",
        takes="edge",
        words="Will {source} and {target} chain?",
        answer=graph_facts.chained,
        drawn=True,
    ),
    Fact(
        name="chains",
        takes="job",
        words="Which edges will chain?",
        answer=graph_facts.chains,
        drawn=True,
    ),
    Fact(
        name="tasks",
        takes="job",
        words="How many tasks will the job have?",
        answer=graph_facts.tasks,
        drawn=True,
    ),
    Fact(
        name="id",
        takes="operator",
        words="What happens to the ID of {operator}?",
        answer=id_facts.operator_id,
        compares=True,
    ),
    Fact(
        name="ids",
        takes="job",
        words="Which operators will get another ID?",
        answer=id_facts.operator_ids,
        compares=True,
    ),
    Fact(
        name="ship_strategy",
        takes="edge",
        words="How are records shipped from {source} to {target}?",
        answer=graph_facts.ship_strategy,
        drawn=True,
    ),
    Fact(
        name="channels",
        takes="edge",
        words="How many channels are there from {source} to {target}?",
        answer=graph_facts.channels,
        drawn=True,
    ),
    Fact(
        name="result_type",
        takes="edge",
        words="When may {target} start to read what {source} writes?",
        answer=graph_facts.result_type,
    ),
    Fact(
        name="restores",
        takes="job",
        words="Will the program restore from the savepoint of the one before?",
        answer=state_facts.restores,
        compares=True,
    ),
    Fact(
        name="state",
        takes="operator",
        words="What happens to the state of {operator}?",
        answer=state_facts.state,
        compares=True,
    ),
    Fact(
        name="moved_key_groups",
        takes="operator",
        words="How many key groups of {operator} go to another subtask?",
        answer=state_facts.moved_key_groups,
        compares=True,
    ),
    Fact(
        name="max_parallelism",
        takes="operator",
        words="How many key groups are there for {operator}?",
        answer=state_facts.max_parallelism,
    ),
    Fact(
        name="key_groups",
        takes="operator",
        words="How many key groups does the first subtask of {operator} own?",
        answer=state_facts.key_groups,
    ),
    Fact(
        name="subtasks",
        takes="job",
        words="How many subtasks will run?",
        answer=cluster_facts.subtasks,
        drawn=True,
    ),
    Fact(
        name="slots",
        takes="job",
        words="How many slots does the job ask for?",
        answer=cluster_facts.slots,
    ),
    Fact(
        name="task_managers",
        takes="job",
        words="How many task managers does the job need?",
        answer=cluster_facts.task_managers,
    ),
    Fact(
        name="network_buffers",
        takes="job",
        words="Do the network buffers suffice?",
        answer=cluster_facts.network_buffers,
    ),
    Fact(
        name="refused",
        takes="job",
        words="Does Flink take this program?",
        answer=cluster_facts.refused,
    ),
)

FACTS: Final[Mapping[str, Fact]] = {fact.name: fact for fact in ROWS}
"""By name."""
