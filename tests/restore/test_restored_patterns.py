"""Verdicts on changed patterns against what clusters did with the partial matches."""

import base64
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import msgspec
import pytest

from explorer import load_savepoint
from explorer.comparison.baseline import Baseline
from explorer.documents import as_document
from explorer.plans import PlanRequest, make_plan
from explorer.restore.restored import RestoredOperator, RestoreVerdict
from explorer.restore.verdict import check_restore
from explorer.savepoints import Savepoint
from explorer.savepoints.partial_matches import PartialMatches
from tests.golden_files import cases

VERSIONS = ("1.20.5", "2.2.1")


@cache
def programs() -> dict[tuple[str, str], dict[str, Any]]:
    lines = cases("pattern_restores")
    return {(case["version"], case["pattern"]): case for case in lines if "pattern" in case}


def pairs(version: str) -> Iterator[dict[str, Any]]:
    lines = cases("pattern_restores")
    return (case for case in lines if "pattern" not in case and case["version"] == version)


def document(version: str, pattern: str) -> dict[str, Any]:
    return deepcopy(programs()[version, pattern]["document"])


def savepoint(version: str, pattern: str) -> Savepoint:
    return load_savepoint(base64.b64decode(programs()[version, pattern]["metadata"]))


def unreadable(version: str, pattern: str) -> Savepoint:
    """The savepoint as if its entries were in a format that is not read."""
    saved = savepoint(version, pattern)
    problem = PartialMatches(problem="its keyed state is native, not canonical")
    return msgspec.structs.replace(
        saved,
        operators=tuple(
            msgspec.structs.replace(operator, partial_matches=problem)
            if operator.partial_matches is not None
            else operator
            for operator in saved.operators
        ),
    )


def judged(verdict: RestoreVerdict) -> RestoredOperator:
    (operator,) = [one for one in verdict.operators if one.name == "pattern"]
    return operator


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_saved_partial_matches_fail_as_on_clusters(version: str) -> None:
    wrong = []
    for case in pairs(version):
        old, new = savepoint(version, case["old"]), document(version, case["new"])
        verdict = check_restore(old, new)
        fails = case["flink"] != "restored"
        if (judged(verdict).outcome == "fails", verdict.holds) != (fails, not fails):
            wrong.append((case["old"], case["new"], case["flink"], verdict.sentence))
        exception = "NullPointerException" if "NullPointer" in case["flink"] else "State "
        if fails and exception not in verdict.sentence:
            wrong.append((case["old"], case["new"], case["flink"], verdict.sentence))

    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_two_programs_are_judged_as_the_savepoint_of_the_first(version: str) -> None:
    wrong = []
    for case in pairs(version):
        old, new = (document(version, case[side]) for side in ("old", "new"))
        found = judged(check_restore(old, new))
        by_name = judged(check_restore(unreadable(version, case["old"]), new))
        # Conditions are code, that of an event that is passed over too.
        is_same = case["new"] in {case["old"], "a,b=d,c", "a,~b,c"}
        if (found.outcome == "fails") != (case["flink"] != "restored"):
            wrong.append((case["old"], case["new"], case["flink"]))
        assert by_name.pattern is not None
        assert by_name.pattern.outcome == "unknown"
        assert found.pattern is not None
        if found.outcome != "fails" and not is_same:
            assert found.pattern.outcome == "kept", (case["old"], case["new"])

    # An optional stage has another one for matches that passed over an event: none did here.
    assert wrong == [("a,b?,c", "a,b,c", "restored"), ("a,b*,c", "a,b+,c", "restored")]


def test_stages_that_are_not_read_are_unchecked() -> None:
    verdict = check_restore(unreadable("2.2.1", "a,b,c"), document("2.2.1", "a,b,c"))
    (line,) = [sentence for sentence in verdict.assumptions if "pattern" in sentence]

    assert verdict.exit_code() == 3
    assert "its keyed state is native, not canonical" in line
    assert "a rehearsal compares them" in line


def test_a_document_without_patterns_is_unchecked() -> None:
    old, new = document("2.2.1", "a,b,c"), document("2.2.1", "a,c")
    for node in new["stream_graph"]["nodes"]:
        (node["operator"] or {}).pop("pattern", None)
    verdict = check_restore(old, new)

    assert verdict.exit_code() == 3
    assert any("the new pattern is not known" in line for line in verdict.assumptions)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("new", "verdict", "words"),
    [
        ("a,c", "do_not_deploy", "State b does not exist in the NFA"),
        ("a,b,c,d", "unchecked", "'d' added"),
        ("a,b,c/w1", "unchecked", "older partial matches time out"),
    ],
)
def test_a_plan_reports_what_becomes_of_partial_matches(new: str, verdict: str, words: str) -> None:
    old = Baseline(name="old.jar", document=as_document(document("2.2.1", "a,b,c")))
    plan = make_plan(as_document(document("2.2.1", new)), old, PlanRequest())
    rows = [row for row in plan.section("state").changes if row.subject == "pattern"]

    assert plan.verdict == verdict
    assert any(words in row.sentence for row in rows), rows
