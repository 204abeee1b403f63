"""Findings as JUnit's XML: a suite a file, a case a rule, a failure an error."""

from xml.etree import ElementTree as ET

from explorer.checks.junit import junit_report
from tests.checks.checked_files import COUNT, checked_file

EXPECTED = COUNT + "expect: {chained: [[s, count], [s, out]]}\n"


def cases(report: str) -> dict[str, ET.Element]:
    (suite,) = ET.fromstring(report)  # noqa: S314 - our own
    return {case.get("name", "").partition(" ")[0]: case for case in suite}


def test_only_errors_are_failures() -> None:
    found = cases(junit_report([checked_file(EXPECTED)]))

    failed = {code for code, case in found.items() if case.find("failure") is not None}
    assert failed == {"EX01", "LK03"}
    failure = found["EX01"].find("failure")
    assert failure is not None
    assert failure.get("type") == "EX01"
    assert len((failure.text or "").splitlines()) == 2
    assert "warning: count has keyed state" in (found["ST01"].findtext("system-out") or "")


def test_a_silenced_rule_is_skipped_with_its_reason() -> None:
    found = cases(junit_report([checked_file()]))

    skipped = found["MP01"].find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "fixed"
    assert "(silenced: fixed)" in (found["MP01"].findtext("system-out") or "")


def test_a_rule_without_findings_is_an_empty_case() -> None:
    checked = checked_file()
    found = cases(junit_report([checked]))

    assert set(found) == {*checked.findings.asked}
    assert len(found["ST06"]) == 0


def test_counts_are_those_of_the_suites() -> None:
    root = ET.fromstring(junit_report([checked_file(EXPECTED), checked_file()]))  # noqa: S314

    assert [suite.get("failures") for suite in root] == ["2", "1"]
    assert root.get("failures") == "3"
    assert root.get("tests") == str(sum(len(suite) for suite in root))


def test_characters_that_xml_cannot_hold_are_replaced() -> None:
    text = junit_report([checked_file(COUNT.replace("MP01: fixed", 'MP01: "fi\\x07xed"'))])

    assert 'message="fi\ufffdxed"' in text
    assert ET.fromstring(text) is not None  # noqa: S314 - our own
