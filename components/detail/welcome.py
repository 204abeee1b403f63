"""What this page is, and three entry points, until a document is opened or changed."""

import streamlit as st

from components import actions, places, session
from components.keys import Key
from components.pieces import hint, place_button
from explorer.documents.samples import sample_titles

SENTENCE = (
    "See how Flink chains your operators, which IDs change, and whether a savepoint restores."
)


def show() -> None:
    """Draw the sentence and the three buttons."""
    with st.container(key="welcome"):
        st.html(hint(SENTENCE))
        with st.popover("Open a sample", key="welcome-samples", width="stretch"):
            titles = sample_titles()
            key = session.widget(Key.FIRST_SAMPLE)
            st.selectbox(
                "Choose a sample",
                list(titles),
                format_func=lambda each: titles[each],
                index=None,
                key=key,
                on_change=actions.open_sample,
                args=(key,),
            )
        place_button("Bring my job", places.IMPORT, key="welcome-job", width="stretch")
        place_button("Check a deploy", places.PLAN, key="welcome-deploy", width="stretch")
