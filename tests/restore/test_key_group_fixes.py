"""Fixes of keyed state that is read with other key groups; each was judged again."""

from typing import Any

import pytest

from explorer import check_restore
from explorer.restore.verdict import RestoreVerdict
from tests.plans.plans import program
from tests.restore.test_assumed_maxima import FILTER, OLD


def rescaled(uid: str, **after: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    new = [*OLD[:-1], {**FILTER, "uid": uid}, {**OLD[-1], "inputs": ["long"]}]
    return program(OLD, parallelism=90), program(new, **{"parallelism": 2, **after})


def lost() -> tuple[dict[str, Any], dict[str, Any], RestoreVerdict]:
    """A pair in which the inserted filter decides, and its verdict."""
    for uid in "abcdefgh":
        old, new = rescaled(uid)
        verdict = check_restore(old, new, flink_version="2.3")
        if verdict.endangered_keys:
            return old, new, verdict
    pytest.fail("no uid decides")


def test_each_fix_restores_every_key_when_it_is_judged_again() -> None:
    old, _, verdict = lost()
    (count,) = verdict.endangered_keys

    starts = [fix.sentence.split(maxsplit=2)[1] for fix in count.fixes]
    assert starts == ["setMaxParallelism(256)", "startNewChain()", "the"]
    assert [fix.lines for fix in count.fixes[:2]] == [
        (".setMaxParallelism(256)  // count",),
        (".startNewChain()  // Filter",),
    ]
    for fix in count.fixes:
        again = check_restore(old, fix.document, flink_version="2.3")
        assert fix.outcome == "restored"
        assert not again.endangered_keys
        assert again.holds
        assert fix.restores


def test_an_operator_that_its_uid_hash_finds_gets_no_old_id() -> None:
    """The filter and the sink have new uids; the sink has its old ID as a uid hash."""
    old = program(
        [*OLD[:-1], {**FILTER, "uid": "was"}, {**OLD[-1], "inputs": ["long"]}], parallelism=90
    )
    ids = {one.name: one.operator_id for one in check_restore(old, old).operators}
    sink = {**OLD[-1], "inputs": ["long"], "uid": "now", "uid_hash": ids["Sink: Print to Std. Out"]}
    fixes = []
    for uid in "abcdefgh":
        new = program([*OLD[:-1], {**FILTER, "uid": uid}, sink], parallelism=2)
        verdict = check_restore(old, new, flink_version="2.3")
        fixes += [fix for operator in verdict.endangered_keys for fix in operator.fixes]

    given = {(fix.sentence, fix.lines) for fix in fixes if "setUidHash" in fix.sentence}
    line = f'.setUidHash("{ids["Filter"]}")  // Filter'
    assert given == {("Give 'Filter' the old ID with setUidHash", (line,))}


def test_a_sink_starts_a_task_with_the_call_that_a_sink_has() -> None:
    """``DataStreamSink`` has ``disableChaining`` and no ``startNewChain``."""
    sentences = []
    for uid in "abcdefgh":
        sink = {**OLD[-1], "id": "second", "uid": uid}
        new = program([*OLD, sink], parallelism=2)
        verdict = check_restore(program(OLD, parallelism=90), new, flink_version="2.3")
        sentences += [fix.sentence for one in verdict.endangered_keys for fix in one.fixes]

    assert any("disableChaining() on" in one for one in sentences)
    assert not any("startNewChain()" in one for one in sentences)


def test_a_verdict_without_lost_keys_has_no_fixes() -> None:
    old, new = program(OLD), program(OLD, parallelism=2)
    verdict = check_restore(old, new, flink_version="2.3")

    assert not any(one.fixes for one in verdict.operators)


def test_the_shell_and_the_plan_show_the_fixes_of_the_verdict() -> None:
    from explorer import plan
    from explorer.restore.restore_text import restore_text

    old, new, verdict = lost()
    (count,) = verdict.endangered_keys
    text = restore_text(verdict)
    planned = plan(new, old=old, flink_version="2.3")

    assert all(fix.sentence in text for fix in count.fixes)
    assert [fix.label for fix in planned.fixes] == [fix.sentence for fix in count.fixes]
    assert all(fix.restores for fix in planned.fixes)
    assert planned.exit_code() == 1
