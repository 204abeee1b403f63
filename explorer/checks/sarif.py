"""Findings as SARIF 2.1.0, the format of code scanning."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from explorer.checks.findings import Finding
from explorer.checks.reporting import Checked, to_json
from explorer.checks.rule import CheckRule
from explorer.checks.table import CHECKS
from explorer.documents.text.places import TextPosition

TOOL: Final = "streamgraph-explorer"
_LEVELS: Final = {"error": "error", "warning": "warning", "note": "note", "off": "none"}
_TURN: Final = {rule.code: turn for turn, rule in enumerate(CHECKS)}


def sarif_report(files: Sequence[Checked]) -> str:
    """One run with every rule, and a result for each finding; silenced ones are suppressed."""
    results = [
        _result(finding, file, place)
        for checked in files
        for finding, file, place in checked.located()
    ]
    return to_json(sarif_log([rule_members(rule) for rule in CHECKS], results))


def sarif_log(rules: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A SARIF log of one run with these rules and results."""
    run = {
        "tool": {"driver": {"name": TOOL, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }


def rule_members(rule: CheckRule) -> dict[str, Any]:
    """A rule as SARIF's ``reportingDescriptor``."""
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"{rule.why}\n\n{rule.todo}", "markdown": rule.page},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"flink": rule.releases},
    }


def _result(finding: Finding, file: str, place: TextPosition) -> dict[str, Any]:
    region = {"startLine": place.line, "startColumn": place.column}
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": {"uri": uri_of(file)}, "region": region}
    }
    if finding.path:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.path}]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": _TURN[finding.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [location],
        # Lines move: a finding is the same while its rule, its file and its operators are.
        "partialFingerprints": {"finding/v1": "/".join((finding.code, file, *finding.about))},
    }
    if finding.silenced is not None:
        result["suppressions"] = [{"kind": "inSource", "justification": finding.silenced}]
    return result


def uri_of(file: str) -> str:
    """A file's name as a URI: relative ones stay so, as code scanning wants them."""
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
