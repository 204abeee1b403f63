"""What does every operator answer? To a batch, and to a watermark, what it hands on.

Mirrors ``Input.processElement`` and ``Input.processWatermark``.
"""

from collections.abc import Callable
from typing import Final, Protocol, TypeAlias, TypeVar

from explorer.java_numbers import LONG_MAX, LONG_MIN
from explorer.rows.batch import Batch
from explorer.rows.errors import RowError, RowFailure
from explorer.rows.expressions.ir import Expression

Emission: TypeAlias = tuple[str | None, Batch]
"""Records for the main output (None) or for a side output's tag."""

MAX_WATERMARK: Final = LONG_MAX
"""``Watermark.MAX_WATERMARK``: no more event time will come."""
MIN_WATERMARK: Final = LONG_MIN

T = TypeVar("T")


class Step(Protocol):
    """An operator's work on one of its inputs, for one row type."""

    def process(self, batch: Batch) -> list[Emission]:
        """Take records; return what goes on."""

    def advance(self, time: int) -> list[Emission]:
        """Take a watermark; return what goes on before it."""


def computed(
    operator: str,
    expression: Expression,
    batch: Batch,
    compute: Callable[[Expression, Batch], T],
) -> T:
    """Evaluate ``expression``; a row that fails is reported with the operator's name."""
    try:
        return compute(expression, batch)
    except RowFailure as failure:
        row = batch.row(failure.index)
        place, text = expression.place, expression.text
        raise RowError(operator, place, text, row, failure.reason) from None
