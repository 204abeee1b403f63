"""The record of a restore verdict: one ``RestoredOperator`` per operator of either program.

``explorer.analysis.restore`` computes it; page, shell and JSON read it.
"""

from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias

import msgspec

from explorer.analysis.matching import Grade, Match
from explorer.flink.kinds import Certainty
from explorer.model.coverage import Aspect, AspectCoverage, StateVerdict
from explorer.model.operator_ids import UNKNOWN
from explorer.model.stream_graph import NodeId
from explorer.savepoints import FoundBy, Outcome
from explorer.wording import counted, listed

Change = Literal["kept", "moved", "lost", "new", "unclear", "unknown"]
"""Of an operator: the same ID; another ID; there no more; there for the first time; several
operators of the new program may be it; its ID is unknown on either side."""
WRONG_OPERATOR: Final = "goes to the wrong operator"
Fate: TypeAlias = Outcome | Literal["goes to the wrong operator"]
"""Of an operator's state: Flink's decision, and whether another operator restores it."""
UserCode = Literal["none", "rehearsed", "not rehearsed"]
"""Of an operator's own code that runs in ``open``: there is none; Flink ran it; it was not run."""
SHOWN: Final = 8
"""Names that a sentence lists."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An operator of the new program that a saved one may be."""

    node: NodeId
    name: str
    operator_id: str
    handle: str
    """The transformation's id, else the operator ID: the NEW of ``--match OLD=NEW``."""


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
    """The new program's operator that is this one; None: there is none, or it is not known."""
    match: Grade = "none"
    """How sure it is that ``node`` is the same operator."""
    candidates: tuple[Candidate, ...] = ()
    """Where ``match`` is ambiguous: the operators that are equally good."""
    transformation: str | None = None
    state: Certainty
    """Whether there is state: known, from a savepoint or its type; possible; or none."""
    what: str
    """What state that is, in words."""
    state_bytes: int | None = None
    """None: there is no savepoint."""
    state_names: tuple[str, ...] = ()
    outcome: Fate
    found_by: FoundBy | None = None
    """Under which of its IDs the new program has it."""
    taken_by: str | None = None
    """The other operator that gets its state, because it has its ID now."""
    taker: NodeId | None = None
    """The new program's operator to which Flink assigns its state; None: to none."""
    wrong_taker: NodeId | None = None
    """The node of ``taken_by``."""
    parallelism: tuple[int | None, int | None] = (None, None)
    max_parallelism: tuple[int | None, int | None] = (None, None)
    derived: tuple[bool | None, bool | None] = (None, None)
    """Whether Flink derives the maximum from the parallelism; None: not recorded in a savepoint."""
    moved_key_groups: int | None = None
    """Number of key groups that are reassigned to another subtask; None without keyed state."""
    states: tuple[StateVerdict, ...] = ()
    """Verdicts on the key and on each state that the savepoint holds for it; empty: none known."""
    user_code: UserCode = "not rehearsed"

    @property
    def rescued(self) -> bool:
        """Whether it has another ID and its uid hash finds the state all the same."""
        return self.change == "moved" and self.found_by == "uid hash" and self.taken_by is None

    @property
    def unclear(self) -> bool:
        """Whether it has state for certain, and the operator that restores it is not known."""
        return self.state == "known" and (self.match == "ambiguous" or self.outcome == "unknown")

    @property
    def endangered(self) -> bool:
        """Whether it has state, or may have, that does not come back to it for certain."""
        gone = self.outcome in {"lost", "refused", "unknown", WRONG_OPERATOR}
        return (gone and self.state != "none") or self.unclear

    @property
    def unmapped(self) -> bool:
        """Whether it may have had state, and no operator of the new program restores it."""
        return self.state == "possible" and self.outcome == "lost" and self.operator_id is not None

    @property
    def sentence(self) -> str:
        """What becomes of its state, in words."""
        if self.change == "new":
            return "starts without state"
        if self.state == "none":
            return "it has no state to lose"
        state = f"{self.what}, if any," if self.state == "possible" else self.what
        if self.match == "ambiguous":
            return f"its {state} {self._fate}; it may be {self._candidates}"
        if self.taken_by is not None:
            return f"its {state} goes to the wrong operator: {self.taken_by!r} has its ID now"
        return f"its {state} {self._fate}"

    @property
    def _fate(self) -> str:
        if self.outcome == "refused":
            return "is refused"
        if self.outcome == "unknown":
            return f"was not looked up: its operator ID is {UNKNOWN}"
        if self.outcome == "lost":
            return "finds no operator: Flink refuses, or drops it if non-restored state is allowed"
        return f"is found by its {'uid hash' if self.found_by == 'uid hash' else 'ID'}"

    @property
    def _candidates(self) -> str:
        shown = [f"{one.name!r} ({one.operator_id})" for one in self.candidates[:SHOWN]]
        more = len(self.candidates) - len(shown)
        return " or ".join([*shown, f"{more:,} more"] if more else shown)


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
    """Flink's error if functions register state that no document shows; None: no error."""
    dropped_if_allowed: tuple[str, ...] | None
    """Reason why it restores only with allowNonRestoredState, which drops its state; else None."""
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
        """The operators with state that no operator restores."""
        return dropped_operators(self.operators)

    @property
    def matches(self) -> dict[str, Match]:
        """By operator ID of the old side, which operator of the new program it is."""
        return {
            one.operator_id: Match(
                grade=one.match,
                node=one.node,
                candidates=tuple(each.node for each in one.candidates),
            )
            for one in self.operators
            if one.operator_id is not None
        }

    @property
    def misdirected(self) -> tuple[RestoredOperator, ...]:
        """The operators with state that Flink assigns to another operator."""
        known = (one for one in self.operators if one.state == "known")
        return tuple(one for one in known if one.outcome == WRONG_OPERATOR)

    @property
    def unclear(self) -> tuple[RestoredOperator, ...]:
        """The operators with state of which it is not known which new operator they are."""
        return tuple(one for one in self.operators if one.unclear)

    @property
    def holds(self) -> bool:
        """Whether Flink restores, and every state goes to its own operator as far as is known."""
        return self.error is None and not self.misdirected

    def exit_code(self, *, accept_unchecked: bool = False) -> int:
        """0 all that Flink checks was checked and holds; 1 refused; 3 not all could be checked."""
        if not self.holds:
            return 1
        return 0 if accept_unchecked or not self.unchecked else 3

    @property
    def sentence(self) -> str:
        """The verdict in a sentence, without Flink's own words."""
        if self.misdirected:
            return self._wrong
        if self.error is None:
            found = f"{self._found}{self._not_checked}"
            if self.unchecked:
                return f"{self._matching} under Flink {self.flink}: {found}."
            return f"Flink {self.flink} restores: {found}."
        unclear = f" {self._unclear[0].upper()}{self._unclear[1:]}." if self._unclear else ""
        if self.dropped_if_allowed is not None:
            return (
                f"Flink {self.flink} refuses; it restores only with allowNonRestoredState, and then"
                f" drops the state of {_names(self.dropped_if_allowed)}.{unclear}"
            )
        return f"Flink {self.flink} refuses, with allowNonRestoredState too.{unclear}"

    @property
    def _unclear(self) -> str:
        names = [one.name for one in self.unclear]
        return f"which operator restores the state of {_names(names)} is not known" if names else ""

    @property
    def _matching(self) -> str:
        """The aspects that hold, where others are unchecked."""
        if "IDs" in self.checked:
            return "IDs and parallelism match"
        return "Parallelism matches"

    @property
    def _found(self) -> str:
        """How many states are found, and how many operators lose theirs."""
        states = [one for one in self.operators if one.state == "known" and one.operator_id]
        dropped = [one.name for one in self.lost]
        unknown = [one for one in states if one.outcome == "unknown"]
        found = f"{counted(len(states) - len(dropped) - len(unknown), 'state')} found"
        return (
            f"{found}; Flink drops the state of {_names(dropped)}"
            if dropped
            else f"{found}, 0 lost"
        )

    @property
    def _not_checked(self) -> str:
        missing = [aspect for aspect in self.unchecked if aspect != "IDs"]
        text = [f"{listed(missing)} not checked"] if missing else []
        return "".join(f"; {one}" for one in (self._unclear, *text) if one)

    @property
    def _wrong(self) -> str:
        """Which state goes where, with Flink's message."""
        wrong = self.misdirected
        pairs = [f"that of {one.name!r} to {one.taken_by!r}" for one in wrong[:SHOWN]]
        more = [f"{len(wrong) - SHOWN:,} more"] if len(wrong) > SHOWN else []
        does = "accepts this restore" if self.error is None else "refuses"
        states = "State goes" if len(wrong) == 1 else f"{len(wrong):,} states go"
        where = "to the wrong operator" + "s" * (len(wrong) > 1)
        return f"{states} {where}: {listed([*pairs, *more])}. Flink {self.flink} {does}."

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
    """Those with state that no operator of the new program restores."""
    return tuple(one for one in operators if one.outcome == "lost" and one.state == "known")


def first_incompatible(operators: Iterable[RestoredOperator]) -> StateVerdict | None:
    """The first verdict on a state that Flink refuses."""
    verdicts = (state for one in operators for state in one.states)
    return next((state for state in verdicts if state.verdict == "incompatible"), None)


def _names(names: list[str] | tuple[str, ...]) -> str:
    shown = [repr(name) for name in names[:SHOWN]]
    more = len(names) - len(shown)
    return listed([*shown, f"{more:,} more"] if more else shown)
