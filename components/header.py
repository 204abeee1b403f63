"""The title bar: places, search, release, baseline and sharing; and the open document's head."""

import html
from collections.abc import Callable

import streamlit as st

from components.deploy.plan import TONES as TONES_OF_PLANS
from components.deploy.plan import UNMEASURED, plan_at_hand
from components.run.trial import runs
from components.server.hosting import hosting
from components.session import actions, places, session
from components.session.compiled import CompileOutcome
from components.session.file_plan import uploaded_plan
from components.session.keys import Key
from components.session.measured import Measured
from components.session.work import Work
from components.source import sharing
from components.widgets.escaping import cut, markup, plain
from components.widgets.pieces import release_menu, verdict_tone
from explorer.documents.samples import sample_titles
from explorer.drawing.layout.captions import sizes
from explorer.flink.releases import LATEST, release
from explorer.plans import Plan
from explorer.wording import counted


def show(
    work: Work,
    outcome: CompileOutcome,
    verdict: Measured,
    *,
    linked: bool,
    finder: Callable[[], None],
) -> None:
    """Draw the bar.

    ``verdict``: the baseline; ``linked``: whether a link holds it all; ``finder`` draws the button
    that finds anything.
    """
    with st.container(key=Key.TOP, horizontal=True, vertical_alignment="center"):
        st.html('<h1 class="x-title">StreamGraph Explorer</h1>', width="content")
        places.show()
        finder()
        if places.current()[0] != "Deploy":
            _release(work)
        _baseline(work, outcome, verdict)
        for name, step, steps in (
            ("Undo", actions.undo, work.history.past),
            ("Redo", actions.redo, work.history.future),
        ):
            icon = f":material/{name.lower()}:"
            st.button(name, key=name.lower(), icon=icon, on_click=step, disabled=not steps)
        with st.popover("Share", key=Key.SHARE, on_change="rerun") as share:
            if share.open:
                sharing.show(work, linked=linked, key="share")


def document(work: Work, outcome: CompileOutcome, verdict: Measured) -> None:
    """Draw the head of the left panel: the open document, chaining, and the counts."""
    with st.container(key=Key.DOCUMENT):
        _sample(work)
        _facts(work, outcome, verdict)
        with st.container(key="document-actions", horizontal=True, vertical_alignment="center"):
            _whole(work)
            if hosting().trials:
                st.button("▶ Trial run", key="trial", on_click=runs.start)


def new_version(work: Work, outcome: CompileOutcome, verdict: Measured) -> None:
    """Draw the menus and the counts of the version to deploy."""
    with st.container(key=Key.DOCUMENT, horizontal=True, vertical_alignment="center"):
        _release(work)
        _sample(work)
        _whole(work)
        _facts(work, outcome, verdict)


def _whole(work: Work) -> None:
    """Draw what changes the document as a whole."""
    key = work.widget(Key.CHAINING)
    st.session_state[key] = work.document.chaining
    st.toggle("Chaining", key=key, on_change=actions.set_chaining, args=(key,), width="content")
    st.button("New", key="new", on_click=actions.open_new)


def _release(work: Work) -> None:
    release_menu(
        "Flink release",
        key=work.widget(Key.FLINK),
        version=release(work.document.flink or LATEST).version,
        on_change=actions.set_release,
    )


def _facts(work: Work, outcome: CompileOutcome, verdict: Measured) -> None:
    # Changes come first: a narrow panel cuts the line off at its end.
    text = f"{_count_changed_ids(verdict)}{counts(outcome)}{_describe_check(work, outcome)}"
    if warned := len(outcome.compilation.warnings) if outcome.compilation else 0:
        hint = "The panel on the right lists them while nothing is selected"
        text += f' · <b class="x-bad" title="{hint}">{counted(warned, "warning")}</b>'
    st.html(f'<div class="x-counts">{text}</div>')


def _count_changed_ids(verdict: Measured) -> str:
    """Return the number of IDs that changed or are gone, red where state is not restored."""
    if verdict.verdict is None or not verdict.verdict.changed_ids:
        return ""
    changed = verdict.verdict.changed_ids
    gone = sum(operator.change == "lost" for operator in changed)
    bad = any(operator.endangered for operator in changed)
    parts = [
        f"{counted(count, 'ID')} {word}"
        for count, word in ((len(changed) - gone, "changed"), (gone, "removed"))
        if count
    ]
    remainder = "" if bad else ", no state lost"
    return f'<b class="{"x-bad" if bad else "x-good"}">{", ".join(parts)}{remainder}</b> · '


def _baseline(work: Work, outcome: CompileOutcome, verdict: Measured) -> None:
    """The baseline with its release and the verdict; it opens the place *Deploy*.

    An uploaded plan has its own verdict, which rests on more than both documents.
    """
    plan = uploaded_plan(work)
    tone = _chip_tone(work, outcome, verdict)
    chip = _chip(verdict)
    reason = plain(verdict.verdict.headline, 400) if verdict.verdict else None
    if plan is not None:
        tone, chip = TONES_OF_PLANS[plan.verdict], f"Uploaded plan: {plan.title}"
        reason = plain(plan.headline, 400)
    with st.container(key=f"verdict-{tone}", width="content"):
        st.button(
            plain(chip, 80),
            key="baseline",
            help=reason,
            on_click=places.go,
            args=(places.PLAN,),
        )


def _chip_tone(work: Work, outcome: CompileOutcome, verdict: Measured) -> str:
    """Return the colour of the chip; green where the plan has no objection either.

    A plan reads more than the restore: *Deploy* computes it, elsewhere the chip waits for none.
    """
    tone = verdict_tone(verdict.shown_verdict) if verdict.shown_verdict else UNMEASURED
    if tone != "good":
        return tone
    plan = plan_at_hand(work, outcome, verdict) if places.current()[0] == "Deploy" else None
    return tone if isinstance(plan, Plan) and plan.verdict == "deploy" else UNMEASURED


def _chip(verdict: Measured) -> str:
    if verdict.baseline is None:
        return "Baseline: none"
    if not verdict.chosen:
        changed = verdict.verdict is not None and verdict.verdict.changed_ids
        answer = f": {verdict.verdict.answer}" if changed and verdict.verdict else ""
        return f"Baseline: original{answer}"
    program = verdict.old.program if verdict.old else None
    version = f" ({program.release.version})" if program else ""
    answer = f": {verdict.verdict.answer}" if verdict.verdict else ""
    return f"vs. {cut(verdict.baseline.name, 24)}{version}{answer}"


def counts(outcome: CompileOutcome) -> str:
    """How many operators, tasks and slots there are.

    >>> counts(CompileOutcome())
    ''
    """
    return "" if outcome.view is None else sizes(outcome.view)


def _describe_check(work: Work, outcome: CompileOutcome) -> str:
    """Return whether a captured program is translated as its Flink translates it."""
    check = session.checked(outcome.compilation, work.document) if outcome.compilation else None
    if check is None:
        return ""
    tone = "x-good" if check.equal else "x-bad"
    return f' · <b class="{tone}" title="{html.escape(check.sentence)}">{markup(check.short)}</b>'


def _sample(work: Work) -> None:
    """Draw the menu of samples; its field cannot wrap, so the whole name lies over it."""
    titles = sample_titles()
    key = work.widget(Key.SAMPLE)
    st.session_state[key] = work.origin if work.origin in titles else None
    name = titles.get(work.origin) or cut(work.document.name, 80) or "Pick a sample"
    with st.container(key="sample-menu"):
        st.html(f'<div class="x-sample" aria-hidden="true">{markup(name)}</div>')
        st.selectbox(
            "Sample",
            list(titles),
            format_func=lambda value: titles[value],
            key=key,
            on_change=actions.open_sample,
            args=(key,),
            placeholder=name,
            label_visibility="collapsed",
            width="stretch",
        )
