"""The title bar: which document and release, chaining, what came of it, what to do with it."""

import html
from collections.abc import Callable
from typing import Final

import streamlit as st

from components import actions, baselines, copy, session
from components.compiled import Compiled
from components.escaping import cut, markup, plain
from components.hosting import hosting
from components.keys import Key
from components.measured import Measured
from components.trial import runs
from components.work import Work, file_stem
from explorer.documents import document_texts
from explorer.documents.samples import sample_titles
from explorer.drawing.captions import sizes
from explorer.flink.releases import LATEST, VERSIONS
from explorer.wording import counted


def show(
    work: Work, done: Compiled, since: Measured, *, linked: bool, finder: Callable[[], None]
) -> None:
    """Draw the bar.

    ``since``: the baseline; ``linked``: whether a link holds it all; ``finder`` draws the button
    that finds anything.
    """
    with st.container(key=Key.TOP, horizontal=True, vertical_alignment="center"):
        st.html('<div class="x-title">◧<b>StreamGraph explorer</b></div>', width="content")
        _sample(work)
        _release(work)
        _chaining(work)
        # What changed comes first: a narrow bar cuts the line off at its end.
        said = f"{_changed(since)}{counts(done)}{_checked(work, done)}{_warned(done)}"
        st.html(f'<div class="x-counts">{said}</div>', width="stretch")
        finder()
        _baseline(since)
        st.button("↶ Undo", key="undo", on_click=actions.undo, disabled=not work.past)
        st.button("↷ Redo", key="redo", on_click=actions.redo, disabled=not work.future)
        if linked:
            copy.show(key="copy")
        else:
            with st.popover("Copy link", key="no-link"):
                st.write(
                    "The state is too large for a link (more than 6 KB). Send the document instead."
                )
                _file(work, "json", key="link-json")
        _download(work, linked=linked)
        if hosting().trials:
            st.button("▶ Trial run", key="trial", type="primary", on_click=runs.start)


def _changed(since: Measured) -> str:
    """How many IDs changed or are gone against the baseline, red where state does not restore."""
    if since.verdict is None or not since.verdict.changed_ids:
        return ""
    changed = since.verdict.changed_ids
    gone = sum(one.change == "lost" for one in changed)
    bad = any(one.endangered for one in changed)
    parts = [
        f"{counted(count, 'ID')} {word}"
        for count, word in ((len(changed) - gone, "changed"), (gone, "removed"))
        if count
    ]
    rest = "" if bad else ", no state lost"
    return f'<b class="{"x-bad" if bad else "x-good"}">{", ".join(parts)}{rest}</b> · '


def _baseline(since: Measured) -> None:
    """Name the baseline with its release and the verdict; let the user replace it."""
    with st.popover(plain(_chip(since), 64), key="baseline", help=_verdict(since)):
        st.html(f'<p class="x-hint">{_BASELINE[since.chosen]}</p>')
        if since.verdict is not None:
            st.html(f'<p class="x-hint">{markup(since.verdict.headline, 400)}</p>')
        if since.chosen and since.old is not None and since.old.program is not None:
            _baseline_release(since.old.program.release.version)
        st.button("Make this document the baseline", key="make", on_click=baselines.make_this)
        if since.chosen:
            st.button("Compare with the original", key="unmake", on_click=baselines.forget)


def _chip(since: Measured) -> str:
    """The baseline, its release, and the verdict in a few words."""
    if since.baseline is None:
        return "Baseline: none"
    if not since.chosen:
        changed = since.verdict is not None and since.verdict.changed_ids
        answer = f": {since.verdict.answer}" if changed and since.verdict else ""
        return f"Baseline: original{answer}"
    program = since.old.program if since.old else None
    release = f" ({program.release.version})" if program else ""
    answer = f": {since.verdict.answer}" if since.verdict else ""
    return f"vs. {cut(since.baseline.name, 18)}{release}{answer}"


def _verdict(since: Measured) -> str | None:
    return plain(since.verdict.headline, 400) if since.verdict else None


def _baseline_release(version: str) -> None:
    """The baseline's own release; the one in the title bar is the current version's."""
    key = session.widget(Key.BASELINE_FLINK)
    st.session_state[key] = version
    st.selectbox(
        "Flink release of the baseline",
        VERSIONS[::-1],
        format_func=lambda one: f"Flink {one}",
        key=key,
        on_change=baselines.set_release,
        args=(key,),
    )


_BASELINE: Final = {
    True: "The deployed version: every <i>changed</i> is measured from it. It stays when another "
    "document is opened; the link and the document hold it.",
    False: "No baseline is chosen: changes are measured from the document as it was opened. The "
    "tab <i>Restore</i> takes an older document or a savepoint instead.",
}


def counts(done: Compiled) -> str:
    """How many operators, tasks and slots there are.

    >>> counts(Compiled())
    ''
    """
    return "" if done.view is None else sizes(done.view)


def _checked(work: Work, done: Compiled) -> str:
    """Whether a captured program is translated as its Flink does; the panel has all of it."""
    check = session.checked(done.compilation, work.document) if done.compilation else None
    if check is None:
        return ""
    tone = "x-good" if check.equal else "x-bad"
    return f' · <b class="{tone}" title="{html.escape(check.sentence)}">{markup(check.short)}</b>'


def _warned(done: Compiled) -> str:
    """How many warnings there are; the panel lists them while nothing is selected."""
    found = len(done.compilation.warnings) if done.compilation else 0
    hint = "The panel on the right lists them while nothing is selected"
    return f' · <b class="x-bad" title="{hint}">{counted(found, "warning")}</b>' if found else ""


def _sample(work: Work) -> None:
    titles = sample_titles()
    key = work.widget(Key.SAMPLE)
    st.session_state[key] = work.origin if work.origin in titles else None
    st.selectbox(
        "Sample",
        list(titles),
        format_func=lambda each: titles[each],
        key=key,
        on_change=actions.open_sample,
        args=(key,),
        placeholder=work.document.name[:40] or "Pick a sample",
        label_visibility="collapsed",
        width=210,
    )


def _release(work: Work) -> None:
    key = work.widget(Key.FLINK)
    st.session_state[key] = work.document.flink or LATEST
    st.selectbox(
        "Flink release",
        VERSIONS[::-1],
        format_func=lambda version: f"Flink {version}",
        key=key,
        on_change=actions.set_release,
        args=(key,),
        label_visibility="collapsed",
        width=112,
    )


def _chaining(work: Work) -> None:
    key = work.widget(Key.CHAINING)
    st.session_state[key] = work.document.chaining
    st.toggle("Chaining", key=key, on_change=actions.set_chaining, args=(key,), width="content")


def _download(work: Work, *, linked: bool) -> None:
    with st.popover("⬇ Document", key="document"):
        if linked:
            copy.show_readers(key="copy")
        for ending in document_texts(work.document):
            _file(work, ending, key=ending)


def _file(work: Work, ending: str, *, key: str) -> None:
    st.download_button(
        f"Download {ending.upper()}",
        document_texts(work.document)[ending],
        file_name=f"{file_stem(work)}.{ending}",
        mime=f"application/{ending}",
        key=key,
        on_click="ignore",
        width="stretch",
    )
