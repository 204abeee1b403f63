"""Bytes of an operator's state in two savepoints: by kind, since keyed states share their files."""

from collections import Counter

from explorer.model.frozen import FrozenRecord
from explorer.savepoints.savepoint import OperatorState

COORDINATOR = "coordinator"
"""The kind of a coordinator's state, which is no subtask's."""


class StateSize(FrozenRecord, frozen=True, kw_only=True):
    """State of one kind of an operator, before and after."""

    kind: str
    """As of ``StateHandle``, or ``coordinator``."""
    before: int | None
    """Bytes, as ``StateObject.getStateSize`` counts them; None: there is none."""
    after: int | None
    new_states: tuple[str, ...] = ()
    """States by name that only the later savepoint has, as far as names are known."""
    gone_states: tuple[str, ...] = ()

    @property
    def change(self) -> str:
        """``new``, ``gone``, ``grown``, ``shrunk`` or ``same``."""
        if self.before is None:
            return "new"
        if self.after is None:
            return "gone"
        if self.before == self.after:
            return "same"
        return "grown" if self.after > self.before else "shrunk"

    @property
    def sentence(self) -> str:
        """The change with its bytes, then the states that are new and gone."""
        before, after = self.before or 0, self.after or 0
        difference = f" ({after - before:+,})" if self.change in {"grown", "shrunk"} else ""
        names = [f"new: {', '.join(self.new_states)}"] if self.new_states else []
        names += [f"gone: {', '.join(self.gone_states)}"] if self.gone_states else []
        sizes = f"{self.kind} state {self.change}, {before:,} -> {after:,} bytes{difference}"
        return "; ".join([sizes, *names])


def state_sizes(old: OperatorState | None, new: OperatorState | None) -> tuple[StateSize, ...]:
    """Compare the state of one operator in two savepoints; None: it is not in that one."""
    before, after = _bytes_by_kind(old), _bytes_by_kind(new)
    sizes = []
    for kind in dict.fromkeys([*before, *after]):
        old_names, new_names = _names(old, kind), _names(new, kind)
        # Names that could not be read on one side are neither new nor gone.
        has_both = bool(old_names) and bool(new_names)
        sizes.append(
            StateSize(
                kind=kind,
                before=before.get(kind),
                after=after.get(kind),
                new_states=_without(new_names, old_names) if has_both or not old else (),
                gone_states=_without(old_names, new_names) if has_both or not new else (),
            )
        )
    return tuple(sizes)


def _bytes_by_kind(operator: OperatorState | None) -> dict[str, int]:
    sizes: Counter[str] = Counter()
    if operator is None:
        return sizes
    if operator.coordinator_bytes is not None:
        sizes[COORDINATOR] = operator.coordinator_bytes
    for handle in operator.handles:
        sizes[handle.kind] += handle.bytes
    return sizes


def _names(operator: OperatorState | None, kind: str) -> list[str]:
    """The states of a kind by name, timers apart."""
    if operator is None:
        return []
    handles = (name for handle in operator.handles if handle.kind == kind for name in handle.names)
    states = (
        state.name
        for state in operator.schema.states
        if state.backend == kind and state.kind != "TIMERS"
    )
    return [*dict.fromkeys((*handles, *states))]


def _without(names: list[str], others: list[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in others)
