"""The menu of samples, for a visitor who has no pipeline yet."""

import streamlit as st

from components.session import actions, session
from explorer.documents.samples import sample_titles


def show(place: str) -> None:
    """Draw the menu; ``place``: its key, without the document's revision."""
    titles = sample_titles()
    key = session.widget(place)
    st.selectbox(
        "Choose a sample",
        list(titles),
        format_func=lambda name: titles[name],
        index=None,
        key=key,
        on_change=actions.open_sample,
        args=(key,),
    )
