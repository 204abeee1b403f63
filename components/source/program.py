"""The place Source: how a program gets here, and how the document leaves."""

import html
from typing import Final

import msgspec
import streamlit as st

from components.session import link, session
from components.session.keys import Key
from components.session.work import Work
from components.source import sharing
from components.widgets.pieces import hint, one_of, section

UPLOAD: Final = "Upload the generated file."


class StartOption(msgspec.Struct, frozen=True):
    """What the user has, the line to copy, and the use of the generated file."""

    have: str
    line: str
    """Broken where the panel's width ends, as a shell accepts it."""
    then: str = UPLOAD


ROUTES: Final = (
    StartOption("jar", "python -m explorer capture job.jar \\\n  --out job.json"),
    StartOption("SQL", "python -m explorer capture \\\n  queries.sql --out jobs/"),
    StartOption(
        "PyFlink", "python -m explorer capture job.py \\\n  --python env/bin/python --out job.json"
    ),
    StartOption(
        "job", "python -m explorer capture \\\n  http://localhost:8081/jobs/ID \\\n  --out job.json"
    ),
    StartOption(
        "savepoint",
        "python -m explorer savepoint \\\n  savepoints/sp-1 job.json",
        "Or upload the savepoint's _metadata file under Deploy, Restore.",
    ),
)
INTRO: Final = (
    "Open a sample in the title bar, upload a document on the left, or import a program, a running "
    "job or a savepoint with one command. The page never runs the program itself; a trial run "
    "executes the document's operators on Spark."
)


def show_import() -> None:
    """Draw the command that imports a program, a running job or a savepoint."""
    with st.container(key="source-body"):
        st.html(section("Start from") + hint(html.escape(INTRO)))
        routes = {route.have: route for route in ROUTES}
        with st.container(key="start-from"):
            route = routes[one_of(list(routes), key=Key.ROUTE, label="What you have")]
            st.code(route.line, language=None, wrap_lines=True)
            st.html(hint(html.escape(route.then)))


def show_export(work: Work) -> None:
    """Draw the links, the frame for another page, and the document's downloads."""
    linked = session.latest("fits a link", (work,), link.to_link) is not None
    with st.container(key="source-body"):
        st.html(section("Share"))
        sharing.show(work, linked=linked, key="source")
        st.html(section("Pictures") + hint("The button <i>Picture</i> below the graphs saves one."))
