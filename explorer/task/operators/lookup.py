"""Rows of a first input, each with the newest row of the second that has the same key.

Mirrors ``KeyedCoProcessOperator`` over a function that keeps the second input's row in a
``ValueState``, and ``CoBroadcastWithKeyedOperator`` and its like over one with a broadcast
``MapState``. Flink takes both inputs as they come; a trial takes the second one first.
"""

import pyarrow as pa

from explorer.rows.batch import ARROW, Batch, Column
from explorer.rows.row_type import RowType
from explorer.task import plan
from explorer.task.operators.keyed_state import KeyedPlaces, Runs
from explorer.task.operators.latest_rows import LatestRows
from explorer.task.operators.step import Emission, Share, Waitless, selected


class _Table:
    """The newest row of each key, which both sides know."""

    def __init__(self) -> None:
        self.keys = KeyedPlaces()
        self.rows = LatestRows()


def lookup_side(
    operator: str, step: plan.LookupSide, row_type: RowType, share: Share
) -> "_Told | _Asks":
    """One side of an operator that looks rows up."""
    table: _Table = share.common.setdefault("table", _Table())
    if step.side == 1:
        return _Told(step.lookup, table)
    return _Asks(operator, step.lookup, table)


class _Told(Waitless):
    """The second input: its rows are kept, and none goes on."""

    def __init__(self, step: plan.Lookup, table: _Table) -> None:
        self._columns, self._table = step.keys[1], table

    def process(self, batch: Batch) -> list[Emission]:
        """Keep each key's newest row."""
        places = self._table.keys.of([batch.columns[key] for key in self._columns])
        runs = Runs.of(places)
        self._table.rows.put(batch.take(runs.order[runs.ends]), runs.places)
        return []


class _Asks(Waitless):
    """The first input: its rows go on with what is known of their key."""

    def __init__(self, operator: str, step: plan.Lookup, table: _Table) -> None:
        self._operator, self._plan, self._table = operator, step, table

    def process(self, batch: Batch) -> list[Emission]:
        """Every row, with the columns of the second input's behind its own."""
        places = self._table.keys.of([batch.columns[key] for key in self._plan.keys[0]])
        found = self._table.rows.columns(places) or self._nothing(len(batch))
        origins = self._table.rows.traced(batch.origins, places)
        columns = (*batch.columns, *found)
        both = Batch(self._plan.joined, columns, batch.timestamps, origins)
        return [(None, selected(self._operator, self._plan.columns, both, self._plan.row_type))]

    def _nothing(self, count: int) -> tuple[Column, ...]:
        kinds = self._plan.joined.types[len(self._plan.joined.types) - self._plan.added :]
        return tuple(pa.nulls(count, ARROW[kind]) for kind in kinds)
