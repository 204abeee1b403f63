"""Compares the keys that the savepoint holds with those that the new tasks find.

A rehearsed operator restores its state with the key groups of the savepoint. Where its task will
have another number, each key is looked up as that task does.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from explorer.model.rehearsal import RehearsedOperator, RehearsedState
from explorer.rehearsal.requests import Usage
from explorer.savepoints import FlinkVerdict
from explorer.savepoints.restoring import StateOutcome
from explorer.wording import counted, listed, quoted

_LOSING: Final = frozenset({"keys_lost", "fails"})


def losing_operators(ids: FlinkVerdict) -> dict[str, StateOutcome]:
    """Map the IDs of operators to outcomes, where another number of key groups is read."""
    return {outcome.operator_id: outcome for outcome in ids.operators if outcome.outcome in _LOSING}


def judge_keys(
    operators: Iterable[RehearsedOperator], usages: dict[str, Usage], ids: FlinkVerdict
) -> tuple[RehearsedOperator, ...]:
    """Refuse the operators of which keys are lost, or which fail by their key groups."""
    losing = losing_operators(ids)
    return tuple(
        _judge(operator, losing[id], usages.get(id)) if id in losing else operator
        for operator in operators
        for id in [operator.operator_id or ""]
    )


def _judge(
    operator: RehearsedOperator, outcome: StateOutcome, usage: Usage | None
) -> RehearsedOperator:
    if operator.weight == "refused":
        return operator
    keys_found = usage.found_keys if usage else {}
    states = tuple(
        msgspec.structs.replace(state, keys_found=keys_found.get(state.name))
        for state in operator.states
    )
    share = f"{outcome.surviving_share:.0%} of the keys are found"
    counts = listed(list(_counts(states)) or [share])
    failure = ", and its task fails" if outcome.outcome == "fails" else ""
    saved = f"saved with {usage.written:,}" if usage and usage.written else "saved with others"
    groups = f"{outcome.max_parallelism:,} key groups read state {saved}"
    error = f"{groups}: {counts}{failure}"
    return msgspec.structs.replace(operator, verdict="refused", states=states, error=error)


def _counts(states: Iterable[RehearsedState]) -> Iterator[str]:
    for state in states:
        if (
            state.keys is not None
            and state.keys_found is not None
            and state.keys_found < state.keys
        ):
            keys = counted(state.keys, "key")
            yield f"{state.keys_found:,} of {keys} of {quoted(state.name)} are found"
