"""Two settings in turns: how far it is, then medians, their spread, and what is noise."""

from typing import Final

import streamlit as st

from components.run.trial import runs, watching
from components.run.trial.figures import size, span
from components.run.trial.runs import Compared
from components.session.keys import Key
from components.widgets import complaint, table
from components.widgets.escaping import markup
from components.widgets.pieces import info
from components.widgets.table import Cell, Column, Row
from explorer.engine.spark.rounds import Difference, SettingComparison
from explorer.model.document import Document

NOISE: Final = "within noise"


def show(found: Compared, document: Document) -> None:
    """Draw how far it is, or what it found; ``document``: the one at hand."""
    rounds = found.rounds
    if not rounds.ended:
        watching.again(lambda: rounds.ended, lambda: _progress(found))
        return
    own = found.document == document
    with st.container(key="trial-bar", horizontal=True, vertical_alignment="center"):
        other = "" if own else f", {runs.other_document(found.session)}"
        words = f"<b>{_title(found)}</b>: {markup(found.document.name)}{other}"
        st.html(f'<div class="x-counts" role="status">{words}</div>', width="stretch")
        st.button("Compare again", key="compare-again", on_click=found.again)
        st.button("Back", key="compare-back", on_click=runs.put_comparison_away)
    with st.container(key="trial-body"):
        if rounds.comparison is not None:
            table.show(
                columns(rounds.comparison),
                rows(rounds.comparison),
                label=_title(found),
                key=Key.FIGURES,
            )
            st.html(info("How this is measured", NOTE.format(rounds=rounds.comparison.rounds)))
        else:
            complaint.say(f"The comparison failed: {rounds.failure}", longest=2000)


def _title(found: Compared) -> str:
    return " and ".join(found.rounds.names).capitalize()


def _progress(found: Compared) -> None:
    rounds = found.rounds
    trial = rounds.trial
    now = "" if trial is None else f": {watching.state(trial.progress())}"
    words = f"<b>{_title(found)}</b> · {rounds.done} of {rounds.trials} trials done{now}"
    with st.container(key="trial-bar", horizontal=True, vertical_alignment="center"):
        st.html(f'<div role="status">{words}</div>', width="stretch")
        st.button("Cancel", key="compare-cancel", on_click=runs.put_comparison_away)
    st.progress(rounds.done / rounds.trials)


def columns(found: SettingComparison) -> tuple[Column, ...]:
    """Both settings, each with its rounds' ends, and what that shows."""
    return (
        Column(""),
        *(
            column
            for one in (found.first, found.second)
            for column in (Column(f"{one.name}, median", "right"), Column("least to most", "right"))
        ),
        Column("difference", "right"),
    )


def rows(found: SettingComparison) -> list[Row]:
    """Return the rows of the whole run, its parts, each operator, and of constant figures."""
    first, second = found.first, found.second
    return [
        Row(None, ("whole run", *_cells(found.wall_ms))),
        Row(None, ("all operators, busy", *_cells(found.busy_ms))),
        Row(None, ("between tasks: write and read", *_cells(found.exchange_ms))),
        Row(None, ("within tasks: copy", *_cells(found.copy_ms))),
        *(Row(None, (f"{one.name}, busy", *_cells(one.busy_ms))) for one in found.operators),
        Row(None, ("tasks", first.tasks, "", second.tasks, "", "")),
        Row(None, ("records between tasks", f"{first.records:,}", "", f"{second.records:,}")),
        Row(None, ("bytes between tasks", size(first.bytes), "", size(second.bytes))),
        Row(None, ("records copied within tasks", f"{first.copies:,}", "", f"{second.copies:,}")),
    ]


def _cells(found: Difference) -> tuple[Cell, ...]:
    ends = [
        cell
        for one in (found.first, found.second)
        for cell in (span(one.median), f"{span(one.least)} to {span(one.most)}")
    ]
    return (*ends, _text(found))


def _text(found: Difference) -> Cell:
    """Return the ratio of the medians, unless the difference is within noise."""
    if found.noise or not found.first.median:
        return {"text": NOISE, "tone": "mute"}
    return f"x {found.second.median / found.first.median:,.2f}"


NOTE: Final = (
    "Medians of {rounds} rounds in which both took turns; a first round is not counted. Within "
    "noise: some rounds of one took as long as some of the other, so no difference can be claimed."
)
