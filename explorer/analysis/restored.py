"""The record of a restore verdict: one ``RestoredOperator`` per operator of either program.

``explorer.analysis.restore`` computes it; page, shell and JSON read it.
"""

from collections.abc import Iterable
from typing import Any, Final, Literal

import msgspec

from explorer.flink.kinds import Certainty
from explorer.model.coverage import Aspect, AspectCoverage, StateVerdict
from explorer.model.stream_graph import NodeId
from explorer.savepoints import FoundBy, Outcome
from explorer.wording import counted, listed

Change = Literal["kept", "moved", "lost", "new"]
"""Of an operator: the same ID; another ID; there no more; there for the first time."""
UserCode = Literal["none", "rehearsed", "not rehearsed"]
"""Of an operator's own code that runs in ``open``: there is none; Flink ran it; nobody ran it."""
SHOWN: Final = 8
"""Names that a sentence lists."""


class RestoredOperator(msgspec.Struct, frozen=True, kw_only=True):
    """One operator and its state, before and after; None where it is not there."""

    change: Change
    name: str
    """Its name now, else the one that it had; its ID where a savepoint holds no name."""
    operator_id: str | None = None
    """Before."""
    new_id: str | None = None
    uid_hash: str | None = None
    """The one that the new program sets."""
    node: NodeId | None = None
    """The new program's."""
    transformation: str | None = None
    state: Certainty
    """Whether there is state: known, from a savepoint or its type; possible; or none."""
    what: str
    """What state that is, in words."""
    state_bytes: int | None = None
    """None: there is no savepoint to tell."""
    state_names: tuple[str, ...] = ()
    outcome: Outcome
    """Of its state, as Flink decides."""
    found_by: FoundBy | None = None
    """Under which of its IDs the new program has it."""
    taken_by: str | None = None
    """The other operator that gets its state, having its ID now."""
    parallelism: tuple[int | None, int | None] = (None, None)
    max_parallelism: tuple[int | None, int | None] = (None, None)
    derived: tuple[bool | None, bool | None] = (None, None)
    """Whether Flink takes the maximum from the parallelism; None: a savepoint does not tell."""
    moved_key_groups: int | None = None
    """How many key groups go to another subtask; None where it keeps no keyed state."""
    states: tuple[StateVerdict, ...] = ()
    """Verdicts on the key and on each state that the savepoint holds for it; empty: none known."""
    user_code: UserCode = "not rehearsed"

    @property
    def rescued(self) -> bool:
        """Whether it has another ID and its uid hash finds the state all the same."""
        return self.change == "moved" and self.found_by == "uid hash" and self.taken_by is None

    @property
    def endangered(self) -> bool:
        """Whether it has state, or may have, that does not come back to it."""
        gone = self.outcome in {"lost", "refused"} or self.taken_by is not None
        return gone and self.state != "none"

    @property
    def sentence(self) -> str:
        """What becomes of its state, in words."""
        if self.change == "new":
            return "starts without state"
        if self.taken_by is not None:
            return f"its state goes to {self.taken_by!r}, which has its ID now"
        if self.state == "none":
            return "it has no state to lose"
        may = "if it keeps any, " if self.state == "possible" else ""
        if self.outcome == "refused":
            return f"{may}its {self.what} is refused"
        if self.outcome == "lost":
            return f"{may}its {self.what} is lost"
        way = "uid hash" if self.found_by == "uid hash" else "ID"
        return f"{may}its {self.what} is found by its {way}"


class Restore(msgspec.Struct, frozen=True, kw_only=True):
    """Flink's verdict on a restore, and what becomes of every operator."""

    old: str
    """What is restored from, such as a file's name."""
    flink: str
    allow_non_restored: bool
    error: str | None
    """Flink's sentence; None: it restores."""
    exception: str | None
    """The class that Flink throws."""
    if_possible: str | None
    """Flink's sentence in case functions keep state of which only they know; None: none then."""
    dropped_if_allowed: tuple[str, ...] | None
    """Where it restores only with allowNonRestoredState, whose state is dropped then; else None."""
    operators: tuple[RestoredOperator, ...]
    """Those of before in their order, then new ones."""
    coverage: tuple[AspectCoverage, ...] = ()
    """Every aspect that Flink checks, in the order of ``ASPECTS``."""

    @property
    def checked(self) -> tuple[Aspect, ...]:
        """The aspects that this verdict covers."""
        return tuple(one.aspect for one in self.coverage if one.checked)

    @property
    def unchecked(self) -> tuple[Aspect, ...]:
        """The aspects that this verdict does not cover."""
        return tuple(one.aspect for one in self.coverage if not one.checked)

    @property
    def verdict(self) -> str:
        """``restored`` or ``refused``."""
        return "restored" if self.error is None else "refused"

    @property
    def lost(self) -> tuple[RestoredOperator, ...]:
        """The operators with state that nobody takes."""
        return dropped_operators(self.operators)

    @property
    def sentence(self) -> str:
        """The verdict in a sentence, without Flink's own words."""
        if self.error is None:
            dropped = [one.name for one in self.lost]
            if dropped:
                return f"Flink {self.flink} restores and drops the state of {_names(dropped)}."
            stateful = [one for one in self.operators if one.state == "known" and one.operator_id]
            return f"Flink {self.flink} restores: {counted(len(stateful), 'state')} found, 0 lost."
        if self.dropped_if_allowed is not None:
            return (
                f"Flink {self.flink} refuses; it restores only with allowNonRestoredState, and then"
                f" drops the state of {_names(self.dropped_if_allowed)}."
            )
        return f"Flink {self.flink} refuses, with allowNonRestoredState too."

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        derived = {
            "verdict": self.verdict,
            "sentence": self.sentence,
            "checked": list(self.checked),
            "unchecked": list(self.unchecked),
        }
        return {**derived, **msgspec.to_builtins(self)}


def dropped_operators(operators: Iterable[RestoredOperator]) -> tuple[RestoredOperator, ...]:
    """Those with state that no operator of the new program takes."""
    return tuple(one for one in operators if one.outcome == "lost" and one.state == "known")


def _names(names: list[str] | tuple[str, ...]) -> str:
    shown = [repr(name) for name in names[:SHOWN]]
    more = len(names) - len(shown)
    return listed([*shown, f"{more:,} more"] if more else shown)
