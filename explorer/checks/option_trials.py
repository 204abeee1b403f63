"""Try the options that findings propose: capture the program with them and check it again."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Final

import msgspec

from explorer.checks.findings import Finding, Findings
from explorer.errors import ExplorerError
from explorer.wording import counted

_MOST: Final = 3
"""Different sets of options that are tried; each is a capture."""


def try_options(
    findings: Findings,
    check_with: Callable[[Mapping[str, str]], Findings],
    expected: Collection[Finding] | None = None,
) -> Findings:
    """Add to the findings the outcome of the options that they propose.

    ``check_with`` captures the program with options and checks it. Options with which the finding
    stays, or the program fails, are no fix and are removed. Options after the first three different
    ones stay untried. ``expected``: the findings to try; default: all that count.
    """
    outcomes: dict[tuple[tuple[str, str], ...], Findings | None] = {}
    result = []
    for finding in findings.findings:
        key = () if finding.option_outcome else tuple(sorted(finding.options.items()))
        is_met = finding.counts if expected is None else finding in expected
        if is_met and key and key not in outcomes and len(outcomes) < _MOST:
            outcomes[key] = None
            with suppress(ExplorerError):  # the program cannot be captured with these options
                outcomes[key] = check_with(finding.options)
        result.append(
            _with_outcome(finding, findings, outcomes[key]) if key in outcomes else finding
        )
    return msgspec.structs.replace(findings, findings=tuple(result))


def _with_outcome(
    finding: Finding, old_findings: Findings, new_findings: Findings | None
) -> Finding:
    """The finding with the outcome of its options; without options that do not remove it."""
    if new_findings is None or any(item.key == finding.key for item in new_findings.findings):
        return msgspec.structs.replace(finding, options={})
    keys = {other_finding.key for other_finding in old_findings.findings}
    number = sum(item.key not in keys for item in new_findings.findings)
    added = f", with {counted(number, 'new finding')}" if number else ""
    outcome = f"captured and checked with it: {finding.code} is gone{added}"
    return msgspec.structs.replace(finding, option_outcome=outcome)
