"""The place Source: how a program gets here, and how the document leaves."""

import streamlit as st

from components import copy, link, session, start
from components.pieces import hint, section
from components.work import Work, file_stem
from explorer.documents import document_texts


def show_import() -> None:
    """Draw the command that imports a program, a running job or a savepoint."""
    with st.container(key="source-body"):
        start.show()


def show_export(work: Work) -> None:
    """Draw the links, the frame for another page, and the document's downloads."""
    linked = session.latest("fits a link", (work,), _fits)
    with st.container(key="source-body"):
        st.html(section("Link"))
        if linked:
            copy.show(key="source-copy")
            copy.show_readers(key="source-copy")
        else:
            st.html(hint("The state is too large for a link (more than 6 KB)."))
        st.html(section("Document"))
        for ending, text in document_texts(work.document).items():
            st.download_button(
                f"Download {ending.upper()}",
                text,
                file_name=f"{file_stem(work)}.{ending}",
                mime=f"application/{ending}",
                key=f"source-{ending}",
                on_click="ignore",
            )
        st.html(section("Pictures") + hint("The button <i>Picture</i> below the graphs saves one."))


def _fits(work: Work) -> bool:
    return link.to_link(work) is not None
