"""Keys that a new task does not find: what was counted, else the share that survives."""

import pytest

from explorer.model.rehearsal import RehearsedOperator, RehearsedState
from explorer.model.stream_graph import NodeId
from explorer.rehearsal.found_keys import judge_keys
from explorer.rehearsal.requests import Usage
from explorer.savepoints import FlinkVerdict
from explorer.savepoints.restoring import Outcome, StateOutcome

ID = "a" * 32
KEEP = RehearsedOperator(
    operator_id=ID,
    name="Keep",
    uid="keep",
    verdict="restored",
    states=(RehearsedState(name="v", verdict="restored", keys=50),),
)


def judged(outcome: Outcome, usage: Usage | None) -> RehearsedOperator:
    operator = StateOutcome(
        operator_id=ID,
        outcome=outcome,
        found_by="operator ID",
        node=NodeId(1),
        max_parallelism=512,
        surviving_share=0.5,
    )
    ids = FlinkVerdict(
        flink_version="1.20",
        allow_non_restored=False,
        error=None,
        exception=None,
        operators=(operator,),
        started_empty=(),
        task_maxima=(),
    )
    (found,) = judge_keys([KEEP], {ID: usage} if usage else {}, ids)
    return found


def test_counted_keys_are_named_by_state() -> None:
    found = judged("keys_lost", Usage(ended=True, written=256, found_keys={"v": 24}))

    assert (found.verdict, found.states[0].keys_found) == ("refused", 24)
    assert found.error == "512 key groups read state saved with 256: 24 of 50 keys of 'v' are found"


def test_without_a_count_the_share_is_named() -> None:
    found = judged("fails", None)

    assert found.verdict == "refused"
    assert (found.error or "").endswith("50% of the keys are found, and its task fails")


@pytest.mark.parametrize("outcome", ["restored", "empty"])
def test_other_outcomes_change_nothing(outcome: Outcome) -> None:
    assert judged(outcome, None) == KEEP
