"""The plan's section *Checks*: findings that are new since OLD; the others are counted."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, TypeAlias

from explorer.checks.checking import check_document
from explorer.checks.deploys import DEPLOY_RULES
from explorer.checks.findings import Finding, Findings
from explorer.checks.option_trials import try_options
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.document import Document
from explorer.model.pipeline import CheckSettings, Severity
from explorer.model.stream_graph import NodeId
from explorer.plans.plan_case import PlanCase
from explorer.plans.record import ChangeSeverity, PlanChange, PlanSection, plan_section
from explorer.wording import counted

_OWN_SECTIONS: Final = CheckSettings(severities={rule.code: "off" for rule in DEPLOY_RULES})
"""Rules that read the records of *State* and *Resources*."""
_SEVERITY: Final[Mapping[Severity, ChangeSeverity]] = {
    "error": "error",
    "warning": "warning",
    "note": "note",
    "off": "note",
}
_Key: TypeAlias = tuple[str, tuple[object, ...]]
"""The rule's code and the operators: what makes two findings the same one."""


def checks_section(case: PlanCase) -> PlanSection:
    """Findings in NEW that OLD did not have."""
    findings = _findings(case.document, case.new)
    counting = [finding for finding in findings.findings if finding.counts]
    old, program = case.old_document, case.old_program
    if old is None or program is None:
        rows = map(_change, _try_options(case, findings, counting))
        return plan_section("checks", f"{counted(len(counting), 'finding')}.", rows)
    same_nodes = {node.id: node.id for node in case.new.stream_graph.nodes}
    old_findings = _findings(old, program).findings
    old_counts = Counter(
        _key(old_finding, case.matched) for old_finding in old_findings if old_finding.counts
    )
    new = []
    for finding in counting:
        key = _key(finding, same_nodes)
        old_counts[key] -= 1
        if old_counts[key] < 0:
            new.append(finding)
    same = len(counting) - len(new)
    rows = map(_change, _try_options(case, findings, new))
    return plan_section("checks", f"{len(new):,} new, {same:,} unchanged.", rows)


def _findings(document: Document, compilation: Compilation) -> Findings:
    bare = document.with_baseline(None)
    version = compilation.release.version
    return check_document(bare, flink_version=version, weights=_OWN_SECTIONS, before=compilation)


def _try_options(
    case: PlanCase, findings: Findings, shown_findings: list[Finding]
) -> list[Finding]:
    """The shown findings with the outcome of their options, where NEW can be captured again."""
    capture_with = case.request.capture_with
    if capture_with is None:
        return shown_findings

    def check_with(options: Mapping[str, str]) -> Findings:
        document = capture_with(options)
        return _findings(document, compile_program(document, case.new.release.version))

    expected = {id(finding) for finding in shown_findings}
    shown = [place for place, item in enumerate(findings.findings) if id(item) in expected]
    tried = try_options(findings, check_with, shown_findings).findings
    return [tried[place] for place in shown]


def _key(finding: Finding, nodes: Mapping[NodeId, NodeId]) -> _Key:
    """``nodes``: by node of the finding's program, NEW's node that is the same operator."""
    if finding.nodes:
        return finding.code, tuple(nodes.get(node) for node in finding.nodes)
    return finding.code, finding.about


def _change(finding: Finding) -> PlanChange:
    return PlanChange(
        subject=", ".join(finding.about) or "the job",
        before=None,
        after=finding.severity,
        sentence=f"{finding.code}: {finding.message}",
        severity=_SEVERITY[finding.severity],
        node=finding.nodes[0] if finding.nodes else None,
        edge=finding.edge,
        code=finding.code,
        fix=finding.option_fix if finding.option_outcome else None,
    )
