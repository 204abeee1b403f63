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
    found = [one for one in findings.findings if one.counts]
    old, program = case.old_document, case.old_program
    if old is None or program is None:
        rows = map(_change, _try_options(case, findings, found))
        return plan_section("checks", f"{counted(len(found), 'finding')}.", rows)
    own = {node.id: node.id for node in case.new.stream_graph.nodes}
    old_findings = _findings(old, program).findings
    before = Counter(_key(one, case.matched) for one in old_findings if one.counts)
    new = []
    for one in found:
        key = _key(one, own)
        before[key] -= 1
        if before[key] < 0:
            new.append(one)
    same = len(found) - len(new)
    rows = map(_change, _try_options(case, findings, new))
    return plan_section("checks", f"{len(new):,} new, {same:,} unchanged.", rows)


def _findings(document: Document, done: Compilation) -> Findings:
    bare = document.with_baseline(None)
    version = done.release.version
    return check_document(bare, flink_version=version, weights=_OWN_SECTIONS, before=done)


def _try_options(case: PlanCase, findings: Findings, shown: list[Finding]) -> list[Finding]:
    """The shown findings with the outcome of their options, where NEW can be captured again."""
    capture_with = case.request.capture_with
    if capture_with is None:
        return shown

    def check_with(options: Mapping[str, str]) -> Findings:
        document = capture_with(options)
        return _findings(document, compile_program(document, case.new.release.version))

    wanted = {id(one) for one in shown}
    positions = [turn for turn, one in enumerate(findings.findings) if id(one) in wanted]
    tried = try_options(findings, check_with, shown).findings
    return [tried[position] for position in positions]


def _key(one: Finding, nodes: Mapping[NodeId, NodeId]) -> _Key:
    """``nodes``: by node of the finding's program, NEW's node that is the same operator."""
    if one.nodes:
        return one.code, tuple(nodes.get(node) for node in one.nodes)
    return one.code, one.about


def _change(one: Finding) -> PlanChange:
    return PlanChange(
        subject=", ".join(one.about) or "the job",
        before=None,
        after=one.severity,
        sentence=f"{one.code}: {one.message}",
        severity=_SEVERITY[one.severity],
        node=one.nodes[0] if one.nodes else None,
        edge=one.edge,
        code=one.code,
        fix=one.option_fix if one.option_outcome else None,
    )
