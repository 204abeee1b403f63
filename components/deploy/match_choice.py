"""The control with which the user matches an old operator to a new one."""

from typing import Final

import streamlit as st

from components.deploy import baselines
from components.session import session
from components.session.measured import Measured
from components.widgets.escaping import cut, plain
from components.widgets.pieces import hint, section
from explorer.restore.match_choices import MatchChoice, match_choices
from explorer.restore.verdict import RestoreVerdict
from explorer.wording import counted

MOST_CHOICES: Final = 20
"""Operators that the page offers to match; the shell accepts any number."""
MOST_OPTIONS: Final = 100
"""New operators to choose from, for one old operator."""
NOT_CHOSEN: Final = "not chosen"
ABOUT: Final = (
    "These operators cannot be distinguished by their programs: no match is proposed. Choose one, "
    "or pass <code>--match OLD=NEW</code>. The verdict is computed again with your choice, in "
    "every tab."
)


def show(verdict: Measured, restore: RestoreVerdict) -> None:
    """Draw one choice per operator that is not matched for sure; nothing where there is none."""
    matches = verdict.baseline.matches if verdict.baseline else {}
    choices = match_choices(restore, matches)
    if not choices:
        return
    open_ones = sum(match_choice.chosen is None for match_choice in choices)
    st.html(section(f"Which operator is which: {counted(open_ones, 'choice')} open"))
    st.html(hint(ABOUT))
    with st.container(key="match-choices"):
        for turn, choice in enumerate(choices[:MOST_CHOICES]):
            _show_choice(turn, choice)
    if len(choices) > MOST_CHOICES:
        remainder = f"and {len(choices) - MOST_CHOICES:,} more: match these first, or use "
        st.html(hint(f"{remainder}<code>--match OLD=NEW</code>."))


def _show_choice(turn: int, choice: MatchChoice) -> None:
    old = choice.old
    id = old.operator_id or ""
    names = {}
    for option in choice.options[:MOST_OPTIONS]:
        note = ", equally good" if option.equally_good else ""
        names[f"{cut(option.name, 60)} ({option.operator_id}{note})"] = option.handle
    key = session.widget(f"match.{turn}.{id}")
    texts = [NOT_CHOSEN, *names]
    chosen = choice.chosen.handle if choice.chosen else None
    index = next((at for at, text in enumerate(texts) if names.get(text, "") == chosen), 0)
    st.selectbox(
        plain(f"{cut(old.name, 60)} ({id}), {old.what}, is", 200),
        texts,
        index=index,
        key=key,
        on_change=baselines.set_match,
        args=(key, id, names),
        width=640,
    )
