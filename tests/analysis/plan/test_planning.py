"""The plan: the clusters' verdicts, one record for all sections, only what changed."""

import base64
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from explorer.analysis.baseline import Baseline
from explorer.analysis.plan import Plan, PlanRequest, make_plan
from explorer.analysis.plan.record import SECTIONS
from explorer.documents import as_document, samples
from explorer.savepoints import load_savepoint
from tests.analysis.plan.plans import COUNT, FILTERED, planned, program
from tests.golden_files import cases

_REHEARSED = ("1.20.5", "hashmap", "canonical")


@cache
def restores() -> tuple[dict[str, Any], ...]:
    return tuple(cases("restores"))


def golden_plans(version: str, allowed: str) -> Iterator[tuple[str, Plan, str]]:
    """Each case's name, its plan from the cluster's savepoint, and what the cluster did."""
    for case in restores():
        outcome = next(one for one in case["flink"] if one["version"] == version)
        old, new = (as_document(case[side]).under(version) for side in ("old", "new"))
        savepoint = load_savepoint(base64.b64decode(outcome["metadata"]))
        baseline = Baseline(name="savepoint", document=old, savepoint=savepoint)
        asked = PlanRequest(allow_non_restored=allowed != "strict")
        yield case["name"], make_plan(new, baseline, asked), outcome[allowed].strip()


def rehearsed_plans() -> Iterator[Plan]:
    """Plans from real savepoints with what Flink 1.20.5 did in a rehearsal of each."""
    saved = {
        one["case"]: base64.b64decode(one["metadata"])
        for one in cases("schemas")
        if (one["flink_version"], one["backend"], one["format"]) == _REHEARSED and one["metadata"]
    }
    programs = {
        one["case"]: one["new"]
        for one in cases("schema_programs")
        if one["flink_version"] == _REHEARSED[0]
    }
    for one in cases("rehearsals"):
        new = as_document(programs[one["case"]]).under("1.20")
        savepoint = load_savepoint(saved[one["case"]])
        baseline = Baseline(name="savepoint", document=None, savepoint=savepoint)
        yield make_plan(new, baseline, PlanRequest(rehearsal=one["rehearsal"]))


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


def test_the_same_program_changes_nothing() -> None:
    plan = planned(program(COUNT), program(COUNT))

    assert [one.name for one in plan.sections] == list(SECTIONS)
    assert [*plan.changes] == []
    assert plan.section("state").unchanged
    assert plan.verdict == "unchecked"
    assert plan.exit_code() == 3
    assert plan.exit_code(accept_unchecked=True) == 0


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
    assert strict.fixes[0].label == "Allow non-restored state: drops 1 state, of 'count'"
    assert "dropped" in [one.after for one in allowed.section("state").changes]
    assert allowed.verdict in {"attention", "unchecked"}


def test_a_rescaled_job_needs_more_slots_and_keeps_its_state() -> None:
    plan = planned(program(COUNT, parallelism=2), program(COUNT, parallelism=8))

    slots = next(one for one in plan.section("resources").changes if one.subject == "slots")
    assert (slots.before, slots.after) == ("2", "8")
    assert plan.section("state").verdict != "do_not_deploy"


def test_a_program_that_flink_refuses_is_a_verdict() -> None:
    twice = [{**one, "uid": "u"} if one["id"] in {"words", "count"} else one for one in COUNT]

    plan = planned(program(COUNT), program(twice))

    assert plan.verdict == "do_not_deploy"
    assert "refuses the program" in plan.headline
    assert plan.exit_code() == 1


def test_a_first_deployment_restores_nothing() -> None:
    plan = make_plan(as_document(program(COUNT)))

    assert plan.old is None
    assert plan.section("state").changes == ()
    assert plan.section("state").verdict == "deploy"


def test_members_are_those_of_the_contract() -> None:
    members = planned(program(COUNT), program(FILTERED)).to_dict()

    assert {"verdict", "old", "new", "sections", "checked", "unchecked"} <= members.keys()
    assert list(members["sections"]) == list(SECTIONS)
    for section in members["sections"].values():
        assert {"verdict", "changes"} <= section.keys()
        for change in section["changes"]:
            wanted = {"subject", "before", "after", "sentence", "severity", "fix"}
            assert wanted <= change.keys()


def test_the_release_section_names_removed_options_and_changed_defaults() -> None:
    old = program(COUNT, flink="1.18")
    options = {"taskmanager.network.numberOfBuffers": "2048", "restart-strategy.type": "none"}
    new = program(COUNT, flink="2.2", configuration=options)

    rows = {one.subject: one for one in planned(old, new).section("release").changes}

    gone = rows["option taskmanager.network.numberOfBuffers"]
    assert (gone.severity, gone.after) == ("warning", "not read by Flink 2.2")
    assert rows["option restart-strategy.exponential-delay.max-backoff"].after == "60000 ms"
    assert "option restart-strategy.type" not in rows


def test_another_maximum_parallelism_is_refused_and_its_fix_is_checked() -> None:
    plan = planned(program(COUNT, max_parallelism=128), program(COUNT, max_parallelism=64))

    count = next(one for one in plan.section("state").changes if one.subject == "count")
    assert (plan.verdict, count.after) == ("do_not_deploy", "refused")
    assert count.fix == ".setMaxParallelism(128)"
    (fix,) = plan.fixes
    assert fix.restores
    assert ".setMaxParallelism(128)  // count" in fix.lines


def test_missing_network_buffers_are_the_reason_and_their_fix_was_computed_again() -> None:
    sample = next(one for one in samples() if one.path.name.startswith("18-"))

    plan = make_plan(as_document(sample.path))

    assert plan.headline.startswith("Do not deploy: Flink will refuse: java.io.IOException: Insuff")
    assert plan.headline.endswith("required 2, but only 1 available.")
    (refusal,) = (one for one in plan.section("resources").changes if one.severity == "error")
    given = "-D 'taskmanager.memory.network.min=3mb' -D 'taskmanager.memory.network.max=3mb'"
    assert refusal.fix == f"{given} (computed again with it: the network buffers suffice)"
