"""Rules on results and cost of SQL plans, each with plans that it finds something in, and others.

The plans are what the planners of 1.20.5, 2.2.1 and 2.3.0 made of ``tests.capture.sql_advice``.
"""

from collections import defaultdict
from functools import cache
from typing import Any

import pytest

from explorer.checks.checking import check_document
from explorer.checks.findings import Finding
from explorer.documents import load_document
from tests.golden_files import cases
from tests.many_cases import for_each

RELEASES = ("1.20.5", "2.2.1", "2.3.0")
FOUND = {
    "SQ03": {
        *("other key", "other key, deduplicate", "other key, nothing", "other key, NONE"),
        *("other key, FORCE", "same key", "same key, NONE", "same key, FORCE", "part of the key"),
        *("no key, NONE", "distinct", "distinct, mini-batch", "distinct, split", "random"),
        *("distinct, one subtask", "distinct, no split", "distinct, collect", "no distinct"),
        *("interval without watermark", "interval of lost watermark", "interval with one bound"),
        *("join", "window without end", "over everything", "over rows", "retracted distinct"),
        *("lookup of changes", "lookup of changes, both", "lookup, materialized"),
    },
    "SQ04": {
        *("other key", "other key, deduplicate", "other key, nothing", "other key, FORCE"),
        "same key, FORCE",
    },
    "SQ05": {"other key, NONE"},
    "SQ06": {"other key"},
    "SQ07": {"distinct", "distinct, mini-batch", "retracted distinct"},
    "SQ08": {"interval without watermark", "interval of lost watermark"},
    "SQ09": {"window without end"},
    "SQ10": {"session", "session function"},
    "SQ12": {"random", "lookup of changes", "lookup of changes, both"},
    "SQ13": {
        *("lookup, both, in sync", "lookup", "lookup, cached", "lookup of changes"),
    },
    "SQ14": {
        *("lookup, no old cache", "lookup", "lookup, async", "lookup of changes"),
        "lookup, materialized",
    },
}
"""By rule, the scripts in which it finds something; in all others it finds nothing."""


@cache
def lines(release: str) -> dict[str, dict[str, Any]]:
    return {line["name"]: line for line in cases("sql_advice") if line["flink"] == release}


@cache
def findings(release: str) -> dict[str, dict[str, list[Finding]]]:
    """By rule and script, what is found."""
    found: dict[str, dict[str, list[Finding]]] = defaultdict(lambda: defaultdict(list))
    for name, line in lines(release).items():
        if "document" in line:
            for finding in check_document(load_document(line["document"])).findings:
                found[finding.code][name].append(finding)
    return found


@pytest.mark.slow
@for_each("release", RELEASES)
@for_each("code", FOUND)
def test_a_rule_finds_its_plans_and_no_others(code: str, release: str) -> None:
    planned = {name for name, line in lines(release).items() if "document" in line}
    wanted = FOUND[code] & planned
    if code == "SQ06" and release == "2.3.0":
        wanted = set()

    assert set(findings(release)[code]) == wanted


@pytest.mark.slow
def test_flink_2_3_refuses_what_the_releases_before_it_are_warned_of() -> None:
    refused = {
        name for name, line in lines("2.3.0").items() if "ON CONFLICT" in str(line.get("refused"))
    }

    for release in RELEASES[:2]:
        assert set(findings(release)["SQ06"]) == refused


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_flinks_own_advice_is_repeated(release: str) -> None:
    for name, line in lines(release).items():
        texts = [
            one["text"] for one in line.get("document", {}).get("sql_plan", {}).get("advice", ())
        ]
        found = [*findings(release)["SQ11"][name], *findings(release)["SQ12"][name]]
        assert len(found) == len(texts)
        shown = [text.partition(" related rel plan:")[0] for text in texts]
        assert all(any(text in one.message for one in found) for text in shown)
