"""Compute a ``Plan`` once, from (OLD, NEW, savepoint), by the records that other commands read."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from explorer.analysis.baseline import Baseline
from explorer.analysis.chosen_matches import with_matches
from explorer.analysis.plan.checks import checks_section
from explorer.analysis.plan.fixes import state_fixes
from explorer.analysis.plan.graph import graph_section
from explorer.analysis.plan.plan_case import PlanCase
from explorer.analysis.plan.record import (
    SECTIONS,
    Plan,
    PlanChange,
    PlanDocuments,
    PlanSection,
    PlanSide,
    SectionName,
    plan_section,
    worst,
)
from explorer.analysis.plan.release import release_section
from explorer.analysis.plan.resources import resources_section
from explorer.analysis.plan.state import state_section
from explorer.analysis.redeploy import redeploy_from
from explorer.analysis.rehearsed_verdicts import with_rehearsal
from explorer.deployment.upgrades import Upgrade
from explorer.errors import ExplorerError, FlinkRefusalError, UnsupportedReleaseError
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.api_use import ApiUse
from explorer.model.document import Document
from explorer.model.rehearsal import Rehearsal


class PlanRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a plan, in addition to NEW and OLD."""

    flink_version: str | None = None
    """NEW's release; None: the document's own, else the newest."""
    allow_non_restored: bool = False
    matches: Mapping[str, str] = {}
    """By operator of OLD, the new operator that it is; see ``chosen_matches``."""
    options: Mapping[str, object] = {}
    """Options of the new cluster that win over NEW's own."""
    old_options: Mapping[str, object] | None = None
    """The same for OLD; None: those of the new cluster."""
    rehearsal: Rehearsal | None = None
    """A rehearsal of the same savepoint and program."""
    read_from: str = ""
    """What NEW was read from."""
    upgrade: Upgrade | None = None
    """Of a Kubernetes resource: how the operator deploys it."""
    api_uses: tuple[ApiUse, ...] | None = None
    """What NEW's classes use of the API that releases changed; None: its classes are not known."""
    notes: tuple[str, ...] = ()
    """What was assumed while NEW was read, a sentence each; worth a warning."""
    remarks: tuple[str, ...] = ()
    """Which options were applied to which side, a sentence each."""
    capture_with: Callable[[Mapping[str, str]], Document] | None = None
    """Captures NEW with further options, to try what findings propose; None: it cannot be."""


def make_plan(
    document: Document, baseline: Baseline | None = None, request: PlanRequest | None = None
) -> Plan:
    """The plan of deploying ``document`` in place of ``baseline``; None: a first deployment.

    That Flink refuses NEW is a verdict. Raises ``ExplorerError`` where OLD does not compile, where
    a match names no operator or where the rehearsal is of another release.
    """
    asked = request or PlanRequest()
    try:
        new = compile_program(document, asked.flink_version)
        new.execution_graph  # noqa: B018 - what Flink refuses when the job starts is a refusal too
    except (FlinkRefusalError, UnsupportedReleaseError) as error:
        return _refused(document, baseline, asked, error)
    return plan_of(plan_case(document, new, baseline, asked), asked.read_from)


def plan_case(
    document: Document,
    new: Compilation,
    baseline: Baseline | None = None,
    request: PlanRequest | None = None,
) -> PlanCase:
    """Both sides, compiled and matched, with the restore verdict; for ``plan_of``."""
    asked = request or PlanRequest()
    case = PlanCase(
        document=document,
        new=new,
        options=asked.options,
        upgrade=asked.upgrade,
        api_uses=asked.api_uses,
        notes=asked.notes,
        remarks=asked.remarks,
        capture_with=asked.capture_with,
    )
    if baseline is None:
        return case
    baseline, old = with_matches(baseline, new, asked.matches)
    found = redeploy_from(old, baseline, document, new, allow_non_restored=asked.allow_non_restored)
    if asked.rehearsal is not None:
        rehearsed = with_rehearsal(found.restore, asked.rehearsal)
        found = msgspec.structs.replace(found, restore=rehearsed)
    return msgspec.structs.replace(
        case,
        baseline=baseline,
        old=old,
        redeployment=found,
        rehearsal=asked.rehearsal,
        old_options=asked.options if asked.old_options is None else asked.old_options,
    )


def plan_of(case: PlanCase, read_from: str = "") -> Plan:
    """The plan of a case that is compiled, matched and judged already.

    ``read_from``: what NEW was read from; default: its name.
    """
    fixes = state_fixes(case)
    sections = (
        state_section(case, fixes.by_operator),
        graph_section(case),
        resources_section(case),
        release_section(case),
        checks_section(case),
    )
    verdict = worst(one.verdict for one in sections)
    return Plan(
        verdict=verdict,
        sentence=next(one.sentence for one in sections if one.verdict == verdict),
        old=old_side(case.baseline, case) if case.baseline else None,
        new=_new_side(case.document, read_from, case.new.release.version),
        sections=sections,
        fixes=fixes.fixes,
        checked=_checked(case),
        unchecked=_unchecked(case),
        documents=PlanDocuments(old=case.old_document, new=case.document),
    )


def _new_side(document: Document, read_from: str, release: str | None) -> PlanSide:
    return PlanSide(read_from=read_from or document.name, release=release, job=document.name)


def old_side(baseline: Baseline, case: PlanCase | None = None) -> PlanSide:
    """What OLD was read from."""
    document, savepoint = baseline.document, baseline.savepoint
    program = case.old_program if case else None
    size = sum(one.state_bytes for one in savepoint.operators) if savepoint else None
    return PlanSide(
        read_from=baseline.name,
        release=program.release.version if program else baseline.release,
        job=document.name if document else None,
        savepoint=(Path(savepoint.path).name or "savepoint") if savepoint else None,
        state_bytes=size,
    )


def _checked(case: PlanCase) -> tuple[str, ...]:
    """What was checked, in the order of the sections."""
    found = None if case.drops_state else case.redeployment
    restore = found.restore if found else None
    graph = ("tasks, chains and partitioners",) if case.old_program else ()
    return (
        *(restore.checked if restore else ()),
        *graph,
        "memory",
        "slots",
        "network buffers",
        "findings of check",
    )


def _unchecked(case: PlanCase) -> tuple[str, ...]:
    """Checks of Flink that were not made, each with its reason."""
    found = case.redeployment
    if found is None or case.drops_state:
        return ()
    aspects = (f"{one.aspect}: {one.because}" for one in found.restore.coverage if not one.checked)
    return (*aspects, *found.assumptions)


def _refused(
    document: Document, baseline: Baseline | None, asked: PlanRequest, error: ExplorerError
) -> Plan:
    """The plan of a program that Flink refuses: nothing else can be computed."""
    refusal = PlanChange(
        subject="the job", before=None, after="refused", sentence=str(error), severity="error"
    )
    sentence = f"Flink refuses the program: {error}"
    return Plan(
        verdict="do_not_deploy",
        sentence=sentence,
        old=old_side(baseline) if baseline else None,
        new=_new_side(document, asked.read_from, asked.flink_version or document.flink),
        sections=only_section("graph", sentence, (refusal,)),
        checked=("the program itself",),
        unchecked=("everything else: Flink refuses the program",),
        documents=PlanDocuments(old=baseline.document if baseline else None, new=document),
    )


def only_section(
    name: SectionName, sentence: str, rows: Sequence[PlanChange]
) -> tuple[PlanSection, ...]:
    """All sections, of which one has rows and the others are not computed."""
    return tuple(
        plan_section(one, sentence, rows)
        if one == name
        else plan_section(one, "Not computed.", least="unchecked")
        for one in SECTIONS
    )
