"""The plan's section State, and what clusters did with the same savepoints."""

from typing import Any

import msgspec
import pytest

from explorer.plans.state import fate, missing_aspects, state_section
from explorer.restore.restored import WRONG_OPERATOR, RestoredOperator
from tests.many_cases import for_each
from tests.plans.plans import (
    COUNT,
    FILTERED,
    compared,
    golden_plans,
    planned,
    program,
    rehearsed_plans,
)


def test_a_quoted_message_of_flink_ends_with_one_full_stop() -> None:
    sentences = [change.sentence for plan in rehearsed_plans() for change in plan.changes]

    assert any("must not be incompatible. Not checked" in one for one in sentences)
    assert [one for one in sentences if ".." in one.replace("...", "")] == []


@pytest.mark.law
@pytest.mark.parametrize("allowed", ["strict", "allow_non_restored"])
@pytest.mark.parametrize("version", ["1.20", "2.2"])
def test_the_state_section_is_what_the_cluster_did(version: str, allowed: str) -> None:
    wrong = []
    for name, plan, said in golden_plans(version, allowed):
        state = plan.section("state")
        refused = state.verdict == "do_not_deploy"
        misdirected = any(one.after == "wrong operator" for one in state.changes)
        if refused != (said != "restored" or misdirected):
            wrong.append((name, said, state.sentence))
        if refused != (plan.verdict == "do_not_deploy"):
            wrong.append((name, said, plan.headline))

    assert wrong == []


def _operator(**fields: Any) -> RestoredOperator:
    """An operator of the count with found state, and other fields."""
    found = compared(program(COUNT), {**program(COUNT), "name": "other words"}).restore
    assert found is not None
    count = next(one for one in found.operators if one.name == "count")
    return msgspec.structs.replace(count, **fields)


@for_each(
    ("fields", "allowed", "word"),
    [
        ({}, False, "unchecked"),
        ({"outcome": "lost"}, False, "refused"),
        ({"outcome": "lost"}, True, "dropped"),
        ({"outcome": "lost", "state": "possible"}, True, "unchecked"),
        ({"outcome": "refused"}, True, "refused"),
        ({"outcome": WRONG_OPERATOR}, True, "wrong operator"),
        ({"outcome": WRONG_OPERATOR, "state": "possible"}, True, "unchecked"),
        ({"outcome": WRONG_OPERATOR, "change": "new"}, True, "new"),
    ],
)
def test_the_fate_of_a_state_is_one_word(
    fields: dict[str, Any], word: str, *, allowed: bool
) -> None:
    assert fate(_operator(**fields), allow_non_restored=allowed) == word


def test_a_keyed_state_lacks_the_checks_of_its_key_and_its_types() -> None:
    assert missing_aspects(_operator()) == ["key types", "state types", "user code"]
    assert missing_aspects(_operator(what="read position")) == ["state types", "user code"]
    assert missing_aspects(_operator(found_by=None)) == []


def test_a_state_that_is_found_as_it_was_saved_is_no_change() -> None:
    section = state_section(compared(program(COUNT), program(COUNT)), {})

    assert section.changes == ()
    assert [(one.subject, one.before) for one in section.unchanged] == [
        ("Source: Custom Source", "read position"),
        ("Flat Map", "state"),
        ("count", "keyed state"),
    ]


def test_a_fix_stands_in_the_row_of_its_operator() -> None:
    case = compared(program(COUNT), program(FILTERED))
    count = next(one for one in state_section(case, {}).changes if one.subject == "count")
    assert (count.fix, count.operator_id is None) == (None, False)

    again = state_section(case, {count.operator_id or "": "do this"})
    assert [one.fix for one in again.changes if one.subject == "count"] == ["do this"]


def test_a_batch_job_has_no_state_to_restore_and_no_fix() -> None:
    plan = planned(program(COUNT, runtime_mode="BATCH"), program(FILTERED, runtime_mode="BATCH"))

    assert plan.section("state").verdict == "deploy"
    assert "takes no checkpoints" in plan.section("state").sentence
    assert plan.fixes == ()
    assert [one.sentence for one in plan.changes if "ST0" in one.sentence] == []


def test_a_map_and_a_filter_that_swapped_their_ids_are_not_refused() -> None:
    first, second = ({"id": id, "type": id} for id in ("map", "filter"))
    old = [COUNT[0], first | {"inputs": ["lines"]}, second | {"inputs": ["map"]}]
    new = [COUNT[0], second | {"inputs": ["lines"]}, first | {"inputs": ["filter"]}]
    out = {"id": "out", "type": "sink"}

    plan = planned(
        program([*old, out | {"inputs": ["filter"]}]), program([*new, out | {"inputs": ["map"]}])
    )

    assert plan.verdict == "unchecked"
    fates = {one.subject: one.after for one in plan.section("state").changes}
    assert fates == {"Map": "unchecked", "Filter": "unchecked"}


def windows(**window: Any) -> dict[str, Any]:
    count = COUNT[3] | {"type": "window", "uid": "count", "window": window}
    return program([*COUNT[:3], count, COUNT[4]])


def test_longer_windows_are_a_change() -> None:
    plan = planned(
        windows(assigner="tumbling", time="event", size=10),
        windows(assigner="tumbling", time="event", size=20),
    )

    row = next(one for one in plan.section("state").changes if one.subject == "count")
    assert "open windows come out as they were" in row.sentence
    assert row.severity == "unchecked"
    assert plan.verdict == "unchecked"


def test_windows_that_become_sessions_are_lost_keys() -> None:
    tumbling = windows(assigner="tumbling", time="event", size=10)
    plan = planned(tumbling, windows(assigner="session", time="event", gap=10))

    row = next(one for one in plan.section("state").changes if one.subject == "count")
    assert (row.after, row.severity) == ("keys lost", "error")
    assert "0 lost" not in plan.section("state").sentence
    assert plan.verdict == "do_not_deploy"
