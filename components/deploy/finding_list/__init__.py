"""The list of findings: each with its reasons, its place and its fixes, as one part of the page.

As widgets of Streamlit's own, thirty findings with their fixes are six hundred parts: most of what
the tab would cost, here and in the browser.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from typing import Final

import msgspec
import streamlit as st

from components.session.guard import guarded
from components.widgets.escaping import markup
from components.widgets.packaged import packaged_component
from explorer.checks.rule import CheckRule
from explorer.explain.suggested_fixes import SuggestedFix

Press = Callable[[], None]
_mount: Final = packaged_component("findings", js="main.js", css="main.css", isolated=False)


class FindingRow(msgspec.Struct, frozen=True, kw_only=True):
    """A finding, and what its buttons do."""

    message: str
    """As HTML."""
    rule: CheckRule
    select: Press | None
    """Selects its place; None: it has none."""
    fixes: Sequence[tuple[SuggestedFix, Press]] = ()
    suggest: Press | None = None
    """Has its fixes tried; None: they are, or there is none to try."""
    advice: str = ""
    """What to do where there is no fix."""


def show(rows: Sequence[FindingRow], *, key: str) -> None:
    """Draw; what a button does is done before the next run."""
    presses: dict[str, Press] = {}
    written_rows = ["".join(_parts(row, presses)) for row in rows]
    _mount(
        key=key,
        data={"label": "Findings", "rows": written_rows},
        height="content",
        on_pressed_change=partial(_press, key, presses),
    )


@guarded
def _press(key: str, presses: dict[str, Press]) -> None:
    """Do what the pressed button does, if it is one of those that were drawn."""
    press = presses.get(str(st.session_state[key]["pressed"]))
    if press is not None:
        press()


def _parts(row: FindingRow, presses: dict[str, Press]) -> Iterator[str]:
    """Yield a row's HTML; its buttons are added to ``presses``, each by the name that it sends."""

    def button(label: str, press: Press) -> str:
        # With its label: a browser may still show an older list, whose first button was another.
        name = f"{len(presses)} {label}"
        presses[name] = press
        return f'<button type="button" data-press="{escape(name)}">{markup(label, 100)}</button>'

    yield f'<div class="says">{row.message}<div class="more">'
    if row.select is not None:
        yield button("Show", row.select)
    yield f'{_reasons(row.rule)}</div></div><div class="fixes">'
    for fix, press in row.fixes:
        effect = f'<small class="x-effect">Then: {markup(fix.effect, 400)}</small>'
        yield f'<div class="fix">{button(fix.label, press)}{effect}</div>'
    if row.suggest is not None:
        yield button("Suggest fixes", row.suggest)
    elif row.advice:
        yield f'<p class="x-advice">{markup(row.advice, 900)}</p>'
    yield "</div>"


def _reasons(rule: CheckRule) -> str:
    return (
        f"<details><summary>{rule.code}: why?</summary>"
        f"<p><b>{markup(rule.title)}</b> {markup(rule.releases)}</p><p>{markup(rule.why, 2000)}</p>"
        f"<p><b>What to do.</b> {markup(rule.todo, 2000)}</p></details>"
    )
