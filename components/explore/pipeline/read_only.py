"""Documents that cannot be edited: a cluster's report of a job, a DataSet program."""

from collections.abc import Iterable, Iterator
from typing import Final

import streamlit as st

from components.session.compiled import CompileOutcome
from components.session.work import Work
from components.widgets.escaping import markup
from components.widgets.pieces import hint, section
from explorer.documents import DataSetDocument, JobGraphDocument
from explorer.explain.data_set_text import data_set_text

_JOB_HINT: Final = (
    "Read-only: the cluster reports the tasks of a submitted job and their operators, but not the "
    "program they come from. To edit it, capture the program (Source, Import) and upload the "
    "generated file."
)
_SETTINGS: Final = 100
"""Settings that are listed."""
_DATA_SETS_HINT: Final = (
    "Read-only: Flink's optimizer and JobGraphGenerator made the tasks, strategies, costs and IDs "
    "of this DataSet program. The explorer cannot compute them for a changed program."
)
_PLAN_LINES: Final = 400
"""Lines of the plan that are listed."""


def show_job(_work: Work, document: JobGraphDocument, _outcome: CompileOutcome) -> None:
    """Draw the job's ID, state and settings."""
    job = document.job
    reported = (
        ("state", job.state),
        ("type", job.type),
        ("Flink", job.version),
        ("job ID", job.id),
    )
    facts = [(name, value) for name, value in reported if value is not None]
    st.html(section("Submitted job") + hint(_JOB_HINT))
    with st.container(key="form"):
        st.html("".join(_lines([*facts, *job.configuration.items()][:_SETTINGS])))


def _lines(facts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each setting, since their names are too long for a table of two columns."""
    for name, value in facts:
        yield f'<div class="x-setting">{markup(name)} <b>{markup(value)}</b></div>'


def show_data_sets(_work: Work, document: DataSetDocument, _outcome: CompileOutcome) -> None:
    """Draw the plan's operators with their strategies and costs, then the tasks."""
    lines = data_set_text(document).splitlines()[2:]
    st.html(section("DataSet program") + hint(_DATA_SETS_HINT))
    with st.container(key="form"):
        st.html(
            "".join(f'<div class="x-setting">{markup(line)}</div>' for line in lines[:_PLAN_LINES])
        )
        if len(lines) > _PLAN_LINES:
            st.html(hint(f"and {len(lines) - _PLAN_LINES:,} more lines: explain FILE prints all"))
