"""The record of a plan: its members, verdicts and exit codes."""

from explorer.plans.record import (
    SECTIONS,
    SEVERITIES,
    VERDICTS,
    ChangeSeverity,
    PlanChange,
    plan_section,
    worst,
)
from tests.plans.plans import COUNT, FILTERED, planned, program


def test_members_are_those_of_the_contract() -> None:
    members = planned(program(COUNT), program(FILTERED)).to_dict()

    assert {"verdict", "old", "new", "sections", "checked", "unchecked"} <= members.keys()
    assert list(members["sections"]) == list(SECTIONS)
    for section in members["sections"].values():
        assert {"verdict", "changes"} <= section.keys()
        for change in section["changes"]:
            wanted = {"subject", "before", "after", "sentence", "severity", "fix"}
            assert wanted <= change.keys()


def _change(severity: ChangeSeverity, subject: str = "count") -> PlanChange:
    return PlanChange(subject=subject, before=None, after=None, sentence="", severity=severity)


def test_each_severity_leads_to_its_verdict() -> None:
    sections = [plan_section("graph", "One change.", [_change(one)]) for one in SEVERITIES]

    assert [one.verdict for one in sections] == list(VERDICTS)


def test_a_section_lists_the_heaviest_changes_first_and_has_their_verdict() -> None:
    rows = [_change("note", "a"), _change("error", "b"), _change("note", "c")]
    section = plan_section("graph", "Three changes.", rows)

    assert [one.subject for one in section.changes] == ["b", "a", "c"]
    assert section.verdict == "do_not_deploy"
    assert plan_section("graph", "None.", least="unchecked").verdict == "unchecked"


def test_only_ten_changes_stand_before_the_details() -> None:
    section = plan_section("graph", "Many.", [_change("note", str(turn)) for turn in range(12)])

    assert [one.subject for one in section.first] == [*map(str, range(10))]
    assert [one.subject for one in section.rest] == ["10", "11"]


def test_the_worst_of_no_verdicts_is_deploy() -> None:
    assert worst([]) == "deploy"
    assert worst(["attention", "unchecked", "deploy"]) == "unchecked"
