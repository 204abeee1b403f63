"""Differences between two savepoints, existing or expected, by operator ID."""

import msgspec

from explorer.analysis.baseline import Deployed
from explorer.savepoints import OperatorState


class SavedChange(msgspec.Struct, frozen=True, kw_only=True):
    """One operator ID in either of the two."""

    change: str
    """``kept``, ``lost`` or ``new``."""
    name: str
    operator_id: str
    before: str
    """Its parallelism and its state before, in words; empty where it was not there."""
    after: str


def saved_changes(old: Deployed, new: Deployed) -> tuple[SavedChange, ...]:
    """Those of ``old`` in its order, then new ones."""
    before, after = _by_id(old), _by_id(new)
    return tuple(
        SavedChange(
            change="new" if id not in before else "lost" if id not in after else "kept",
            name=(after.get(id) or before[id]).name or id,
            operator_id=id,
            before=_words(before[id], real=old.real) if id in before else "",
            after=_words(after[id], real=new.real) if id in after else "",
        )
        for id in {**before, **after}
    )


def _by_id(side: Deployed) -> dict[str, OperatorState]:
    return {one.operator_id: one for one in side.savepoint.operators}


def _words(state: OperatorState, *, real: bool) -> str:
    size = f", {state.state_bytes:,} bytes" if real else ""
    return f"×{state.parallelism} of at most {state.max_parallelism:,}{size}"
