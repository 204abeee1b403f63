"""The place Deploy: the plan's verdict, its fixes, and what changes, by section."""

from collections.abc import Sequence
from typing import Final

import msgspec
import streamlit as st

from components.deploy import baselines
from components.session import actions, places, session
from components.session.compiled import CompileOutcome
from components.session.file_plan import shown_graphs, uploaded_plan
from components.session.measured import Measured
from components.session.work import Work
from components.widgets import complaint, copy, table
from components.widgets.escaping import markup, named_versions
from components.widgets.pieces import NOT_YET, fix_button, place_button, section
from components.widgets.table import Cell, Column, Row
from explorer.documents import Document
from explorer.drawing.text.plan_mermaid import plan_diagram
from explorer.drawing.view.elements import element_key
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.plans import Plan, PlanChange, PlanFix, PlanSection, plan_of
from explorer.plans.markdown import plan_markdown
from explorer.plans.plan_case import PlanCase
from explorer.plans.record import PlanVerdict
from explorer.plans.words import short_ids, values
from explorer.wording import counted

COLUMNS: Final = (
    Column("part"),
    Column("change", "wrap"),
    Column("what it means", "wrap"),
    Column("what to do", "wrap"),
)
TONES: Final[dict[PlanVerdict, str]] = {
    "deploy": "good",
    "attention": "warn",
    "unchecked": "warn",
    "do_not_deploy": "bad",
}
"""By verdict, the class of the card and of a section's mark."""
UNMEASURED: Final = "idle"
"""The class in place of ``good`` before a baseline was chosen: nothing was measured yet."""
WORDS: Final[dict[PlanVerdict, str]] = {"deploy": "no objection", "attention": "attention"}
"""By verdict of a section without an error, its mark."""
EVIDENCE: Final = {
    "state": places.RESTORE,
    "graph": "Compare",
    "resources": places.RESOURCES,
    "release": "Compare",
    "checks": "Check",
}
"""By section, the tab that holds the evidence."""
MOST: Final = 200
"""Rows of a section's details."""
INTRO: Final = (
    "Upload the deployed version, as a pipeline document, a captured job or a savepoint's "
    "<i>_metadata</i>. It becomes the baseline."
)


def plan_at_hand(work: Work, outcome: CompileOutcome, verdict: Measured) -> Plan | str:
    """Return the plan of the open document against the baseline; a sentence where there is none."""
    uploaded = uploaded_plan(work)
    if uploaded is not None:
        return uploaded
    if outcome.compilation is None:
        return f"There is no plan {NOT_YET}"
    case = case_at_hand(work, outcome, verdict)
    return session.shared("plan", (case,), _compute_plan) if case else verdict.error


def case_at_hand(work: Work, outcome: CompileOutcome, verdict: Measured) -> PlanCase | None:
    """Return what the plan is computed of; None where there is none, or where it was uploaded."""
    if uploaded_plan(work) is not None or outcome.compilation is None or verdict.error:
        return None
    return session.shared("plan-case", (work.document, outcome.compilation, verdict), _case)


def _case(document: Document, compilation: Compilation, against: Measured) -> PlanCase:
    verdict = against.verdict
    return PlanCase(
        document=document,
        new=compilation,
        baseline=against.baseline if verdict else None,
        old=against.old if verdict else None,
        restore=verdict,
    )


def _compute_plan(case: PlanCase) -> Plan | str:
    try:
        return plan_of(case)
    except ExplorerError as error:
        return str(error)


def show(work: Work, outcome: CompileOutcome, verdict: Measured) -> None:
    """Draw the verdict card and a section for each part of the plan."""
    plan = plan_at_hand(work, outcome, verdict)
    with st.container(key="plan-body"):
        if isinstance(plan, str):
            complaint.say(plan)
            return
        note = "" if uploaded_plan(work) is None else shown_graphs(plan)
        if _awaits_baseline(work, plan, verdict):
            _bring()
            return
        chosen = has_baseline(work, verdict)
        tone = _tone(plan.verdict, chosen=chosen)
        with st.container(key=f"plan-card-{tone}"):
            st.html(
                f'<h2 class="x-plan-title">{markup(plan.title)}</h2>'
                f'<p class="x-plan-reason">{markup(_worded(plan.sentence), 600)}</p>'
                + (f'<p class="x-plan-note">{markup(note)}</p>' if note else "")
            )
            for turn, fix in enumerate(plan.fixes):
                _fix(fix, turn, verdict)
            _copies(plan)
        for plan_section in plan.sections:
            _section(
                plan_section,
                work.selection,
                tone=_tone(plan_section.verdict, chosen=chosen),
                evidence=plan.documents.new is not None,
            )
        st.html(_coverage(plan))


def _worded(text: str) -> str:
    return named_versions(short_ids(text))


def _fix(fix: PlanFix, turn: int, verdict: Measured) -> None:
    fix_button(
        f"plan-fix-{turn}",
        f"fix-{turn}",
        named_versions(fix.label),
        _worded(fix.outcome),
        baselines.replace_program,
        (fix.document,),
        longest=120,
        disabled=verdict.verdict is None or not fix.document,
        horizontal=True,
        vertical_alignment="center",
    )


def _bring() -> None:
    """Draw what a first visit has to bring."""
    with st.container(key=f"plan-card-{UNMEASURED}"):
        st.html(
            '<h2 class="x-plan-title">Choose a baseline</h2>'
            f'<p class="x-plan-reason">{INTRO} The verdict on this document is read against it.</p>'
        )


def has_baseline(work: Work, verdict: Measured) -> bool:
    """Whether the user chose what to compare with, or uploaded a plan, which has a baseline."""
    return verdict.chosen or uploaded_plan(work) is not None


def _awaits_baseline(work: Work, plan: Plan, verdict: Measured) -> bool:
    """Whether there is nothing to judge: no baseline, and a document as it was opened."""
    tone = _tone(plan.verdict, chosen=has_baseline(work, verdict))
    return tone == UNMEASURED and work.document == work.opened


def _tone(verdict: PlanVerdict, *, chosen: bool) -> str:
    tone = TONES[verdict]
    return UNMEASURED if tone == "good" and not chosen else tone


def _section(
    plan_section: PlanSection, selection: str | None, *, tone: str, evidence: bool
) -> None:
    with st.container(key=f"plan-section-{plan_section.name}"):
        with st.container(key=f"plan-head-{plan_section.name}", horizontal=True):
            st.html(
                f'<div class="x-plan-head"><b>{plan_section.name.capitalize()}</b>'
                f'<span class="x-chip {tone}">{_word(plan_section)}</span>'
                f"<span>{markup(_worded(plan_section.sentence), 400)}</span></div>",
                width="stretch",
            )
            if evidence:
                place = EVIDENCE[plan_section.name]
                place_button(place, place, key=f"evidence-{plan_section.name}", type="tertiary")
        if plan_section.changes:
            _table(
                plan_section.first,
                f"plan-{plan_section.name}",
                f"Changes: {plan_section.name}",
                selection,
            )
        details = (*plan_section.rest, *plan_section.unchanged)
        if details:
            with st.expander(f"Details: {counted(len(details), 'more line')}"):
                _table(
                    details[:MOST],
                    f"details-{plan_section.name}",
                    f"Details: {plan_section.name}",
                    selection,
                )


def _word(plan_section: PlanSection) -> str:
    if plan_section.verdict == "do_not_deploy":
        errors = [change.after for change in plan_section.changes if change.severity == "error"]
        is_lost = plan_section.name == "state" and not {"keys lost", "fails"}.isdisjoint(errors)
        kind = (
            "lost or failing"
            if is_lost
            else "refused"
            if plan_section.name == "state"
            else "failing"
        )
        return f"{len(errors):,} {kind}"
    return WORDS.get(plan_section.verdict, "not fully checked")


def _table(changes: Sequence[PlanChange], key: str, label: str, selection: str | None) -> None:
    table.show(
        COLUMNS,
        [Row(element_key(change.edge, change.node), _cells(change)) for change in changes],
        label=label,
        key=key,
        selection=selection,
        height="content",
        on_pick=actions.pick,
    )


def _cells(plan_change: PlanChange) -> tuple[Cell, ...]:
    tone = "bad" if plan_change.severity == "error" else ""
    change = (
        {"text": _worded(values(plan_change)), "tone": tone}
        if tone
        else _worded(values(plan_change))
    )
    text = (
        ""
        if plan_change.sentence.startswith(f"{plan_change.subject}: ")
        else _worded(plan_change.sentence)
    )
    return (plan_change.subject, change, text, named_versions(plan_change.fix or ""))


def _coverage(plan: Plan) -> str:
    checked = "".join(f"<li>✓ {markup(item, 200)}</li>" for item in plan.checked)
    remainder = "".join(f"<li>○ {markup(item, 300)}</li>" for item in plan.unchecked)
    return section("Checked") + f'<ul class="x-checked">{checked}{remainder}</ul>'


def _copies(plan: Plan) -> None:
    """Draw the buttons that copy and download the plan."""
    with st.container(key="plan-copies", horizontal=True):
        copy.show_text(
            key="plan-copy",
            label="Copy as Markdown",
            text=plan_markdown(plan, plan_diagram(plan.changed_graph)),
        )
        for form, ending, make in (
            ("Markdown", "md", lambda: plan_markdown(plan, plan_diagram(plan.changed_graph))),
            ("JSON", "json", lambda: msgspec.json.encode(plan.to_dict()).decode()),
        ):
            st.download_button(
                f"Download the plan ({form})",
                make,
                file_name=f"plan.{ending}",
                key=f"plan-{form.lower()}",
                on_click="ignore",
            )
