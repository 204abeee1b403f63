"""The record of a restore verdict: one ``RestoredOperator`` per operator of either program.

``explorer.restore.verdict`` computes it; page, shell, plan, lessons and JSON read it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec

from explorer.comparison.job_changes import JobChange
from explorer.comparison.matching import Grade, Match
from explorer.flink.kinds import Certainty
from explorer.flink.releases import spans
from explorer.flink.upgrades.event_patterns import PatternChange
from explorer.flink.upgrades.window_kinds import WindowChange
from explorer.model.coverage import Aspect, AspectCoverage, StateVerdict, Weight
from explorer.model.frozen import FormerRelease
from explorer.model.operator_ids import UNKNOWN
from explorer.model.stream_graph import NodeId
from explorer.savepoints import FoundBy, Outcome
from explorer.wording import capitalized, counted, listed, with_full_stop

Change = Literal["kept", "moved", "lost", "new", "unclear", "unknown"]
"""The change of an operator: the same ID; another ID; removed; new; several candidates in the new
program; its ID is unknown on either side."""
WRONG_OPERATOR: Final = "goes to the wrong operator"
Fate: TypeAlias = Outcome | Literal["goes to the wrong operator"]
"""Flink's decision on an operator's state, or that another operator restores it."""
UserCode = Literal["none", "rehearsed", "failed", "not rehearsed", "unchanged"]
"""Whether an operator has own code that runs in ``open``, and what it did when Flink ran it."""
Answer: TypeAlias = Literal[
    "Flink restores",
    "not fully checked",
    "Flink drops state",
    "Flink loses state or records",
    "tasks will fail",
    "Flink will refuse",
    "state goes to the wrong operator",
]
"""A verdict in a few words."""
SHOWN: Final = 8
"""Names that a sentence lists."""


class Restriction(msgspec.Struct, frozen=True, kw_only=True):
    """One restriction of a restore that IDs do not show, and what it means for the verdict."""

    weight: Weight
    sentence: str


def in_order(restrictions: Iterable[Restriction]) -> tuple[Restriction, ...]:
    """Sort restrictions: refusals first, notes last."""
    order = get_args(Weight)
    return tuple(sorted(restrictions, key=lambda restriction: order.index(restriction.weight)))


class Candidate(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An operator of the new program that a saved one may be."""

    node: NodeId
    name: str
    operator_id: str
    handle: str
    """The transformation's id, else the operator ID: the NEW of ``--match OLD=NEW``."""


class OperatorFix(msgspec.Struct, frozen=True, kw_only=True):
    """A change of the new program that was made and judged again."""

    sentence: str
    """What to do."""
    lines: tuple[str, ...]
    """The calls to write in the program, each with its operator behind it."""
    outcome: Fate
    """The operator's outcome with the change."""
    restores: bool
    """Whether the whole job restores with this change alone."""
    document: Mapping[str, Any]
    """The changed program as its document holds it."""


class RestoredOperator(msgspec.Struct, frozen=True, kw_only=True):
    """One operator and its state, before and after; None where one side does not have it."""

    change: Change
    name: str
    """Its new name, else its old one; its ID where a savepoint holds no name."""
    operator_id: str | None = None
    """Its ID in the baseline."""
    new_id: str | None = None
    uid_hash: str | None = None
    """The uid hash that the new program sets."""
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
    """The kind of its state, in words."""
    state_bytes: int | None = None
    """None: there is no savepoint."""
    state_names: tuple[str, ...] = ()
    outcome: Fate
    found_by: FoundBy | None = None
    """The ID of the new operator under which Flink finds the state."""
    taken_by: str | None = None
    """The name of another operator that gets its state, because it has its ID now."""
    taker: NodeId | None = None
    """The new program's operator to which Flink assigns its state."""
    wrong_taker: NodeId | None = None
    """The node of ``taken_by``."""
    parallelism: tuple[int | None, int | None] = (None, None)
    max_parallelism: tuple[int | None, int | None] = (None, None)
    derived: tuple[bool | None, bool | None] = (None, None)
    """Whether Flink derives the maximum from the parallelism; None: not recorded in a savepoint."""
    surviving_share: float = 0.0
    """The share of its saved keys that find their state if the job runs, from 0 to 1."""
    moved_key_groups: int | None = None
    """Number of key groups that are reassigned to another subtask; None without keyed state."""
    states: tuple[StateVerdict, ...] = ()
    """Verdicts on the key and on each state that the savepoint holds for it; empty: none known."""
    user_code: UserCode = "not rehearsed"
    windows: WindowChange | None = None
    """What becomes of its open windows; None: its state is not that of windows."""
    pattern: PatternChange | None = None
    """What becomes of its partial matches; None: its state is not that of a pattern."""
    fixes: tuple[OperatorFix, ...] = ()
    """Changes after which its state, every key of it, is restored."""

    @property
    def rescued(self) -> bool:
        """Whether the operator has another ID and its uid hash finds the state all the same."""
        return self.change == "moved" and self.found_by == "uid hash" and self.taken_by is None

    @property
    def has_other_maximum(self) -> bool:
        """Whether another maximum parallelism than the recorded one loses its state, or fails."""
        written, read = self.max_parallelism
        is_other = written is not None and read is not None and written != read
        return is_other and self.outcome in {"keys_lost", "fails", "refused"}

    @property
    def has_lost_windows(self) -> bool:
        """Whether records of its open windows never come out."""
        return self.windows is not None and self.windows.outcome == "lost"

    @property
    def has_lost_stages(self) -> bool:
        """Whether partial matches are in stages that the new pattern does not have."""
        return self.pattern is not None and self.pattern.outcome == "fails"

    @property
    def pattern_sentence(self) -> str:
        """What becomes of its partial matches, as a restriction; empty without a pattern."""
        return "" if self.pattern is None else f"{self.name!r} {self.pattern.sentence}"

    @property
    def unclear(self) -> bool:
        """Whether there is state for certain, and the operator that restores it is not known."""
        is_unknown = self.outcome == "unknown" and not self.has_open_key_groups
        return self.state == "known" and (self.match == "ambiguous" or is_unknown)

    @property
    def has_open_key_groups(self) -> bool:
        """Whether keyed state is found, and the number of its key groups depends on unknown IDs."""
        is_keyed = "keyed" in self.what and self.taker is not None
        return is_keyed and self.max_parallelism[1] is None

    @property
    def endangered(self) -> bool:
        """Whether the operator may have state that does not come back to it for certain."""
        gone = self.outcome not in {"restored", "empty"}
        return (gone and self.state != "none") or self.unclear

    @property
    def sentence(self) -> str:
        """What happens to its state, in words."""
        if self.change == "new":
            return "starts without state"
        if self.state == "none":
            return "it has no state to lose"
        state = f"{self.what}, if any," if self.state == "possible" else self.what
        if self.match == "ambiguous":
            names = [
                f"{candidate.name!r} ({candidate.operator_id})"
                for candidate in self.candidates[:SHOWN]
            ]
            if more := len(self.candidates) - len(names):
                names.append(f"{more:,} more")
            return f"its {state} {self.fate}; it may be {' or '.join(names)}"
        if self.taken_by is not None:
            return f"its {state} goes to the wrong operator: {self.taken_by!r} has its ID now"
        return f"its {state} {self.fate}"

    @property
    def fate(self) -> str:
        """What happens to its state, without its kind."""
        if self.outcome == "refused":
            return "is refused"
        if self.has_open_key_groups:
            return "is found, but its number of key groups depends on IDs that are not known"
        if self.outcome == "unknown":
            return f"was not looked up: its operator ID is {UNKNOWN}"
        if self.outcome in {"keys_lost", "fails"}:
            return self._lost_keys
        if self.outcome == "lost":
            return "finds no operator: Flink refuses, or drops it if non-restored state is allowed"
        return f"is found by its {'uid hash' if self.found_by == 'uid hash' else 'ID'}"

    @property
    def _lost_keys(self) -> str:
        if self.outcome == "fails" and self.pattern is not None and self.has_lost_stages:
            return self.pattern.sentence
        if self.outcome == "keys_lost" and self.has_lost_windows:
            return "is that of windows of another kind, and never comes out of them"
        if self.outcome == "keys_lost" and len(set(self.max_parallelism)) == 1:
            return (
                "is not asked for, since its operator restores what its uid hash names: it starts "
                "empty, and there is no error"
            )
        return f"{self._key_groups}: {self._key_group_effect}"

    @property
    def _key_groups(self) -> str:
        written, read = self.max_parallelism
        return f"was written with {written:,} key groups and is read with {read:,}"

    @property
    def _key_group_effect(self) -> str:
        if self.outcome == "fails":
            return "a task fails while it restores or runs"
        if self.surviving_share == 0:
            return "all of its keys start without state, and there is no error"
        lost = max(1, min(99, round(100 * (1 - self.surviving_share))))
        return f"about {lost} % of its keys start without state, and there is no error"


class RestoreVerdict(FormerRelease, msgspec.Struct, frozen=True, kw_only=True):
    """Flink's verdict on a restore, with every operator."""

    old: str
    """The name of the restored program or savepoint, such as a file's name."""
    flink_version: str
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
    """The baseline's operators in their order, then new ones."""
    coverage: tuple[AspectCoverage, ...] = ()
    """Every aspect that Flink checks, in the order of ``ASPECTS``."""
    restrictions: tuple[Restriction, ...] = ()
    """Refusals first."""
    unchanged: bool = False
    """Whether program, release and options are identical."""
    changes: tuple[JobChange, ...] = ()
    """All differences except IDs; empty where a savepoint alone is known."""
    releases: tuple[str | None, str]
    """The baseline's Flink release, None where a savepoint's format leaves several; and the new
    one."""
    old_releases: tuple[str, ...] = ()
    """The releases that the baseline may be of, oldest first."""

    @property
    def checked(self) -> tuple[Aspect, ...]:
        """The aspects that this verdict covers."""
        return tuple(aspect.aspect for aspect in self.coverage if aspect.checked)

    @property
    def unchecked(self) -> tuple[Aspect, ...]:
        """The aspects that this verdict does not cover."""
        return tuple(aspect.aspect for aspect in self.coverage if not aspect.checked)

    @property
    def refusals(self) -> tuple[str, ...]:
        """The restrictions with which Flink fails."""
        return self._sentences("refused")

    @property
    def losses(self) -> tuple[str, ...]:
        """The restrictions with which Flink starts and loses state or records, without an error."""
        return self._sentences("lost")

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The restrictions with which Flink may fail."""
        return self._sentences("unchecked")

    def _sentences(self, weight: Weight) -> tuple[str, ...]:
        return tuple(
            restriction.sentence
            for restriction in self.restrictions
            if restriction.weight == weight
        )

    @property
    def fully_checked(self) -> bool:
        """Whether everything that Flink checks was checked."""
        return not (self.unchecked or self.assumptions)

    @property
    def verdict(self) -> Literal["restored", "refused"]:
        """Whether Flink starts the job and its tasks restore their state."""
        return "refused" if self.error is not None or self.refusals else "restored"

    @property
    def answer(self) -> Answer:
        """The verdict in a few words."""
        if self.misdirected:
            return "state goes to the wrong operator"
        if self.verdict == "refused":
            return "Flink will refuse"
        failing = (*self.endangered_keys, *self.failing_patterns)
        if any(operator.outcome == "fails" for operator in failing):
            return "tasks will fail"
        if self.losses or self.endangered_keys:
            return "Flink loses state or records"
        if self.lost:
            return "Flink drops state"
        return "Flink restores" if self.fully_checked else "not fully checked"

    @property
    def headline(self) -> str:
        """The baseline, its release, and the verdict."""
        release = f" (Flink {spans(self.old_releases)})" if self.old_releases else ""
        return f"Against {self.old}{release}: {self.sentence}"

    @property
    def changed_ids(self) -> tuple[RestoredOperator, ...]:
        """The operators with a changed or removed ID."""
        return tuple(
            operator
            for operator in self.operators
            if operator.change in {"moved", "lost", "unclear"}
        )

    @property
    def lost(self) -> tuple[RestoredOperator, ...]:
        """The operators with state that no operator restores."""
        return dropped_operators(self.operators)

    @property
    def matches(self) -> dict[str, Match]:
        """Maps operator IDs of the old side to matches with the new program's operators."""
        return {
            operator.operator_id: Match(
                grade=operator.match,
                node=operator.node,
                candidates=tuple(candidate.node for candidate in operator.candidates),
            )
            for operator in self.operators
            if operator.operator_id is not None
        }

    @property
    def endangered_keys(self) -> tuple[RestoredOperator, ...]:
        """The operators with keyed state that is read with another number of key groups."""
        return tuple(
            operator
            for operator in self.operators
            if operator.outcome in {"keys_lost", "fails"}
            and not operator.has_lost_windows
            and not operator.has_lost_stages
        )

    @property
    def failing_patterns(self) -> tuple[RestoredOperator, ...]:
        """The operators with partial matches in stages that the new pattern does not have."""
        return tuple(
            operator
            for operator in self.operators
            if operator.outcome == "fails" and operator.has_lost_stages
        )

    @property
    def misdirected(self) -> tuple[RestoredOperator, ...]:
        """The operators with state that Flink assigns to another operator."""
        certain = (operator for operator in self.operators if operator.state == "known")
        return tuple(operator for operator in certain if operator.outcome == WRONG_OPERATOR)

    @property
    def unclear(self) -> tuple[RestoredOperator, ...]:
        """The operators with state and an unknown counterpart in the new program."""
        return tuple(operator for operator in self.operators if operator.unclear)

    @property
    def holds(self) -> bool:
        """Whether Flink restores, and every state goes to its own operator as far as is known."""
        is_lossless = not (self.losses or self.endangered_keys or self.failing_patterns)
        return self.verdict == "restored" and not self.misdirected and is_lossless

    def exit_code(self, *, accept_unchecked: bool = False) -> int:
        """Return 0 if all was checked and holds, 1 if refused, 3 if not all could be checked."""
        if not self.holds:
            return 1
        return 0 if accept_unchecked or self.fully_checked else 3

    @property
    def sentence(self) -> str:
        """The verdict in a sentence, without the words of the job manager's exception."""
        if self.misdirected:
            return self._wrong
        if self.error is None and self.refusals:
            return with_full_stop(f"Flink {self.flink_version} will refuse: {self.refusals[0]}")
        if self.error is None and (self.endangered_keys or self.failing_patterns):
            return self._accepted_failure
        if self.error is None and self.losses:
            return with_full_stop(
                f"Flink {self.flink_version} accepts this restore: {self.losses[0]}"
            )
        if self.error is None and not self.unchecked and self.assumptions:
            return with_full_stop(f"{self._outcome} Not checked: {self.assumptions[0]}")
        return self._outcome

    @property
    def _outcome(self) -> str:
        """The outcome of the operators' state in a sentence."""
        names = [operator.name for operator in self.unclear]
        unclear = f"which operator restores the state of {_names(names)} is not known"
        if self.error is None:
            missing = [aspect for aspect in self.unchecked if aspect != "IDs"]
            parts = [self._found]
            if names:
                parts.append(unclear)
            if missing:
                parts.append(f"{listed(missing)} not checked")
            if self.unchanged:
                parts.append(
                    "nothing that Flink checks differs: program, release and options are identical"
                )
            states = "; ".join(parts)
            if not self.unchecked:
                return f"Flink {self.flink_version} restores: {states}."
            return self._outcome_of_ids(parts)
        unclear = f" {capitalized(unclear)}." if names else ""
        if self.dropped_if_allowed is not None:
            return (
                f"Flink {self.flink_version} refuses; it restores only with allowNonRestoredState, "
                f"and then drops the state of {_names(self.dropped_if_allowed)}.{unclear}"
            )
        return f"Flink {self.flink_version} refuses, with allowNonRestoredState too.{unclear}"

    def _outcome_of_ids(self, parts: Sequence[str]) -> str:
        """The outcome where not all was checked; ``parts`` begin with the states that were found.

        It does not say that IDs match where the same page lists some that changed.
        """
        ids, states = "Parallelism matches", list(parts)
        changed = [operator for operator in self.changed_ids if not operator.rescued]
        if "IDs" in self.checked:
            ids = "IDs and parallelism match"
            if changed:
                ids = "IDs and parallelism were checked" if self._states else "No state is lost"
                found = states[0] if self._states else "none was found"
                states[:1] = [found, f"{counted(len(changed), 'ID')} changed"]
        return f"{ids} under Flink {self.flink_version}: {'; '.join(states)}."

    @property
    def _states(self) -> Sequence["RestoredOperator"]:
        """The operators that are known to have state in the savepoint."""
        return [
            operator
            for operator in self.operators
            if operator.state == "known" and operator.operator_id
        ]

    @property
    def _found(self) -> str:
        states = self._states
        dropped = [operator.name for operator in self.lost]
        unknown = sum(operator.outcome == "unknown" for operator in states)
        restored = f"{counted(len(states) - len(dropped) - unknown, 'state')} found"
        if dropped:
            return f"{restored}; Flink drops the state of {_names(dropped)}"
        return f"{restored}, 0 lost"

    @property
    def _accepted_failure(self) -> str:
        states = [
            f"the state of {operator.name!r} {operator.fate} (FLINK-40113)"
            for operator in self.endangered_keys
        ]
        states += [operator.pattern_sentence for operator in self.failing_patterns]
        if len(states) > SHOWN:
            states[SHOWN:] = [f"{len(states) - SHOWN:,} more"]
        return f"Flink {self.flink_version} accepts this restore, but {'; '.join(states)}."

    @property
    def _wrong(self) -> str:
        wrong = self.misdirected
        pairs = [
            f"that of {operator.name!r} to {operator.taken_by!r}" for operator in wrong[:SHOWN]
        ]
        more = [f"{len(wrong) - SHOWN:,} more"] if len(wrong) > SHOWN else []
        does = "accepts this restore" if self.error is None else "refuses"
        states = "State goes" if len(wrong) == 1 else f"{len(wrong):,} states go"
        place = "to the wrong operator" + "s" * (len(wrong) > 1)
        return f"{states} {place}: {listed([*pairs, *more])}. Flink {self.flink_version} {does}."

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        return {
            "verdict": self.verdict,
            "sentence": self.sentence,
            "answer": self.answer,
            "headline": self.headline,
            "checked": list(self.checked),
            "unchecked": list(self.unchecked),
            **msgspec.to_builtins(self),
            "flink": self.flink_version,
            "releases": list(self.releases),
            "restrictions": [restriction.sentence for restriction in self.restrictions],
            "refusals": list(self.refusals),
            "losses": list(self.losses),
            "assumptions": list(self.assumptions),
        }


def dropped_operators(operators: Iterable[RestoredOperator]) -> tuple[RestoredOperator, ...]:
    """Return the operators with state that no operator of the new program restores."""
    return tuple(
        operator
        for operator in operators
        if operator.outcome == "lost" and operator.state == "known"
    )


def first_incompatible(operators: Iterable[RestoredOperator]) -> StateVerdict | None:
    """Return the first verdict on a state that Flink refuses."""
    verdicts = (state for operator in operators for state in operator.states)
    return next((state for state in verdicts if state.verdict == "incompatible"), None)


def _names(names: Sequence[str]) -> str:
    quoted_names = [repr(name) for name in names[:SHOWN]]
    more = len(names) - len(quoted_names)
    return listed([*quoted_names, f"{more:,} more"] if more else quoted_names)
