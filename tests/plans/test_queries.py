"""The SQL part of the section State: which query block a state belongs to, and its options."""

from functools import cache
from typing import Any

import pytest

from explorer.plans.plan_case import PlanCase
from explorer.plans.queries import sql_changes, sql_rows, with_query
from explorer.plans.record import PlanChange
from tests.golden_files import cases
from tests.plans.plans import COUNT, compared, program

RELEASE = "2.2.1"


@cache
def upgrades() -> dict[str, list[dict[str, Any]]]:
    return {
        one["name"]: one["documents"] for one in cases("sql_upgrades") if one["flink"] == RELEASE
    }


def upgraded(name: str, **asked: Any) -> PlanCase:
    old, new = upgrades()[name]
    return compared(old, new, **asked)


def state(after: str) -> PlanChange:
    return PlanChange(subject="Join[7]", before="keyed state", after=after, sentence="It is found.")


def test_the_same_script_has_the_same_query_blocks() -> None:
    changes = sql_changes(upgraded("same"))

    assert changes
    assert all(one.is_same for one in changes.values())
    assert [*sql_rows(upgraded("same"))] == []


def test_a_state_that_goes_into_another_query_is_worth_a_warning() -> None:
    (change,) = (one for one in sql_changes(upgraded("group key")).values() if one.other_meaning)
    restored, refused = (with_query(state(after), change) for after in ("restored", "refused"))

    assert restored.severity == "warning"
    assert restored.sentence.startswith("It is found. Changed query block: ")
    assert restored.sentence.endswith("holds the results of the previous query.")
    assert refused.severity == "note"
    assert "previous query" not in refused.sentence


def test_a_moved_state_names_the_plan_nodes_that_appeared() -> None:
    changes = sql_changes(upgraded("calc appears")).values()
    (change,) = (one for one in changes if one.moved)

    assert "Upstream, Calc[2] appeared." in with_query(state("refused"), change).sentence
    assert "appeared" not in with_query(state("restored"), change).sentence


def test_a_row_of_no_query_stays_as_it_is() -> None:
    assert with_query(state("restored"), None) == state("restored")
    assert sql_changes(compared(program(COUNT), program(COUNT))) == {}


def test_a_planner_option_that_differs_is_a_row_with_its_effect() -> None:
    (ttl,) = sql_rows(upgraded("ttl"))

    assert (ttl.subject, ttl.severity) == ("table.exec.state.ttl", "warning")
    assert ttl.sentence.startswith(f"table.exec.state.ttl is {ttl.after}, which was {ttl.before}: ")


def test_an_option_of_the_new_cluster_wins_over_the_documents() -> None:
    option = {"table.exec.state.ttl": "1 min"}

    (ttl,) = sql_rows(upgraded("same", options=option, old_options={}))
    assert ttl.after == "1 min"
    assert [*sql_rows(upgraded("same", options=option))] == []


def test_an_option_that_no_state_depends_on_is_a_note() -> None:
    (size,) = sql_rows(
        upgraded("same", options={"table.exec.mini-batch.size": "100"}, old_options={})
    )

    assert (size.before, size.after, size.severity) == ("-1", "100", "note")


def test_a_capture_without_its_plan_leaves_the_query_unchecked() -> None:
    old, new = ({**one, "sql_plan": None} for one in upgrades()["same"])

    (row,) = sql_rows(compared(old, new))
    assert (row.severity, row.after) == ("unchecked", "unchecked")
    assert "holds no optimised plan" in row.sentence


@pytest.mark.parametrize(("name", "counted"), [("uids", True), ("same", False)])
def test_uids_that_a_jvm_counts_are_not_certain(name: str, *, counted: bool) -> None:
    old, new = upgrades()[name][-1], upgrades()[name][-1]

    rows = [one.sentence for one in sql_rows(compared(old, new))]
    assert any("which Flink counts" in one for one in rows) == counted
