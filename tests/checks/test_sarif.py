"""Findings as SARIF: every rule, and a result for each finding with its place and its identity."""

import json
from typing import Any

import pytest

from explorer.checks.sarif import rule_members, sarif_report, uri_of
from explorer.checks.table import BY_CODE, CHECKS
from tests.checks.checked_files import COUNT, checked_file


def run_of(text: str = COUNT) -> dict[str, Any]:
    log = json.loads(sarif_report([checked_file(text)]))
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def results(run: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["ruleId"]: one for one in run["results"]}


def test_every_rule_is_described_in_the_order_of_the_table() -> None:
    run = run_of()

    rules = run["tool"]["driver"]["rules"]
    assert [one["id"] for one in rules] == [rule.code for rule in CHECKS]
    assert {rules[one["ruleIndex"]]["id"] for one in run["results"]} == set(results(run))
    assert rule_members(BY_CODE["ST01"])["defaultConfiguration"] == {"level": "warning"}
    assert rule_members(BY_CODE["OP07"])["properties"] == {"flink": "1.17 and later"}


def test_a_result_stands_in_the_file_or_in_its_lock() -> None:
    found = results(run_of())

    document = found["ST01"]["locations"][0]
    assert document["physicalLocation"]["artifactLocation"] == {"uri": "counts.yaml"}
    assert document["physicalLocation"]["region"]["startLine"] == 6
    assert document["logicalLocations"] == [{"fullyQualifiedName": "transformations[2]"}]
    locked = found["LK03"]["locations"][0]["physicalLocation"]
    assert locked["artifactLocation"] == {"uri": "counts.lock"}


def test_a_silenced_finding_is_suppressed() -> None:
    found = results(run_of())

    assert found["MP01"]["suppressions"] == [{"kind": "inSource", "justification": "fixed"}]
    assert "suppressions" not in found["ST01"]


def test_a_result_is_the_same_on_another_line() -> None:
    before, after = results(run_of()), results(run_of(f"# a comment\n\n{COUNT}"))

    assert before["ST01"]["locations"] != after["ST01"]["locations"]
    assert {code: one["partialFingerprints"] for code, one in before.items()} == {
        code: one["partialFingerprints"] for code, one in after.items()
    }


@pytest.mark.parametrize(
    ("file", "uri"),
    [("a b/c#1.yaml", "a%20b/c%231.yaml"), ("/tmp/a b.yaml", "file:///tmp/a%20b.yaml")],  # noqa: S108
)
def test_a_relative_file_stays_relative(file: str, uri: str) -> None:
    assert uri_of(file) == uri
