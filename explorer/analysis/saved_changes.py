"""Differences between two savepoints, existing or expected, by operator ID and by match."""

from collections.abc import Mapping

import msgspec

from explorer.analysis.baseline import Deployed
from explorer.analysis.matching import Match
from explorer.model.operator_ids import known_id
from explorer.savepoints import OperatorState


class SavedChange(msgspec.Struct, frozen=True, kw_only=True):
    """One operator ID in either of the two."""

    change: str
    """``kept``, ``moved`` (the operator has another ID), ``lost`` or ``new``."""
    name: str
    operator_id: str
    new_id: str | None = None
    """The operator's changed ID."""
    before: str
    """Its parallelism and its state before, in words; empty where it was not there."""
    after: str

    @property
    def new_id_text(self) -> str:
        """Return its changed ID after an arrow; empty if unchanged."""
        return f" -> {self.new_id}" if self.new_id else ""


def saved_changes(
    old: Deployed, new: Deployed, matches: Mapping[str, Match]
) -> tuple[SavedChange, ...]:
    """Those of ``old`` in its order, then new ones.

    ``matches``: ``match_deployed`` of the two; empty where ``new`` has no program.
    """
    before, after = _by_id(old), _by_id(new)
    moved = _moved(new, matches, after)
    matched = frozenset(moved.values())
    return tuple(
        SavedChange(
            change=_change(id, moved, before, after),
            name=(after.get(moved.get(id, id)) or before[id]).name or id,
            operator_id=id,
            new_id=moved.get(id),
            before=_words(before[id], real=old.real) if id in before else "",
            after=_words(after[new_id], real=new.real)
            if (new_id := moved.get(id, id)) in after
            else "",
        )
        for id in {**before, **after}
        if id in before or id not in matched
    )


def _change(
    id: str,
    moved: Mapping[str, str],
    before: Mapping[str, OperatorState],
    after: Mapping[str, OperatorState],
) -> str:
    if id in moved:
        return "moved"
    return "new" if id not in before else "lost" if id not in after else "kept"


def _moved(
    new: Deployed, matches: Mapping[str, Match], after: Mapping[str, OperatorState]
) -> dict[str, str]:
    """By old ID, the other known ID of the operator that it is."""
    hashes = new.program.hashes if new.program else {}
    ids = {id: hashes[match.node] for id, match in matches.items() if match.node is not None}
    return {id: now for id, now in ids.items() if now != id and now in after and known_id(now)}


def _by_id(side: Deployed) -> dict[str, OperatorState]:
    return {one.operator_id: one for one in side.savepoint.operators}


def _words(state: OperatorState, *, real: bool) -> str:
    size = f", {state.state_bytes:,} bytes" if real else ""
    return f"×{state.parallelism} of at most {state.max_parallelism:,}{size}"
