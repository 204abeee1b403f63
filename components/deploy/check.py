"""The check tab: what may be wrong, each with what would fix it as a button; and marks on graphs.

Fixes are tried for the findings on screen alone, since each compiles the document again; in a large
document they are tried when the user asks for them.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import streamlit as st

from components.deploy import finding_list, strip
from components.deploy.finding_list import FindingRow
from components.session import editing, session
from components.session.callbacks import attempt
from components.session.keys import Key
from components.session.measured import Measured, measured
from components.session.work import Work, file_stem, selected
from components.widgets.escaping import markup
from components.widgets.pieces import fix_button, hint, section, verdict_line
from explorer.checks import Finding, Findings
from explorer.checks.findings import LEVELS
from explorer.checks.fixes import FixTrials
from explorer.checks.lock import ENDING, lock_text, make_lock
from explorer.checks.table import BY_CODE
from explorer.drawing.view.annotations import Mark
from explorer.drawing.view.elements import GraphView, element_key
from explorer.drawing.view.one_line import shortened
from explorer.errors import ExplorerError
from explorer.explain.suggested_fixes import SuggestedFix
from explorer.model.document import Document
from explorer.wording import capitalized, counted

MARKED: Final = 1_000
"""A document of more parts is only checked when the tab is open."""
MOST: Final = 30
"""Findings on screen at once."""
TRIED: Final = 1_000
"""Parts of a document times findings with fixes that are tried without a request."""
TIP: Final = 160
"""Characters of a finding's message that the tip of its mark shows."""
FEW: Final = 8
"""A finding about more operators marks none of them: it is about the job."""
ALL: Final = "all"


def show(work: Work, verdict: Measured) -> None:
    """Draw the verdict, the choice of severities and the findings."""
    findings = _ask_rules(work)
    with st.container(key="check-bar", horizontal=True, vertical_alignment="center"):
        st.html(
            f'<div class="x-outcome">{markup(capitalized(findings.sentence))}</div>',
            width="stretch",
        )
        chosen = st.segmented_control(
            "Severity",
            (ALL, *LEVELS),
            key=Key.SEVERITY,
            default=ALL,
            label_visibility="collapsed",
            width="content",
        )
        _lock_button(work)
    shown = [
        turn
        for turn, finding in enumerate(findings.findings)
        if chosen in {None, ALL, finding.severity}
    ]
    with st.container(key="check-body"):
        if verdict.shown_verdict is not None:
            st.html(verdict_line(verdict.shown_verdict))
        fixes = _ask_fixes(work, findings, shown)
        if not shown:
            st.html(hint("No findings of this severity."))
        else:
            finding_list.show([_row(turn, fixes) for turn in shown[:MOST]], key=Key.FINDING_LIST)
        if len(shown) > MOST:
            remainder = f"and {len(shown) - MOST:,} more: fix these, choose a weight, or ask "
            st.html(hint(f"{remainder}<code>python -m explorer check</code> for all."))


def show_findings(
    work: Work, view: GraphView, key: str, *, offered: frozenset[str] = frozenset()
) -> None:
    """Draw the findings of a selected operator or edge with their fixes, a note's when asked for.

    ``offered``: labels of fixes that the panel has already.
    """
    findings = marked(work)
    if findings is None:
        return
    turns = [
        turn for turn, finding in enumerate(findings.findings) if key in _marked_keys(finding, view)
    ]
    if not turns:
        return
    # Nearly every operator has a note: its fixes would cost each selection some compilations.
    tried = [turn for turn in turns if findings.findings[turn].severity != "note"]
    fixes = _ask_fixes(work, findings, tried)
    with st.container(key="found"):
        st.html(section(counted(len(turns), "finding")))
        for turn in turns:
            st.html(_message(findings.findings[turn]))
            _fix_buttons(turn, fixes, offered)


def _ask_fixes(work: Work, findings: Findings, shown: Sequence[int]) -> "_Fixes":
    """Return the document's fixes; those of the shown findings are tried while it is small."""
    fixes = session.latest("check-fixes", (work.document, findings), _Fixes)
    fixes.ask(*shown[: TRIED // max(work.document.parts, 1)])
    return fixes


def _ask_rules(work: Work) -> Findings:
    """Return the findings, with the restore verdict of a chosen baseline."""
    verdict = measured(work, session.compiled(work.document))
    return session.findings(work.document, verdict.verdict if verdict.chosen else None)


def _lock_button(work: Work) -> None:
    compilation = session.compiled(work.document).compilation
    if compilation is not None:
        st.download_button(
            "Lock",
            session.shared("lock", (compilation,), lambda value: lock_text(make_lock(value))),
            file_name=f"{file_stem(work)}.yaml{ENDING}",
            mime="application/yaml",
            on_click="ignore",
            help="IDs, names, chains and maximum parallelisms as a file: "
            "`python -m explorer check --locked` fails when one of them changes",
        )


class _Fixes:
    """The fixes of one document's findings, each computed once, after it was asked for."""

    def __init__(self, document: Document, findings: Findings) -> None:
        self.pipeline, self.found = document.pipeline, findings
        self.asked: set[int] = set()
        self.known: dict[int, tuple[SuggestedFix, ...]] = {}

    def ask(self, *turns: int) -> None:
        """Have the fixes of the findings at these positions computed when they are drawn."""
        self.asked.update(turns)

    def can_suggest(self, turn: int) -> bool:
        """Whether the finding has fixes that were not requested yet."""
        finding = self.found.findings[turn]
        tried = turn in self.asked or self.pipeline is None
        return not tried and finding.counts and bool(finding.proposals)

    def of(self, turn: int) -> tuple[SuggestedFix, ...]:
        """The fixes of a finding; empty for StreamGraph documents, which have no pipeline."""
        finding = self.found.findings[turn]
        is_tried = turn in self.asked and finding.counts and bool(finding.proposals)
        if self.pipeline is None or not is_tried:
            return ()
        if turn not in self.known:
            session.pause()
            old_compilation = session.compiled(self.pipeline).compilation
            trials = FixTrials(self.pipeline, before=old_compilation)
            self.known[turn] = tuple(trials.fixes(finding))
        return self.known[turn]


def _row(turn: int, fixes: _Fixes) -> FindingRow:
    finding, suggested_fixes = fixes.found.findings[turn], fixes.of(turn)
    place = element_key(finding.edge, next(iter(finding.nodes), None))
    quiet = ""
    if finding.silenced is not None:
        quiet = f'<p class="x-found x-quiet">because: {markup(finding.silenced)}</p>'
    return FindingRow(
        message=_message(finding) + quiet,
        rule=BY_CODE[finding.code],
        select=None if place is None else partial(_select, place),
        fixes=[(fix, partial(editing.fix, fix.pipeline)) for fix in suggested_fixes],
        suggest=partial(fixes.ask, turn) if fixes.can_suggest(turn) else None,
        advice=_advice(finding) if finding.counts and not suggested_fixes else "",
    )


def _message(finding: Finding) -> str:
    weight = finding.severity if finding.counts else "silenced"
    return (
        f'<div class="x-finding"><span class="x-weight {weight}">{weight}</span>'
        f"<b>{markup(finding.title)}</b></div>"
        f'<p class="x-found">{markup(finding.message, 800)}</p>'
    )


def _fix_buttons(turn: int, fixes: _Fixes, offered: frozenset[str]) -> None:
    """Draw the fixes of a finding in a panel that has the ``offered`` ones, or its advice."""
    finding, suggested_fixes = fixes.found.findings[turn], fixes.of(turn)
    for number, fix in enumerate(suggested_fixes):
        if fix.label not in offered:
            fix_button(
                f"fix-panel-{turn}-{number}",
                f"panel-fix.{turn}.{number}",
                fix.label,
                fix.effect,
                editing.fix,
                (fix.pipeline,),
            )
    if fixes.can_suggest(turn):
        st.button("Suggest fixes", key=f"panel-suggest.{turn}", on_click=fixes.ask, args=(turn,))
    elif not suggested_fixes and finding.counts:
        st.html(f'<p class="x-advice">{markup(_advice(finding), 900)}</p>')


def _advice(finding: Finding) -> str:
    todo = BY_CODE[finding.code].todo
    return f"{todo} {finding.option_fix}" if finding.option_outcome else todo


def _select(key: str) -> None:
    """Select an element, and show it in the graphs."""
    st.session_state[Key.STRIP] = strip.GRAPHS
    attempt(session.PAGE, lambda work: selected(work, key))


def marked(work: Work) -> Findings | None:
    """Return the findings to mark on the graph; None for a document too large to check unasked."""
    if work.document.parts > MARKED:
        return None
    try:
        return _ask_rules(work)
    except ExplorerError:
        return None


def marks(findings: Findings, view: GraphView) -> Mapping[str, Mark]:
    """Map the key of each node, edge or chain to its findings, the most severe first."""
    at: dict[str, list[Finding]] = {}
    for finding in findings.findings:
        for key in _marked_keys(finding, view):
            at.setdefault(key, []).append(finding)
    marked = {}
    for key, (first, *remaining_findings) in at.items():
        codes = dict.fromkeys(item.code for item in (first, *remaining_findings))
        line = f"{first.severity}: {', '.join(codes)}"
        tip = "\n".join(
            f"{finding.severity} {finding.code}: {shortened(finding.message, TIP)}"
            for finding in (first, *remaining_findings)[:FEW]
        )
        marked[key] = Mark(severity=first.severity, line=line, tip=tip)
    return marked


def _marked_keys(finding: Finding, view: GraphView) -> tuple[str, ...]:
    """Return the key of an edge, or of operators and their chains."""
    if not finding.counts or (finding.edge is None and len(finding.nodes) > FEW):
        return ()
    if finding.edge is not None:
        return (f"e{finding.edge}",)
    nodes = [f"n{node}" for node in finding.nodes if f"n{node}" in view.node_of]
    return tuple(dict.fromkeys((*nodes, *(view.node_of[key].vertex for key in nodes))))
