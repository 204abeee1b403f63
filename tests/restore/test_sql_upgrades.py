"""Verdicts on changed SQL scripts against what clusters of 1.20 and 2.2 answered."""

import base64
from functools import cache
from typing import Any

import pytest

from explorer.comparison.baseline import Baseline
from explorer.documents import as_document
from explorer.plans import Plan, PlanRequest, make_plan
from explorer.restore.restored import RestoreVerdict
from explorer.restore.verdict import check_restore
from tests.golden_files import cases

RELEASES = ("1.20.5", "2.2.1")
OWN_IDS = {"calc appears with uids", "compiled plan", "uids"}
"""Pairs of which the cluster numbered the plan nodes otherwise than a capture of the old script."""


@cache
def upgrades() -> dict[tuple[str, str], dict[str, Any]]:
    return {(one["flink"], one["name"]): one for one in cases("sql_upgrades")}


def restored_from_savepoint(one: dict[str, Any]) -> RestoreVerdict:
    return check_restore(base64.b64decode(one["metadata"]), one["documents"][1])


def planned(one: dict[str, Any]) -> Plan:
    old, new = map(as_document, one["documents"])
    return make_plan(new, Baseline(name="old.sql", document=old), PlanRequest())


def is_decided(verdict: RestoreVerdict) -> bool:
    """Whether nothing that Flink checks by itself is left open."""
    return verdict.verdict == "refused" or not {"key types", "state types"} & {*verdict.unchecked}


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_verdicts_on_savepoints_are_the_clusters(release: str) -> None:
    wrong = []
    for (flink, name), one in upgrades().items():
        if flink == release:
            verdict = restored_from_savepoint(one)
            answered = "restored" if one["strict"] == "restored" else "refused"
            if is_decided(verdict) and verdict.verdict != answered:
                wrong.append((name, verdict.sentence, one["strict"]))

    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_a_capture_declares_the_states_that_the_clusters_saved(release: str) -> None:
    read = {}
    for (flink, name), one in upgrades().items():
        if flink == release and name not in OWN_IDS:
            verdict = check_restore(base64.b64decode(one["metadata"]), one["documents"][0])
            assert verdict.verdict == "restored"
            for operator in verdict.operators:
                if operator.states and not operator.name.startswith("Source: "):
                    read[operator.name] = {state.verdict for state in operator.states}

    assert {"Join[7]", "Rank[5]", "Deduplicate[5]", "GlobalWindowAggregate[6]"} < read.keys()
    assert {verdict for verdicts in read.values() for verdict in verdicts} == {"compatible"}


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_plans_of_two_scripts_are_never_greener_than_the_clusters(release: str) -> None:
    wrong = []
    for (flink, name), one in upgrades().items():
        if flink == release:
            plan = planned(one)
            if one["strict"] != "restored" and plan.verdict in {"deploy", "attention"}:
                wrong.append((name, plan.headline))
            if one["strict"] == "restored" and name not in OWN_IDS:
                assert plan.verdict != "do_not_deploy", (name, plan.headline)

    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "operator", "sentence"),
    [
        ("same", "GroupAggregate[5]", "Same query block: its state can be reused."),
        ("aggregate added", "GroupAggregate[5]", "1 aggregate more: MAX(price)."),
        ("column type", "GroupAggregate[5]", "SUM(dear) instead of SUM(price)"),
        ("join kind", "Join[7]", "joinType is LeftOuterJoin, which was InnerJoin."),
        ("join column", "Join[7]", "the column price INT of input 1 is new."),
        ("ttl", "GroupAggregate[5]", "the TTL of groupAggregateState is 1 h, which was none."),
        ("calc appears", "GroupAggregate[4]", "Upstream, Calc[2] appeared."),
        ("mini-batch", "GroupAggregate[5]", "In the plan, GroupAggregate[5] is gone"),
        ("mini-batch", "GroupAggregate[5]", "MiniBatchAssigner[3] appeared"),
        ("mini-batch", "table.exec.mini-batch.enabled", "is true, which was false"),
        ("ttl", "table.exec.state.ttl", "Flink before 2.2 refuses to restore"),
        ("group key", "GroupAggregate[5]", "the restored state holds the results of the previous"),
    ],
)
@pytest.mark.parametrize("release", RELEASES)
def test_a_plan_reports_the_changes_of_a_query(
    release: str, name: str, operator: str, sentence: str
) -> None:
    section = planned(upgrades()[release, name]).section("state")
    rows = {row.subject: row.sentence for row in (*section.changes, *section.unchanged)}

    assert sentence in rows[operator]


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_without_an_optimised_plan_the_query_of_a_state_is_unchecked(release: str) -> None:
    one = upgrades()[release, "same"]
    bare = {**one, "documents": [{**each, "sql_plan": None} for each in one["documents"]]}

    rows = [row for row in planned(bare).section("state").changes if row.after == "unchecked"]
    assert any("holds no optimised plan" in row.sentence for row in rows)
    whole = planned(one).section("state").changes
    assert not any("holds no optimised plan" in row.sentence for row in whole)
