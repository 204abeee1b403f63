"""Differences between two savepoints, existing or expected, by operator ID and by match."""

from collections.abc import Mapping

import msgspec

from explorer.comparison.baseline import CompiledBaseline
from explorer.comparison.matching import Match
from explorer.model.operator_ids import known_id
from explorer.savepoints import OperatorState
from explorer.savepoints.state_sizes import StateSize, state_sizes


class SavedChange(msgspec.Struct, frozen=True, kw_only=True):
    """One operator ID in either of the two."""

    change: str
    """``kept``, ``moved`` (the operator has another ID), ``lost`` or ``new``."""
    name: str
    operator_id: str
    new_id: str | None = None
    """The operator's changed ID."""
    before: str
    """Its old parallelism and state, in words; empty for a new one."""
    after: str
    sizes: tuple[StateSize, ...] = ()
    """Bytes by kind of state, of two savepoints; empty where one side is not there to be read."""

    @property
    def new_id_text(self) -> str:
        """Return its changed ID after an arrow; empty if unchanged."""
        return f" -> {self.new_id}" if self.new_id else ""


def saved_changes(
    old: CompiledBaseline, new: CompiledBaseline, matches: Mapping[str, Match]
) -> tuple[SavedChange, ...]:
    """Return the changes of the operators of ``old`` in its order, then new ones.

    ``matches``: ``match_deployed`` of the two; empty where ``new`` has no program.
    """
    old_states, new_states = (
        {operator.operator_id: operator for operator in side.savepoint.operators}
        for side in (old, new)
    )
    hashes = new.program.hashes if new.program else {}
    ids = {id: hashes[match.node] for id, match in matches.items() if match.node is not None}
    moved = {
        id: current
        for id, current in ids.items()
        if current != id and current in new_states and known_id(current)
    }
    matched = frozenset(moved.values())
    changes = []
    for id in {**old_states, **new_states}:
        was, state = old_states.get(id), new_states.get(moved.get(id, id))
        if was is None and id in matched:
            continue
        change = "moved" if id in moved else "new" if was is None else "kept" if state else "lost"
        changes.append(
            SavedChange(
                change=change,
                name=next(
                    (
                        operator_state.name
                        for operator_state in (state, was)
                        if operator_state is not None
                    ),
                    None,
                )
                or id,
                operator_id=id,
                new_id=moved.get(id),
                before=_size(was, real=old.real),
                after=_size(state, real=new.real),
                sizes=state_sizes(was, state) if old.real and new.real else (),
            )
        )
    return tuple(changes)


def _size(state: OperatorState | None, *, real: bool) -> str:
    if state is None:
        return ""
    size = f", {state.state_bytes:,} bytes" if real else ""
    return f"×{state.parallelism} of at most {state.max_parallelism:,}{size}"
