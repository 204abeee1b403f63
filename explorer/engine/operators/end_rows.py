"""Emits the rows of a partition window at the end of the input: sorted, or mapped row by row.

Mirrors ``SortPartitionOperator``, ``KeyedSortPartitionOperator``, ``MapPartitionOperator`` and the
window operator of ``KeyedPartitionWindowedStream.mapPartition``.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pyarrow as pa

from explorer.engine.operators.map import plan_select
from explorer.engine.operators.pass_on import plan_operator as plan_passing_on
from explorer.engine.rows.batch import BATCH_ROWS, Batch, Column, Longs, values_and_nulls
from explorer.engine.rows.expressions.ir import Expression
from explorer.engine.rows.field_bytes import field_bytes
from explorer.engine.rows.ragged import interleave
from explorer.engine.state.accumulators import in_order, ranked
from explorer.engine.state.aggregate_state import KeyRows
from explorer.engine.state.buffered_rows import BufferedRows
from explorer.engine.steps.planned import Arriving, Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import MAX_WATERMARK, Emission, SubtaskContext, evaluate_select
from explorer.flink.kinds import KINDS
from explorer.java_numbers import LONG_MAX
from explorer.model.row_type import RowType


class EndRows(Step, frozen=True, kw_only=True):
    """Emit all rows of the subtask at the end of the input, key by key on a keyed stream."""

    verb: ClassVar = "waits for the end of the input"
    traits = Traits(order_sensitive=True, emits_each=True)
    keys: tuple[int, ...]
    """The positions of the key columns; none: the window holds the rows of the subtask."""
    sort: int | None = None
    """The position of the column to sort by."""
    descending: bool = False
    columns: tuple[Expression, ...] = ()
    """The expressions of the emitted row; none: the row itself."""
    row_type: RowType
    in_window: bool = False
    """Whether a row has the last timestamp of its window; else it has none."""

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> "EndRowsWork":
        return EndRowsWork(self, operator)

    def explain_emission(self, emitted: Emitted) -> str:
        if self.sort is None:
            return "Its function emits a row for each row of the window at the end of the input."
        order = "descending" if self.descending else "ascending"
        name = self.row_type.names[self.sort]
        return f"It emits the rows in {order} order of {name} at the end of the input."


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the rows at the end of the input; without a function rows are passed on."""
    if request.t.sort is None and not request.t.select:
        return plan_passing_on(request)
    return request.each([_plan_step(request, arriving) for arriving in request.arriving])


def _plan_step(request: PlanningRequest, arriving: Arriving) -> EndRows:
    sort, keys = request.t.sort, request.keys(arriving) if KINDS[request.t.type].keyed else ()
    if sort is None:
        select = plan_select(request, arriving)
        return EndRows(
            keys=keys, columns=select.columns, row_type=select.row_type, in_window=bool(keys)
        )
    return EndRows(
        keys=keys,
        sort=request.column(arriving, "sort.column", sort.column),
        descending=sort.order == "DESCENDING",
        row_type=request.given_type(arriving),
    )


class EndRowsWork:
    """Stores the rows of the subtask until the last watermark."""

    def __init__(self, step: EndRows, operator: str) -> None:
        self._plan, self._operator = step, operator
        self._keys, self._rows = KeyRows(), BufferedRows()

    def process(self, batch: Batch) -> list[Emission]:
        places = self._keys.of(batch, self._plan.keys)
        # ``MapPartitionOperator`` and ``SortPartitionOperator`` store values alone: what they emit
        # at the end has lost its timestamp.
        self._rows.add(batch.with_timestamps(None), places, places)
        return []

    def advance(self, time: int) -> list[Emission]:
        if time < MAX_WATERMARK or not self._rows:
            return []
        rows, places, _ = self._rows.all()
        self._rows = BufferedRows()
        order = self._order(rows, places)
        starts = range(0, len(order), BATCH_ROWS)
        return [(None, self._build_output(rows.take(order[at : at + BATCH_ROWS]))) for at in starts]

    def _build_output(self, rows: Batch) -> Batch:
        batch = evaluate_select(self._operator, self._plan.columns, self._plan.row_type, rows)
        # ``GlobalWindow.maxTimestamp``
        return batch.with_timestamps(
            np.full(len(batch), LONG_MAX) if self._plan.in_window else None
        )

    def _order(self, rows: Batch, places: Longs) -> Longs:
        """Return the positions of the rows in the order in which they are emitted.

        Flink does not define the order of equal rows: here they remain as they arrived.
        """
        step = self._plan
        if step.sort is None:
            return np.argsort(places, kind="stable")
        keys = self._keys.at(np.arange(int(places.max()) + 1))
        by_key = _key_ranks(keys)[places] if keys else places
        column_ranks = _column_ranks(rows.columns[step.sort], descending=step.descending)
        return np.lexsort((*column_ranks, by_key))


def _column_ranks(column: Column, *, descending: bool) -> tuple[Longs, Longs]:
    """Return the rank of each value and, more significant, of NULL: below every value."""
    if pa.types.is_string(column.type):
        column = ranked(column)[1]
    values, nulls = values_and_nulls(column)
    ranks = in_order(values).astype(np.int64)
    is_value = np.ones(len(ranks), np.int64) if nulls is None else (~nulls).astype(np.int64)
    return (~ranks, -is_value) if descending else (ranks, is_value)


def _key_ranks(columns: Sequence[Column]) -> Longs:
    """Rank keys as ``VariableLengthByteKeyAndValueComparator``: by signed serialised bytes."""
    coded = interleave([field_bytes(column) for column in columns])
    data, ends = (coded.data ^ 0x80).tobytes(), np.cumsum(coded.lengths).tolist()
    keys = [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    ranks = np.empty(len(keys), np.int64)
    ranks[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    return ranks
