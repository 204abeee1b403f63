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
    wanted: Collection[Finding] | None = None,
) -> Findings:
    """Add to the findings the outcome of the options that they propose.

    ``check_with`` captures the program with options and checks it. Options with which the finding
    stays, or the program fails, are no fix and are removed. Options after the first three different
    ones stay untried. ``wanted``: the findings to try; default: all that count.
    """
    outcomes: dict[tuple[tuple[str, str], ...], Findings | None] = {}
    found = []
    for one in findings.findings:
        key = () if one.option_outcome else tuple(sorted(one.options.items()))
        asked = one.counts if wanted is None else one in wanted
        if asked and key and key not in outcomes and len(outcomes) < _MOST:
            outcomes[key] = None
            with suppress(ExplorerError):  # the program cannot be captured with these options
                outcomes[key] = check_with(one.options)
        found.append(_with_outcome(one, findings, outcomes[key]) if key in outcomes else one)
    return msgspec.structs.replace(findings, findings=tuple(found))


def _with_outcome(one: Finding, before: Findings, after: Findings | None) -> Finding:
    """The finding with the outcome of its options; without options that do not remove it."""
    if after is None or any(each.key == one.key for each in after.findings):
        return msgspec.structs.replace(one, options={})
    known = {each.key for each in before.findings}
    more = sum(each.key not in known for each in after.findings)
    added = f", with {counted(more, 'new finding')}" if more else ""
    outcome = f"captured and checked with it: {one.code} is gone{added}"
    return msgspec.structs.replace(one, option_outcome=outcome)
