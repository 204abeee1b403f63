"""Settings of a synthetic operator that imitates an operator of a running job.

A cluster counts records by operator and time by task: so each operator gets its own selectivity,
and the first of a task the time of all that are chained behind it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from explorer.documents.checks.synthetic_checks import MAX_COST, MAX_RATIO
from explorer.model.stream_graph import NodeId, Synthetic

_MICROS: Final = 1000.0
"""Microseconds of a millisecond."""
_ENOUGH: Final = 20
"""Records a subtask, of which one that it is still processing shows no selectivity."""


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """An operator of a task; a count that is not reported is None."""

    node: NodeId
    records_in: int | None
    records_out: int | None
    mixed: bool = False
    """Whether it has side outputs, which are counted with the main one."""


def imitations(
    chain: Sequence[Observed], busy_ms: int | None, *, subtasks: int, source: bool
) -> Iterator[tuple[NodeId, Synthetic]]:
    """Yield synthetic settings that imitate the operators of a task, its head first.

    ``busy_ms``: of all ``subtasks`` together. ``source``: the head reads from no task.
    """
    for position, observed in enumerate(chain):
        head = position == 0
        handled = observed.records_out if head and source else observed.records_in
        if not handled:
            continue
        cost = min(busy_ms * _MICROS / handled, MAX_COST) if head and busy_ms else 0.0
        ratio = None if head and source else _selectivity(observed, subtasks)
        if cost or ratio is not None:
            yield observed.node, Synthetic(records_out=ratio, cost=round(cost, 3))


def _selectivity(observed: Observed, subtasks: int) -> float | None:
    """Return the records out per record in; None if unknown, or 1 up to the records in flight."""
    if observed.mixed or not observed.records_in or observed.records_out is None:
        return None
    in_hand = observed.records_in - observed.records_out
    if in_hand == 0 or (0 < in_hand <= subtasks and observed.records_in >= _ENOUGH * subtasks):
        return None
    return round(min(observed.records_out / observed.records_in, MAX_RATIO), 6)
