"""Records for planning an operator: the request, the rows that arrive, the planned steps."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from explorer.documents.checks.columns import Columns
from explorer.engine.rows.expressions.ir import Expression
from explorer.engine.rows.storage import FilePath
from explorer.engine.state.aggregates import (
    Aggregate,
    column_position,
    key_positions,
    read_aggregates,
)
from explorer.engine.steps.step import RowTypes, Step, Steps
from explorer.model.pipeline import Transformation
from explorer.model.row_type import RowType, SchemaError, checked

Expressions: TypeAlias = tuple[Expression, ...]


class Arriving(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of one type that reach an operator."""

    input: int
    row_type: RowType
    keys: tuple[str, ...] | None = None
    """The key columns of a keyed stream, where they are named."""
    gives: Columns = ()
    """The emitted columns; a type is None where the document is wrong, which planning reports."""
    joined: RowType | None = None
    """For an input of a join: the columns of both inputs."""
    selected: Expressions = ()
    """The expressions of its ``select``."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The steps of an operator, and the row types that it emits."""

    steps: Steps = ()
    main: RowTypes = ()
    """The row types of the main output, and of side outputs that ``tagged`` does not name."""
    tagged: Mapping[str, RowTypes] = {}
    """By tag, the row types of side outputs that differ."""
    first_input: int | None = None
    """The input with rows that are processed before those of others."""
    warnings: tuple[str, ...] = ()


class OutputFolder(msgspec.Struct, frozen=True, kw_only=True):
    """Where the sinks of a trial write their folders."""

    path: FilePath
    most: int | None = None
    """Bytes that all subtasks of a sink may write; None: no limit."""


class PlanningContext(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of a run that planning depends on."""

    batch: bool = False
    """Whether the job runs in BATCH mode."""
    limit: int | None = None
    """Number of rows that each subtask of a sink retains; None: all, 0: none."""
    output: OutputFolder | None = None
    """Where sinks write files; None: they write none."""
    urls: bool = False
    """Whether a document may read and write URLs."""


class PlanningRequest(msgspec.Struct, frozen=True, kw_only=True):
    """An operator to plan: its transformation, the rows that arrive, and the settings of the run.

    The methods raise ``ExplorerError`` where the document does not fit the rows.
    """

    t: Transformation
    arriving: Sequence[Arriving]
    context: PlanningContext

    @property
    def label(self) -> str:
        """How a message names the transformation."""
        return f"transformation {self.t.id!r}"

    def where(self, field: str) -> str:
        """How a message names a field of the transformation."""
        return where(self.t, field)

    def given_type(self, arriving: Arriving) -> RowType:
        """The row type that the operator emits for these rows."""
        return given_type(self.t, arriving.gives)

    def column(self, arriving: Arriving, field: str, name: str) -> int:
        """The position of the column that ``field`` names."""
        return column_position(name, arriving.row_type, self.where(field), name)

    def keys(self, arriving: Arriving) -> tuple[int, ...]:
        """The positions of the key columns."""
        return key_positions(arriving.keys, arriving.row_type, self.where("keys"))

    def aggregates(self, arriving: Arriving, *, count: bool = True) -> tuple[Aggregate, ...]:
        """The aggregates; ``count``: whether ``count(*)`` may be used."""
        texts, place = self.t.aggregate or {}, self.where("aggregate")
        return read_aggregates(texts, arriving.row_type, place, count=count)

    def each(self, steps: Sequence[Step], warnings: tuple[str, ...] = ()) -> Outcome:
        """Return the outcome of one step for each row type that arrives, in the same order."""
        return msgspec.structs.replace(each(self.arriving, steps), warnings=warnings)


Planner: TypeAlias = Callable[[PlanningRequest], Outcome]
"""``plan_operator`` of an operator module; raises ``ExplorerError`` for what cannot run. The row
types that come out are ``gives`` of the arriving rows."""


def distinct_types(row_types: Iterable[RowType]) -> RowTypes:
    """Return each row type once, in the order in which they first occur."""
    return tuple(dict.fromkeys(row_types))


def given_type(t: Transformation, columns: Columns) -> RowType:
    """Return the row type of columns with known types; raises ``SchemaError``."""
    kinds = tuple(kind for _, kind in columns if kind is not None)
    try:
        return checked(RowType(names=tuple(name for name, _ in columns), types=kinds))
    except SchemaError as error:
        msg = f"transformation {t.id!r}: {error}"
        raise SchemaError(msg) from None


def each(arriving: Sequence[Arriving], steps: Sequence[Step]) -> Outcome:
    """Return the outcome of one step for each row type that arrives, in the same order."""
    return Outcome(
        steps=tuple(
            (item.input, item.row_type, step) for item, step in zip(arriving, steps, strict=True)
        )
    )


def where(t: Transformation, field: str) -> str:
    """How a message names a field of a transformation."""
    return f"transformation {t.id!r}, {field}"
