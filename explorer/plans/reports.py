"""A plan as GitHub's annotations and as SARIF: a finding for each change that needs attention."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from explorer.checks.reporting import annotation, to_json
from explorer.checks.sarif import rule_members, sarif_log, uri_of
from explorer.checks.table import CHECKS
from explorer.model.pipeline import Severity
from explorer.plans.record import SECTIONS, ChangeSeverity, Plan, PlanChange, SectionName

_LEVELS: Final[Mapping[ChangeSeverity, Severity]] = {
    "error": "error",
    "unchecked": "warning",
    "warning": "warning",
    "note": "note",
}
_RULES: Final[Mapping[SectionName, str]] = {
    "state": "What becomes of an operator's state.",
    "graph": "Tasks, chains, partitioners or the IDs of tasks change.",
    "resources": "The job needs other resources, or does not fit.",
    "release": "The Flink release changes something for this program.",
    "checks": "A finding of check is new.",
}
"""By section, the title of the rule that its changes without a code belong to."""


def github_plan(plan: Plan) -> str:
    """A workflow command for each change above a note, then the verdict in a line."""
    lines = []
    for name, change in _findings(plan):
        title = f"{name.capitalize()}: {change.subject}" + (
            f" {change.after}" if change.after else ""
        )
        lines.append(
            annotation(_LEVELS[change.severity], plan.new.read_from, title, change.sentence)
        )
    return "\n".join([*lines, plan.headline.replace("::", ": :")])


def sarif_plan(plan: Plan) -> str:
    """One run with the rules of ``check`` and one rule a section."""
    own = [
        {"id": _rule_id(name), "shortDescription": {"text": title}}
        for name, title in _RULES.items()
    ]
    rules = [*(rule_members(rule) for rule in CHECKS), *own]
    turns = {rule["id"]: turn for turn, rule in enumerate(rules)}
    results = [_result(plan, name, change, turns) for name, change in _findings(plan)]
    return to_json(sarif_log(rules, results))


def _findings(plan: Plan) -> Iterator[tuple[SectionName, PlanChange]]:
    for name in SECTIONS:
        for change in plan.section(name).changes:
            if change.severity != "note":
                yield name, change


def _rule_id(name: SectionName) -> str:
    return f"plan/{name}"


def _result(
    plan: Plan, name: SectionName, change: PlanChange, turns: Mapping[str, int]
) -> dict[str, Any]:
    rule = change.code or _rule_id(name)
    location = {"artifactLocation": {"uri": uri_of(plan.new.read_from)}}
    return {
        "ruleId": rule,
        "ruleIndex": turns[rule],
        "level": _LEVELS[change.severity],
        "message": {"text": f"{change.subject}: {change.sentence}"},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"finding/v1": "/".join((rule, plan.new.read_from, change.subject))},
    }
