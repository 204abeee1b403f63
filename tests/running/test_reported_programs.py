"""A running job against its own program, as a cluster of 1.20.5 reported it.

``tests/rest/ask_two_inputs.py`` asked. A cluster reports neither uids nor kinds of operators.
"""

from typing import Any

import pytest

from explorer import check_restore, compile_graph
from explorer.comparison.matching import match_operators
from tests.golden_files import cases

CASES = list(cases("two_inputs"))


@pytest.mark.parametrize("case", CASES, ids=["without checkpoints", "with checkpoints"])
def test_one_id_and_one_name_are_one_operator(case: dict[str, Any]) -> None:
    before, after = (compile_graph(case[side]) for side in ("running", "captured"))
    matching = match_operators(before, after)

    assert len(matching.pairs) == len(after.stream_graph.nodes)
    for old, new in matching.pairs.items():
        assert before.stream_graph.by_id[old].name == after.stream_graph.by_id[new].name
    both = next(one.id for one in before.stream_graph.nodes if one.name == "Both")
    assert matching.matches[both].grade == "certain"


@pytest.mark.parametrize("case", CASES, ids=["without checkpoints", "with checkpoints"])
def test_a_program_restores_from_its_own_running_job(case: dict[str, Any]) -> None:
    verdict = check_restore(case["running"], case["captured"])

    assert verdict.verdict == "restored"
    assert not verdict.misdirected
    # The IDs of operators that are chained to another one are not reported.
    assert {one.change for one in verdict.operators} == {"kept", "unknown"}
    differences = {one.what for one in verdict.changes}
    assert differences.isdisjoint(
        {"checkpointing mode", "checkpoint interval", "uid", "task class", "description", "name"}
    )


def test_the_checkpoints_of_a_running_job_are_read() -> None:
    off, on = (compile_graph(case["running"]).settings for case in CASES)

    assert off.checkpoint_interval is None
    assert on.checkpoint_interval == 10_000
    assert (on.checkpointing.mode, on.checkpointing.timeout) == ("EXACTLY_ONCE", 600_000)
