"""The place Source: how a program gets here, and how the document leaves."""

import html
from collections.abc import Callable
from typing import Final

import msgspec
import streamlit as st

from components.session import session
from components.session.keys import Key
from components.session.measured import Measured
from components.session.work import Work
from components.source import sharing
from components.widgets import editor
from components.widgets.escaping import markup
from components.widgets.pieces import hint, one_of, section
from explorer.documents import dump_json, dump_yaml

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
        "plan",
        "System.out.println(env.getExecutionPlan());",
        "Call it in the program in place of execute(), run main, and upload the JSON it prints.",
    ),
    StartOption(
        "savepoint",
        "python -m explorer savepoint \\\n  savepoints/sp-1 job.json",
        "Or upload the savepoint's _metadata file as the baseline in Deploy.",
    ),
)
INTRO: Final = (
    "Import a program, a running job or a savepoint with one command, and upload the file. The "
    "page never runs the program itself; a trial run executes the document's operators on Spark."
)


def show_changes(work: Work, measured: Measured) -> None:
    """Draw the baseline's document and the open one side by side."""
    baseline = measured.baseline
    if baseline is None or baseline.document is None:
        st.html(hint("There is no document to compare with: choose one as the baseline in Deploy."))
        return
    old, new = (document.with_baseline(None) for document in (baseline.document, work.document))
    are_pipelines = old.pipeline is not None and new.pipeline is not None
    texts = [
        dump_yaml(document.pipeline) if are_pipelines and document.pipeline else dump_json(document)
        for document in (old, new)
    ]
    if texts[0] == texts[1]:
        st.html(hint(f"The document does not differ from the baseline, {markup(baseline.name)}."))
        return
    editor.show_changes(*texts, labels=(f"Baseline: {baseline.name}", f"New version: {new.name}"))


def show_import(upload: Callable[[], None]) -> None:
    """Draw the command that imports a program, a running job or a savepoint; and ``upload``."""
    with st.container(key="source-body"):
        st.html(section("Start from") + hint(html.escape(INTRO)))
        routes = {route.have: route for route in ROUTES}
        with st.container(key="start-from"):
            route = routes[one_of(list(routes), key=Key.ROUTE, label="What you have")]
            st.code(route.line, language=None, wrap_lines=True)
            st.html(hint(html.escape(route.then)))
            upload()


def show_export(work: Work) -> None:
    """Draw the links, the frame for another page, and the document's downloads."""
    linked = session.link_text(work) is not None
    with st.container(key="source-body"):
        st.html(section("Share"))
        sharing.show(work, linked=linked, key="source")
        st.html(section("Pictures") + hint("The button <i>Picture</i> below the graphs saves one."))
