"""One of a few words in a row, of which one is always chosen."""

from collections.abc import Sequence

import streamlit as st


def one_of(words: Sequence[str], *, key: str, label: str = "View", wrap: bool = True) -> str:
    """Draw the words; the first is chosen where nothing is, or what is not among them any more."""
    if st.session_state.get(key) not in words:
        st.session_state[key] = words[0]
    chosen = st.segmented_control(
        label, words, key=key, required=True, label_visibility="collapsed", wrap=wrap
    )
    return chosen or words[0]
