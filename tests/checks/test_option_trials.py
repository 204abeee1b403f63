"""Options that findings propose, tried before they are shown as fixes."""

from collections.abc import Mapping

from explorer.checks.findings import Finding, Findings
from explorer.checks.option_trials import try_options
from explorer.checks.reporting import checked, text_report
from explorer.errors import ExplorerError

TTL = {"table.exec.state.ttl": "1 d"}


def finding(code: str, options: Mapping[str, str]) -> Finding:
    return Finding(
        code=code, severity="note", title="", message="m", path="", about=("a",), options=options
    )


def findings(*each: Finding) -> Findings:
    return Findings(name="job", flink_version="2.2", findings=each)


BEFORE = findings(finding("SQ03", TTL), finding("SQ03", TTL), finding("ST01", {}))


def test_an_option_that_removes_the_finding_is_a_fix() -> None:
    asked = []

    def check_with(options: Mapping[str, str]) -> Findings:
        asked.append(options)
        return findings(finding("ST01", {}), finding("XX01", {}))

    found = try_options(BEFORE, check_with)

    assert asked == [TTL]
    outcome = "captured and checked with it: SQ03 is gone, with 1 new finding"
    assert [one.option_outcome for one in found.findings] == [outcome, outcome, ""]
    text = text_report([checked("job.sql", "", "", "", found)])
    assert f"    fix: -D 'table.exec.state.ttl=1 d' ({outcome})" in text


def test_an_option_that_was_not_tried_is_a_possible_fix() -> None:
    text = text_report([checked("job.sql", "", "", "", BEFORE)])
    assert "    possible fix: -D 'table.exec.state.ttl=1 d' (not tried: " in text


def test_an_option_that_does_not_help_is_no_fix() -> None:
    def fail(options: Mapping[str, str]) -> Findings:
        raise ExplorerError(str(options))

    for check_with in (lambda _: BEFORE, fail):
        found = try_options(BEFORE, check_with)
        assert [dict(one.options) for one in found.findings] == [{}, {}, {}]
