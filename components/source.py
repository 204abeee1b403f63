"""The place Source: how a program gets here, and how the document leaves."""

import streamlit as st

from components import link, session, sharing, start
from components.pieces import hint, section
from components.work import Work


def show_import() -> None:
    """Draw the command that imports a program, a running job or a savepoint."""
    with st.container(key="source-body"):
        start.show()


def show_export(work: Work) -> None:
    """Draw the links, the frame for another page, and the document's downloads."""
    linked = session.latest("fits a link", (work,), link.to_link) is not None
    with st.container(key="source-body"):
        st.html(section("Share"))
        sharing.show(work, linked=linked, key="source")
        st.html(section("Pictures") + hint("The button <i>Picture</i> below the graphs saves one."))
