"""Fixes for a restore that does not hold: each was judged again."""

from explorer.plans.fixes import state_fixes
from tests.plans.plans import (
    COUNT,
    FILTERED,
    RENAMED_NEW,
    RENAMED_OLD,
    compared,
    planned,
    program,
)


def test_a_moved_id_is_refused_and_its_fix_is_checked() -> None:
    plan = planned(program(COUNT), program(FILTERED))

    count = next(one for one in plan.section("state").changes if one.subject == "count")
    assert plan.verdict == "do_not_deploy"
    assert plan.exit_code() == 1
    assert (count.before, count.after, count.severity) == ("keyed state", "refused", "error")
    assert count.fix == f'.setUidHash("{count.operator_id}")'
    assert plan.fixes[0].restores
    assert [one.subject for one in plan.section("graph").changes if one.after == "operator"] == [
        "Filter"
    ]


def test_a_removed_state_names_what_is_dropped() -> None:
    gone = [*COUNT[:2], {"id": "out", "type": "sink", "inputs": ["words"]}]

    strict = planned(program(COUNT), program(gone))
    allowed = planned(program(COUNT), program(gone), allow_non_restored=True)

    assert strict.section("state").changes[0].after == "refused"
    assert strict.fixes == ()
    assert "drops the state of 'count'" in strict.sentence
    assert "dropped" in [one.after for one in allowed.section("state").changes]
    assert allowed.verdict in {"attention", "unchecked"}


def test_another_maximum_parallelism_is_refused_and_its_fix_is_checked() -> None:
    plan = planned(program(COUNT, max_parallelism=128), program(COUNT, max_parallelism=64))

    count = next(one for one in plan.section("state").changes if one.subject == "count")
    assert (plan.verdict, count.after) == ("do_not_deploy", "refused")
    (fix,) = plan.fixes
    assert count.fix == fix.label
    assert "Call setMaxParallelism(128) on 'count', the maximum that the savepoint" in fix.label
    assert fix.restores
    assert fix.lines == (
        ".setMaxParallelism(128)  // Source: Custom Source",
        ".setMaxParallelism(128)  // count",
    )


def test_a_restore_without_loss_has_no_fixes() -> None:
    fixes = state_fixes(compared(program(COUNT), program(COUNT)))

    assert (fixes.fixes, dict(fixes.by_operator)) == ((), {})


def test_a_first_deployment_has_no_fixes() -> None:
    assert state_fixes(compared(None, program(COUNT))).fixes == ()


def test_pinned_ids_are_written_as_calls_in_the_order_of_the_program() -> None:
    fixes = state_fixes(compared(program(COUNT), program(FILTERED)))

    (fix,) = fixes.fixes
    assert fix.label == "Give 'Flat Map', 'count' and 'Sink: Print to Std. Out' the ID of OLD"
    assert [line.partition("  // ")[2] for line in fix.lines] == [
        "Flat Map",
        "count",
        "Sink: Print to Std. Out",
    ]
    assert set(fixes.by_operator.values()) == {line.partition("  // ")[0] for line in fix.lines[:2]}


def test_dropping_state_is_no_fix_and_the_outcome_of_the_pins_names_it() -> None:
    keyed = {"id": "again", "type": "key_by", "inputs": ["count"]}
    twice = {"id": "twice", "type": "reduce", "inputs": ["again"], "name": "twice"}
    old = [*COUNT[:4], keyed, twice, {"id": "out", "type": "sink", "inputs": ["twice"]}]

    fixes = state_fixes(compared(program(old), program(FILTERED)))

    (pins,) = fixes.fixes
    assert pins.label.startswith("Give ")
    assert not pins.restores
    assert pins.outcome.endswith("drops the state of 'twice'.")
    assert not any("llowNonRestored" in line for fix in fixes.fixes for line in fix.lines)


def test_the_only_operator_that_fits_a_lost_state_is_a_match_to_choose() -> None:
    plan = planned(program(RENAMED_OLD), program(RENAMED_NEW))

    count = next(one for one in plan.section("state").changes if one.subject == "count")
    argument = f"--match {count.operator_id}=total"
    *_, fix = plan.fixes
    assert count.fix == f"if it is 'total': {argument}"
    assert fix.lines[0] == argument
    assert f'.setUidHash("{count.operator_id}")  // total' in fix.lines
    assert "2 states found, 0 lost" in fix.outcome
    assert fix.restores
