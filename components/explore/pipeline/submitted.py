"""A cluster's report of a submitted job as a whole; there is nothing to edit."""

from collections.abc import Iterable, Iterator
from typing import Final

import streamlit as st

from components.session.compiled import CompileOutcome
from components.session.work import Work
from components.widgets.escaping import markup
from components.widgets.pieces import hint, section
from explorer.documents import JobGraphDocument

HINT: Final = (
    "Read-only: the cluster reports the tasks of a submitted job and their operators, but not the "
    "program they come from. To edit it, capture the program (Source, Import) and upload the "
    "generated file."
)
MOST: Final = 100
"""Settings that are listed."""


def show(_work: Work, document: JobGraphDocument, _outcome: CompileOutcome) -> None:
    """Draw the job's ID, state and settings."""
    job = document.job
    reported = (
        ("state", job.state),
        ("type", job.type),
        ("Flink", job.version),
        ("job ID", job.id),
    )
    facts = [(name, value) for name, value in reported if value is not None]
    st.html(section("Submitted job") + hint(HINT))
    with st.container(key="form"):
        st.html("".join(_lines([*facts, *job.configuration.items()][:MOST])))


def _lines(facts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each setting, since their names are too long for a table of two columns."""
    for name, value in facts:
        yield f'<div class="x-setting">{markup(name)} <b>{markup(value)}</b></div>'
