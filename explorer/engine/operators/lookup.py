"""Joins rows of the first input with the newest row of the second input that has the same key.

Mirrors ``KeyedCoProcessOperator`` over a function that retains the second input's row in a
``ValueState``, and ``CoBroadcastWithKeyedOperator`` over one with a broadcast ``MapState``. Flink
reads both inputs in order of arrival; a run reads the second input first.
"""

from typing import ClassVar

import pyarrow as pa

from explorer.engine.rows.batch import ARROW, Batch
from explorer.engine.rows.errors import ExpressionError
from explorer.engine.state.keyed_state import KeyedPlaces, Runs
from explorer.engine.state.latest_rows import LatestRows
from explorer.engine.steps.join import Join, Keys, SideWork, both_sides, join_keys, steps_of
from explorer.engine.steps.planned import Arriving, Outcome, PlanningRequest
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, SubtaskContext
from explorer.model.row_type import RowType


class LookupJoin(Join, Step, frozen=True, kw_only=True):
    """Emit the first input's rows with the newest row of the second that has the same key."""

    verb: ClassVar = "looks it up"
    added: int
    """Number of joined columns that are the second input's."""

    @property
    def traits(self) -> Traits:
        return Traits(order_sensitive=True, emits_each=self.side == 0)

    def work(self, operator: str, row_type: RowType, share: SubtaskContext) -> SideWork:
        return SideWork(LookupWork(operator, self), self.side, share)

    def explain_emission(self, emitted: Emitted) -> str:
        return "It appends the newest row of the second input with the same key."

    def explain_silence(self) -> str:
        return "It stores the row for lookups by rows of the first input with the same key."


def plan_operator(request: PlanningRequest) -> Outcome:
    """Plan the lookup; without a ``select`` the rows of both inputs are passed on."""
    if request.t.select is None:
        return Outcome()
    arriving, table, joined = both_sides(request)
    lookup = LookupJoin(
        side=0,
        keys=_lookup_keys(request, arriving, table),
        joined=joined,
        columns=arriving.selected,
        row_type=request.given_type(arriving),
        added=len(table.row_type.names),
    )
    warning = (
        f"{request.label}: which rows of its second input are there when one of the first "
        "comes is chance in Flink; a trial takes the second input first"
    )
    steps = steps_of(lookup, (1, arriving.row_type), (2, table.row_type))
    return Outcome(steps=steps, warnings=(warning,), first_input=2)


def _lookup_keys(request: PlanningRequest, arriving: Arriving, table: Arriving) -> Keys:
    lookup = request.t.lookup
    if lookup is None:
        return join_keys(request, arriving, table)
    mine = request.column(arriving, "lookup.column", lookup.column)
    theirs = request.column(table, "lookup.key", lookup.key)
    kinds = arriving.row_type.types[mine], table.row_type.types[theirs]
    if kinds[0] is not kinds[1]:
        problem = f"it is looked up by {lookup.column!r}, which is {kinds[0]}, and is {kinds[1]}"
        raise ExpressionError(request.where("lookup.key"), lookup.key, problem)
    return (mine,), (theirs,)


class LookupWork:
    """Stores the second input's newest row of each key."""

    def __init__(self, operator: str, step: LookupJoin) -> None:
        self._operator, self._plan = operator, step
        self._keys, self._rows = KeyedPlaces(), LatestRows()

    def process(self, batch: Batch, side: int) -> list[Emission]:
        """Emit the first input's rows with the stored row of their key; store the second's."""
        places = self._keys.of(batch, self._plan.keys[side])
        if side == 1:
            runs = Runs.of(places)
            self._rows.put(batch.take(runs.order[runs.ends]), runs.places)
            return []
        result = self._rows.columns(places)
        if result is None:
            kinds = self._plan.joined.types[-self._plan.added :]
            result = tuple(pa.nulls(len(batch), ARROW[kind]) for kind in kinds)
        origins = self._rows.traced(batch.origins, places)
        columns, times = (*batch.columns, *result), batch.timestamps
        return [(None, self._plan.emit(self._operator, columns, times, origins))]

    def advance(self, time: int, side: int) -> list[Emission]:
        return []
