"""A lesson: sentences about a pipeline, what to look at, and questions that the compiler answers.

No answer stands here. A question names a fact, and ``explorer.lessons`` asks the compiler for it.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from explorer.model.frozen import FrozenRecord
from explorer.model.pipeline import DocumentRecord, Scalar, Transformation

Group: TypeAlias = Literal["chains", "IDs", "exchanges", "state", "runtime", "deployment"]
"""What a lesson is about."""
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
"""In the order of a course."""


class Insertion(DocumentRecord, frozen=True, kw_only=True):
    """A new transformation in the middle of a stream."""

    between: tuple[str, str]
    """The ids of the transformation that it reads from, and of the one that reads from it."""
    transformation: Transformation
    """The transformation to insert."""


class PipelineChange(FrozenRecord, DocumentRecord, frozen=True, kw_only=True):
    """What a lesson does to its pipeline, all of it at once."""

    set: Mapping[str, Mapping[str, Scalar]] = {}
    """By operator, its fields; null resets one to its default."""
    environment: Mapping[str, Scalar] = {}
    """Changed settings of the environment."""
    options: Mapping[str, Scalar] = {}
    """Of the environment's configuration."""
    insert: Insertion | None = None
    """Transformation to insert."""
    delete: str | None = None
    """ID of the transformation to delete."""
    flink: str | None = None
    """Flink release to compile for."""


class Question(DocumentRecord, frozen=True, kw_only=True):
    """A fact that is asked for, and of what."""

    fact: str
    """The name of a row of ``lessons.facts``."""
    edge: tuple[str, str] | None = None
    """The operators at its ends."""
    operator: str | None = None
    """The operator that it is asked of."""
    after: PipelineChange | None = None
    """None: it is asked of the pipeline as it is."""
    words: str | None = None
    """How it is put; None: in the fact's own words."""


class LessonStep(DocumentRecord, frozen=True, kw_only=True):
    """One stop of a lesson."""

    say: str
    """Sentence of this step."""
    look: tuple[str, ...] = ()
    """Elements to highlight, the first of them selected: an operator, an edge as in ``A -> B``."""
    ask: Question | None = None
    """Question of this step."""


class Lesson(DocumentRecord, frozen=True, kw_only=True):
    """A pipeline's lesson."""

    lesson: str
    """Its title."""
    group: Group
    """Topic of the lesson."""
    pipeline: str | None = None
    """The pipeline's file, relative to its folder; None: the one of the same name."""
    steps: tuple[LessonStep, ...]
    """Steps in order."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Something that may be answered."""

    key: str
    text: str


class Answer(FrozenRecord, frozen=True, kw_only=True):
    """What the compiler answers to a question."""

    question: str
    """In words."""
    choices: tuple[Choice, ...]
    """All that may be answered, in an order that reveals nothing."""
    right: tuple[str, ...]
    """The keys of the choices that are."""
    many: bool = False
    """Whether any number of choices may be right; else it is one."""
    reason: str
    """Why, in a few sentences."""
    reasons: Mapping[str, str] = {}
    """By key of a choice, why it is right or not, where each has its own reason."""
    of: Literal["", "edges", "operators"] = ""
    """What the choices stand for, so that they can be marked in the StreamGraph: edges by position,
    or operators by number."""
    hides: bool = False
    """Whether drawings of the pipeline show the answer, so that a player hides it."""
    partitioners: bool = False
    """Whether a player that hides the drawing still labels edges with their partitioners."""

    @property
    def right_texts(self) -> tuple[str, ...]:
        """The choices that are right, in words."""
        return tuple(choice.text for choice in self.choices if choice.key in self.right)

    def score(self, chosen: frozenset[str] | set[str]) -> tuple[int, int]:
        """Number of choices that are correctly selected or unselected, and number of choices.

        Of a question with one right choice, 1 or 0 of 1.
        """
        if not self.many:
            return int(chosen == set(self.right)), 1
        good = sum((choice.key in chosen) == (choice.key in self.right) for choice in self.choices)
        return good, len(self.choices)
