"""Compute a ``Plan`` from OLD, NEW and a savepoint, with the records of the other commands."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from explorer.comparison.baseline import Baseline, compile_baseline
from explorer.errors import FlinkRefusalError, UnsupportedReleaseError
from explorer.flink.compiler import Compilation, compile_program, with_overrides
from explorer.model.document import Document
from explorer.plans.checks import checks_section
from explorer.plans.fixes import state_fixes
from explorer.plans.graph import graph_section
from explorer.plans.graph_comparison import compare_graphs
from explorer.plans.plan_case import PlanCase, PlanRequest
from explorer.plans.record import (
    SECTIONS,
    Plan,
    PlanChange,
    PlanDocuments,
    PlanSection,
    PlanSide,
    SectionName,
    notice,
    plan_section,
    worst,
)
from explorer.plans.release import release_section
from explorer.plans.resources import resources_section
from explorer.plans.state import state_section
from explorer.restore.rehearsed_verdicts import with_rehearsal
from explorer.restore.verdict import restore


def make_plan(
    document: Document, baseline: Baseline | None = None, request: PlanRequest | None = None
) -> Plan:
    """Plan to deploy ``document`` in place of ``baseline``; None: a first deployment.

    A refusal of NEW by Flink is a verdict. Raises ``ExplorerError`` if OLD does not compile, a
    match names no operator, or the rehearsal is of another release.
    """
    plan_request = request or PlanRequest()
    try:
        new = compile_program(document, plan_request.flink_version)
        new = with_overrides(new, {**document.options, **plan_request.options})
        new.execution_graph  # noqa: B018 - Flink may refuse when the job starts
    except (FlinkRefusalError, UnsupportedReleaseError) as error:
        sentence = f"Flink refuses the program: {error}"
        return failure_plan(
            "graph",
            sentence,
            (notice(str(error), "error", after="refused"),),
            new=_new_side(document, plan_request, plan_request.flink_version or document.flink),
            baseline=baseline,
            document=document,
            checked="the program itself",
            because="Flink refuses the program",
        )
    return plan_of(plan_case(document, new, baseline, plan_request))


def plan_case(
    document: Document,
    new: Compilation,
    baseline: Baseline | None = None,
    request: PlanRequest | None = None,
) -> PlanCase:
    """Match both sides and compute the restore verdict; for ``plan_of``."""
    plan_request = request or PlanRequest()
    if baseline is None:
        return PlanCase(document=document, new=new, request=plan_request)
    old = compile_baseline(baseline, new.release.version)
    case = PlanCase(document=document, new=new, request=plan_request, baseline=baseline, old=old)
    allowed = plan_request.allow_non_restored and not case.ignores_allowance
    verdict = restore(
        old,
        document,
        new,
        allowed,
        configuration=plan_request.options,
        matches=plan_request.matches,
    )
    if case.ignores_allowance:
        verdict = msgspec.structs.replace(verdict, dropped_if_allowed=None)
    if plan_request.rehearsal is not None:
        verdict = with_rehearsal(verdict, plan_request.rehearsal)
    return msgspec.structs.replace(case, restore=verdict)


def plan_of(case: PlanCase) -> Plan:
    """The plan of a case that is compiled, matched and judged already."""
    fixes = state_fixes(case)
    sections = (
        state_section(case, fixes.by_operator),
        graph_section(case),
        resources_section(case),
        release_section(case),
        checks_section(case),
    )
    verdict = worst(section.verdict for section in sections)
    return Plan(
        verdict=verdict,
        sentence=next(section.sentence for section in sections if section.verdict == verdict),
        old=old_side(case.baseline, case) if case.baseline else None,
        new=_new_side(case.document, case.request, case.new.release.version),
        sections=sections,
        fixes=fixes.fixes,
        checked=_list_checked(case),
        unchecked=_list_unchecked(case),
        changed_graph=compare_graphs(case),
        documents=PlanDocuments(old=case.old_document, new=case.document),
    )


def _new_side(document: Document, plan_request: PlanRequest, release: str | None) -> PlanSide:
    return PlanSide(
        read_from=plan_request.read_from or document.name, release=release, job=document.name
    )


def old_side(baseline: Baseline, case: PlanCase | None = None) -> PlanSide:
    """The record of OLD."""
    document, savepoint = baseline.document, baseline.savepoint
    program = case.old_program if case else None
    size = sum(operator.state_bytes for operator in savepoint.operators) if savepoint else None
    return PlanSide(
        read_from=baseline.name,
        release=program.release.version if program else baseline.release,
        job=document.name if document else None,
        savepoint=(Path(savepoint.path).name or "savepoint") if savepoint else None,
        state_bytes=size,
    )


def _list_checked(case: PlanCase) -> tuple[str, ...]:
    result = None if case.drops_state else case.restore
    graph = ("tasks, chains and partitioners",) if case.old_program else ()
    parts = ("memory", "slots", "network buffers", "findings of check")
    return (*(result.checked if result else ()), *graph, *parts)


def _list_unchecked(case: PlanCase) -> tuple[str, ...]:
    result = case.restore
    if result is None or case.drops_state:
        return ()
    aspects = (
        f"{aspect_coverage.aspect}: {aspect_coverage.because}"
        for aspect_coverage in result.coverage
        if not aspect_coverage.checked
    )
    rehearsal = case.request.rehearsal
    return (*aspects, *result.assumptions, *(rehearsal.unchecked if rehearsal else ()))


def failure_plan(
    name: SectionName,
    sentence: str,
    rows: Sequence[PlanChange],
    *,
    new: PlanSide,
    baseline: Baseline | None,
    document: Document | None = None,
    checked: str,
    because: str,
) -> Plan:
    """The plan of a program without a job: one section has rows, nothing else is computed."""

    def section(section_name: SectionName) -> PlanSection:
        if section_name == name:
            return plan_section(section_name, sentence, rows)
        return plan_section(section_name, "Not computed.", least="unchecked")

    return Plan(
        verdict="do_not_deploy",
        sentence=sentence,
        old=old_side(baseline) if baseline else None,
        new=new,
        sections=tuple(map(section, SECTIONS)),
        checked=(checked,),
        unchecked=(f"everything else: {because}",),
        documents=PlanDocuments(old=baseline.document if baseline else None, new=document),
    )
