"""Records for planning an operator: arriving rows, the settings of the run, the planned steps."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from explorer.documents.columns import Columns
from explorer.engine.operators.step import RowTypes, Step, Steps
from explorer.engine.rows.expressions.ir import Expression
from explorer.engine.rows.storage import FilePath
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
    """What comes out; a type is None where the document is wrong, which the builder reports."""
    joined: RowType | None = None
    """Of a join's side: both sides' columns."""
    selected: Expressions = ()
    """What its ``select`` computes."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The work of an operator, and the row types of what it gives."""

    steps: Steps = ()
    main: RowTypes = ()
    """Of its side outputs as well."""
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
    """Context of a builder, in addition to the transformation."""

    batch: bool = False
    """Whether the job runs in BATCH mode."""
    limit: int | None = None
    """Number of rows that each subtask of a sink retains; None: all, 0: none."""
    output: OutputFolder | None = None
    """Where sinks write files; None: they write none."""
    urls: bool = False
    """Whether a document may read and write URLs."""


Planner: TypeAlias = Callable[[Transformation, Sequence[Arriving], PlanningContext], Outcome]
"""``plan_operator`` of an operator module; raises ``ExplorerError`` for what cannot run. The row
types that come out are ``gives`` of the arriving rows."""


def distinct_types(row_types: Iterable[RowType]) -> RowTypes:
    """Each row type once, in order of first sight."""
    return tuple(dict.fromkeys(row_types))


def given_type(t: Transformation, columns: Columns) -> RowType:
    """A row type of columns with known types; raises ``SchemaError``."""
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
            (one.input, one.row_type, step) for one, step in zip(arriving, steps, strict=True)
        )
    )


def where(t: Transformation, field: str) -> str:
    """How a message names a field of a transformation."""
    return f"transformation {t.id!r}, {field}"
