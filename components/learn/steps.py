"""The *Steps* tab: hashing and chaining played step by step, coloured in both graphs."""

import streamlit as st

from components.session import actions, session
from components.session.compiled import traced
from components.session.keys import Key
from components.session.work import Work
from components.widgets import stepper
from components.widgets.pieces import hint
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.highlighted_steps import MOST, highlighted_steps
from explorer.narration.chaining import narrate


def show(work: Work, view: GraphView) -> None:
    """Draw the player, or say why a graph is too large for it."""
    if len(view.nodes) > MOST:
        st.html(
            hint(
                f"{len(view.nodes):,} operators are too many to play as steps; the limit is "
                f"{MOST:,}. <code>python -m explorer steps FILE</code> writes them all."
            )
        )
        return
    steps = session.shared(
        "steps",
        (work.document, view),
        lambda *_: highlighted_steps(view, narrate(traced(work.document, view.release))),
    )
    if not steps["steps"]:
        st.html(hint("A pipeline without operators has no steps."))
        return
    stepper.show(
        steps,
        document=str(work.serial),
        key=Key.STEPS,
        on_pick=lambda: actions.pick(Key.STEPS),
    )
