"""What reaches an operator, what it does with it, and what comes out: words for ``steps.py``."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from explorer.model.pipeline import Transformation
from explorer.rows.row_type import RowType
from explorer.task import plan


class Arriving(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of one type that reach an operator."""

    input: int
    row_type: RowType
    keys: tuple[str, ...] | None = None
    """The key columns of a keyed stream, where they are named."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The work of an operator, and the row types of what it gives."""

    steps: tuple[tuple[int, RowType, plan.Step], ...] = ()
    main: plan.RowTypes = ()
    tags: Mapping[str, plan.RowTypes] = {}
    warnings: tuple[str, ...] = ()


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What a builder may need besides the transformation."""

    batch: bool = False
    """Whether the job runs in BATCH mode."""
    collect: bool = True
    limit: int | None = None
    """How many rows each subtask of a sink keeps; None: all."""


Builder: TypeAlias = Callable[[Transformation, Sequence[Arriving], Setting], Outcome]


def distinct(row_types: Sequence[RowType]) -> plan.RowTypes:
    """Each row type once, in order of first sight."""
    return tuple(dict.fromkeys(row_types))


def pass_on(_: Transformation | None, arriving: Sequence[Arriving], _setting: Setting) -> Outcome:
    """Every row goes on unchanged."""
    return Outcome(main=distinct([one.row_type for one in arriving]))


def each(
    arriving: Sequence[Arriving], build: Callable[[Arriving], tuple[plan.Step, RowType]]
) -> Outcome:
    """One step for each row type that arrives."""
    built = [(one, *build(one)) for one in arriving]
    return Outcome(
        steps=tuple((one.input, one.row_type, step) for one, step, _ in built),
        main=distinct([row_type for _, _, row_type in built]),
    )


def where(t: Transformation, field: str) -> str:
    """How a message names a field of a transformation."""
    return f"transformation {t.id!r}, {field}"
