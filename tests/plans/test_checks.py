"""The plan's section Checks: what is new since OLD, by rule and operator."""

from explorer.plans.checks import checks_section
from tests.plans.plans import COUNT, FILTERED, compared, program


def test_findings_of_both_sides_are_counted_and_not_listed() -> None:
    section = checks_section(compared(program(COUNT), program(COUNT)))

    assert (section.sentence, section.changes) == ("0 new, 7 unchanged.", ())
    assert section.verdict == "deploy"


def test_a_finding_about_a_new_operator_is_new() -> None:
    section = checks_section(compared(program(COUNT), program(FILTERED)))

    assert section.sentence == "1 new, 7 unchanged."
    assert [(one.subject, one.code) for one in section.changes] == [("clean", "ST02")]


def test_a_first_deployment_lists_every_finding_with_its_severity() -> None:
    section = checks_section(compared(None, program(COUNT)))

    assert section.sentence == "7 findings."
    assert len(section.changes) == 7
    first = section.changes[0]
    assert (first.code, first.severity, first.after) == ("ST01", "warning", "warning")
    assert first.sentence.startswith("ST01: ")


def test_a_new_severity_of_the_same_finding_is_not_new() -> None:
    old = {**program(COUNT), "check": {"severities": {"ST02": "error"}}}
    section = checks_section(compared(old, program(COUNT)))

    assert section.sentence == "0 new, 7 unchanged."


def test_a_finding_that_is_off_is_not_counted() -> None:
    bare = {**program(COUNT), "check": {"severities": {"ST01": "off"}}}

    assert checks_section(compared(None, bare)).sentence == "5 findings."
