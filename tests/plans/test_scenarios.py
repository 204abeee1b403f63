"""Upgrade scenarios against what clusters of 1.20.5 and 2.2.1 did with the same savepoints.

Twenty changes of captured programs (``schema_programs.jsonl.gz``: jars and SQL), with rehearsals
of 1.20.5; and a law over the changed pipelines of ``restores.jsonl.gz``.
"""

import base64
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import pytest
from msgspec.json import encode

from explorer.comparison.baseline import Baseline
from explorer.documents import load_document
from explorer.documents.rehearsals import parse_rehearsal
from explorer.plans import Plan, PlanRequest, make_plan
from explorer.plans.record import SECTIONS
from explorer.savepoints import Savepoint, load_savepoint
from tests.golden_files import cases
from tests.plans.plans import golden_plans, restores

REHEARSED: Final = "1.20.5"
STATIC: Final = {
    "async_input_type",
    "key_string_long",
    "sql_aggregate_more",
    "sql_sum_type",
    "window_acc_tuple",
}
"""Changes that a plan without a rehearsal refuses: ``open`` declares what the others change."""
LATE: Final = {"lazy_int_long"}
"""A failure that opening does not show: the state is asked for later."""
GRAPH: Final[Mapping[str, set[str]]] = {
    "async_input_type": {"Map", "Ask"},
    "sql_aggregate_more": {
        "Source: orders[1]",
        "GroupAggregate[3] -> o[4]: Writer",
        "Calc[2]",
        "GroupAggregate[3]",
        "o[4]: Writer",
    },
    "sql_sum_type": {"Source: orders[1]", "Calc[2]", "GroupAggregate[4]", "o[5]: Writer"},
}
"""By scenario, the subjects of the section Graph; the others change no graph."""


@cache
def savepoints() -> Mapping[tuple[str, str], Savepoint]:
    found: dict[tuple[str, str], Savepoint] = {}
    for each in cases("schemas"):
        if each["metadata"]:
            key = (each["case"], each["flink_version"])
            found.setdefault(key, load_savepoint(base64.b64decode(each["metadata"])))
    return found


@cache
def outcomes() -> Mapping[tuple[str, str], str]:
    """By case and release, what a cluster with HashMap did."""
    return {
        (each["case"], each["flink_version"]): each["outcome"]
        for each in cases("schemas")
        if each["backend"] == "hashmap"
    }


def plans(*, rehearsed: bool) -> Iterator[tuple[tuple[str, str], Plan]]:
    rehearsals = {
        each["case"]: parse_rehearsal(encode(each["rehearsal"])) for each in cases("rehearsals")
    }
    for each in cases("schema_programs"):
        key = (each["case"], each["flink_version"])
        old, new = (load_document(each[side]) for side in ("old", "new"))
        baseline = Baseline(name="old.jar", document=old, savepoint=savepoints()[key])
        if rehearsed and (key[1] != REHEARSED or key[0] not in rehearsals):
            continue
        asked = PlanRequest(rehearsal=rehearsals[key[0]] if rehearsed else None)
        yield key, make_plan(new, baseline, asked)


@pytest.mark.slow
def test_twenty_upgrades_end_as_on_the_clusters() -> None:
    seen = set()
    for (case, version), plan in plans(rehearsed=False):
        seen.add(case)
        assert (plan.verdict == "do_not_deploy") == (case in STATIC), (case, version)
        assert plan.verdict in {"do_not_deploy", "unchecked"}
        if plan.verdict == "do_not_deploy":
            assert outcomes()[case, version] == "failed"

    assert len(seen) == 20


@pytest.mark.slow
def test_a_rehearsal_decides_what_a_comparison_leaves_open() -> None:
    count = 0
    for (case, version), plan in plans(rehearsed=True):
        count += 1
        failed = outcomes()[case, version] == "failed"
        assert (plan.verdict == "do_not_deploy") == (failed and case not in LATE), case
        if case in LATE:
            assert plan.verdict == "unchecked"

    assert count >= 15


@pytest.mark.slow
def test_sections_hold_what_changed_and_nothing_else() -> None:
    for (case, _), plan in plans(rehearsed=False):
        subjects = {one.subject for one in plan.section("graph").changes}
        assert subjects == GRAPH.get(case, set()), case
        for name in ("resources", "release", "checks"):
            assert plan.section(name).changes == (), (case, name)


SECTIONS_OF: Final[Mapping[str, set[str]]] = {
    "same": set(),
    "bridge": set(),
    "rename": {"graph"},
    "uid_drop": {"graph"},
    "env_max_parallelism": {"graph", "state"},
    "drop_branch": {"graph", "resources"},
    "env_parallelism": {"graph", "state", "resources"},
}
"""By a change of ``restores.jsonl.gz``, the sections that it may concern."""


@pytest.mark.law
@pytest.mark.parametrize("version", ["1.20", "2.2"])
def test_a_change_concerns_its_own_sections(version: str) -> None:
    kinds = {case["name"]: case["changes"] for case in restores()}
    tried: dict[str, Any] = {}
    for name, plan, _ in golden_plans(version, "strict"):
        if len(kinds[name]) == 1 and kinds[name][0] in SECTIONS_OF:
            changed = {one for one in SECTIONS if plan.section(one).changes}
            assert changed <= SECTIONS_OF[kinds[name][0]], name
            tried[kinds[name][0]] = changed

    assert tried.keys() == SECTIONS_OF.keys()
