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


def show(compared: Compared, document: Document) -> None:
    """Draw how far it is, or what it found; ``document``: the one at hand."""
    rounds = compared.rounds
    if not rounds.has_ended:
        watching.again(lambda: rounds.has_ended, lambda: _progress(compared))
        return
    own = compared.document == document
    with st.container(key="trial-bar", horizontal=True, vertical_alignment="center"):
        owner = "" if own else f", {runs.other_document(compared.session)}"
        words = f"<b>{_title(compared)}</b>: {markup(compared.document.name)}{owner}"
        st.html(f'<div class="x-counts" role="status">{words}</div>', width="stretch")
        st.button("Compare again", key="compare-again", on_click=compared.again)
        st.button("Back", key="compare-back", on_click=runs.put_comparison_away)
    with st.container(key="trial-body"):
        if rounds.comparison is not None:
            table.show(
                columns(rounds.comparison),
                rows(rounds.comparison),
                label=_title(compared),
                key=Key.FIGURES,
            )
            st.html(info("How this is measured", NOTE.format(rounds=rounds.comparison.rounds)))
        else:
            complaint.say(f"The comparison failed: {rounds.failure}", longest=2000)


def _title(compared: Compared) -> str:
    return " and ".join(compared.rounds.names).capitalize()


def _progress(compared: Compared) -> None:
    rounds = compared.rounds
    trial = rounds.trial
    current = "" if trial is None else f": {watching.state(trial.progress())}"
    words = f"<b>{_title(compared)}</b> · {rounds.done} of {rounds.trials} trials done{current}"
    with st.container(key="trial-bar", horizontal=True, vertical_alignment="center"):
        st.html(f'<div role="status">{words}</div>', width="stretch")
        st.button("Cancel", key="compare-cancel", on_click=runs.put_comparison_away)
    st.progress(rounds.done / rounds.trials)


def columns(setting_comparison: SettingComparison) -> tuple[Column, ...]:
    """Both settings, each with its rounds' ends, and what that shows."""
    return (
        Column(""),
        *(
            column
            for setting_totals in (setting_comparison.first, setting_comparison.second)
            for column in (
                Column(f"{setting_totals.name}, median", "right"),
                Column("least to most", "right"),
            )
        ),
        Column("difference", "right"),
    )


def rows(setting_comparison: SettingComparison) -> list[Row]:
    """Return the rows of the whole run, its parts, each operator, and of constant figures."""
    first, second = setting_comparison.first, setting_comparison.second
    return [
        Row(None, ("whole run", *_cells(setting_comparison.wall_ms))),
        Row(None, ("all operators, busy", *_cells(setting_comparison.operator_ms))),
        Row(None, ("between tasks: write and read", *_cells(setting_comparison.exchange_ms))),
        Row(None, ("within tasks: copy", *_cells(setting_comparison.copy_ms))),
        *(
            Row(None, (f"{operator.name}, busy", *_cells(operator.operator_ms)))
            for operator in setting_comparison.operators
        ),
        Row(None, ("tasks", first.tasks, "", second.tasks, "", "")),
        Row(None, ("records between tasks", f"{first.records:,}", "", f"{second.records:,}")),
        Row(None, ("bytes between tasks", size(first.bytes), "", size(second.bytes))),
        Row(None, ("records copied within tasks", f"{first.copies:,}", "", f"{second.copies:,}")),
    ]


def _cells(difference: Difference) -> tuple[Cell, ...]:
    ends = [
        cell
        for spread in (difference.first, difference.second)
        for cell in (span(spread.median), f"{span(spread.least)} to {span(spread.most)}")
    ]
    return (*ends, _text(difference))


def _text(difference: Difference) -> Cell:
    """Return the ratio of the medians, unless the difference is within noise."""
    if difference.noise or not difference.first.median:
        return {"text": NOISE, "tone": "mute"}
    return f"x {difference.second.median / difference.first.median:,.2f}"


NOTE: Final = (
    "Medians of {rounds} rounds in which both took turns; a first round is not counted. Within "
    "noise: some rounds of one took as long as some of the other, so no difference can be claimed."
)
