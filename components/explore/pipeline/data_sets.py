"""A DataSet program as a whole: the optimizer's plan and the tasks; there is nothing to edit."""

from typing import Final

import streamlit as st

from components.session.compiled import CompileOutcome
from components.session.work import Work
from components.widgets.escaping import markup
from components.widgets.pieces import hint, section
from explorer.documents import DataSetDocument
from explorer.explain.data_set_text import data_set_text

HINT: Final = (
    "Read-only: Flink's optimizer and JobGraphGenerator made the tasks, strategies, costs and IDs "
    "of this DataSet program. The explorer cannot compute them for a changed program."
)
MOST: Final = 400
"""Lines of the plan that are listed."""


def show(_work: Work, document: DataSetDocument, _outcome: CompileOutcome) -> None:
    """Draw the plan's operators with their strategies and costs, then the tasks."""
    lines = data_set_text(document).splitlines()[2:]
    st.html(section("DataSet program") + hint(HINT))
    with st.container(key="form"):
        st.html("".join(f'<div class="x-setting">{markup(line)}</div>' for line in lines[:MOST]))
        if len(lines) > MOST:
            st.html(hint(f"and {len(lines) - MOST:,} more lines: explain FILE prints all"))
