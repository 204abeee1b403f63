"""The tab of a running job: from which cluster, whether it is this program, and what differs."""

from typing import Final

import streamlit as st

from components.run.running import asking
from components.session import actions, session
from components.session.keys import Key
from components.session.work import Work
from components.widgets import complaint, table
from components.widgets.escaping import markup
from components.widgets.pieces import NOT_YET, hint
from components.widgets.table import Column, Row
from explorer.documents import JobGraphDocument
from explorer.running.running_jobs import JobMatch, TaskMatch
from explorer.wording import counted

COLUMNS: Final = (
    Column(""),
    Column("task ID", "id"),
    Column("task", "wrap"),
    Column("what differs", "wrap"),
)
NO_CLUSTER: Final = (
    "Not connected to a cluster. Start the page with "
    "<code>python -m explorer ui --flink http://HOST:8081</code> to connect to one. "
)
HINT: Final = (
    "This tab compares a running job with this program by their operator IDs, and shows the job's "
    "figures on the graph. Upload a file of <code>capture http://HOST:8081/jobs/ID</code>, or a "
    "saved answer of <code>/jobs/ID/plan</code>, to compare without a connection."
)


def show(work: Work) -> None:
    """Draw the choice of a job, then its comparison with the current document."""
    with st.container(key="running-bar", horizontal=True, vertical_alignment="center"):
        clusters = asking.show()
    with st.container(key="running-body"):
        complaint.show(asking.PLACE)
        job = asking.last_job()
        if job is None:
            st.html(hint(f"{'' if clusters else NO_CLUSTER}{HINT}"))
        else:
            _compare(work, job)


def _compare(work: Work, job: JobGraphDocument) -> None:
    with st.container(key="running-job", horizontal=True, vertical_alignment="center"):
        st.html(f'<div class="x-counts">{markup(_facts(job))}</div>', width="stretch")
        asking.show_steps(work)
    match = asking.matched(work, job)
    if match is None:
        st.html(hint(f"There is no verdict {NOT_YET}"))
        return
    st.html(f'<div class="x-outcome">{markup(match.sentence)}</div>')
    _tasks(work, match)


def _facts(job: JobGraphDocument) -> str:
    running_job = job.job
    reported = (
        running_job.name,
        (running_job.state or "").lower(),
        running_job.version and f"Flink {running_job.version}",
        running_job.id,
    )
    tasks = f"{counted(len(running_job.tasks), 'task')}, {counted(job.parts, 'operator')}"
    return " · ".join([*(text for text in reported if text), tasks])


def _tasks(work: Work, match: JobMatch) -> None:
    """Draw every task of either side by its ID, first those that differ."""
    view = session.compiled(work.document).view
    keys = {vertex.id: vertex.key for vertex in view.vertices} if view else {}
    tasks = sorted(match.tasks, key=lambda task: task.is_shared and not task.differences)
    shown_matches, note = table.beginning(tasks)
    table.show(
        COLUMNS,
        [Row(keys.get(task.id), _cells(task, pending=match.pending)) for task in shown_matches],
        label="Running tasks",
        key=Key.RUNNING,
        selection=work.selection,
        note=note,
        height="content",
        on_pick=actions.pick,
    )


def _cells(task: TaskMatch, *, pending: bool) -> tuple[table.Cell, ...]:
    if task.compiled is None:
        verdict: table.Cell = {"text": "only running", "tone": "bad"}
    elif task.running is None:
        verdict = {"text": "not made yet", "tone": "mute"}
        if not pending:
            verdict = {"text": "does not run", "tone": "bad"}
    elif task.differences:
        verdict = {"text": "differs", "tone": "bad"}
    else:
        verdict = {"text": "the same", "tone": "good"}
    name: table.Cell = task.running or task.compiled
    if task.running and task.compiled and task.running != task.compiled:
        name = {"old": task.compiled, "new": task.running}
    return (verdict, task.id, name, "; ".join(task.differences))
