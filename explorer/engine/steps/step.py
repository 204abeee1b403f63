"""The base record of a step: the work of an operator on one input, for one row type.

A step is sent to the subtasks as part of the operator's plan. Each operator module defines its
step, which provides the work on batches, the traits and the sentences of a traced run. Mirrors a
``StreamOperatorFactory``.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

import msgspec

from explorer.model.narrated_step import Details
from explorer.model.row_type import RowType

if TYPE_CHECKING:
    from explorer.engine.steps.step_work import StepWork, SubtaskContext

RowTypes: TypeAlias = tuple[RowType, ...]
"""The row types of a stream: one, except where streams of different types are united."""


class Traits(NamedTuple):
    """Properties of a step that planning, the task runtime and traced runs depend on."""

    order_sensitive: bool
    """Whether the emitted records depend on the order in which records arrive."""
    emits_each: bool
    """Whether it emits at least one record for every record that arrives."""
    rolls: bool = False
    """Whether the record that it emits for each record covers all earlier records of the key."""
    assigns_watermarks: bool = False
    """Whether it emits its own watermarks and forwards only the last incoming one."""
    changes_rows: bool = False
    """Whether it changes the incoming row object and emits that object."""


class Emitted(NamedTuple):
    """Records that a step emitted for one record of a traced run."""

    tag: str | None
    """The side output; None: the main output."""
    timestamp: int | None
    """Of the first emitted record."""
    rows: tuple[Mapping[str, object], ...]
    """The values of the emitted records by column, as far as the trace shows them."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all steps; a step that lacks a part fails when its module is imported.

    A step with the trait ``emits_each`` needs no ``explain_silence``.
    """

    verb: ClassVar[str]
    """The operator's work on a record, as a verb phrase that continues a title."""

    def __init_subclass__(cls) -> None:
        required = ["traits", "work", "explain_emission"]
        required += [] if getattr(cls.traits, "emits_each", False) else ["explain_silence"]
        missing = [name for name in required if getattr(cls, name) is getattr(Step, name)]
        missing += [] if hasattr(cls, "verb") else ["verb"]
        if missing:
            msg = f"the step {cls.__name__} must define {', '.join(missing)}"
            raise TypeError(msg)

    @property
    def traits(self) -> Traits:
        """The step's traits."""
        raise NotImplementedError

    def work(self, operator: str, row_type: RowType, share: "SubtaskContext") -> "StepWork":
        """Create the work on batches of ``row_type`` in one subtask.

        ``operator`` is the operator's name, for error messages; ``share`` identifies the subtask
        and holds what the steps of one operator share.
        """
        raise NotImplementedError

    def explain_emission(self, emitted: Emitted) -> str:
        """Return a sentence: why the step emitted these records."""
        raise NotImplementedError

    def explain_silence(self) -> str:
        """Return a sentence: why the step emitted nothing; empty if it always emits."""
        return ""

    def facts(self, emitted: Emitted) -> Details:
        """Return further facts about the emitted records."""
        return ()


Steps: TypeAlias = tuple[tuple[int, RowType, Step], ...]
"""The steps of an operator: input number, row type, step. Rows of other types are passed on."""
