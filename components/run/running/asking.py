"""Controls that read a job from a named cluster or from a file."""

import os
from collections.abc import Callable
from typing import Any, Final

import msgspec
import streamlit as st

from components.run.trial import runs
from components.session import session
from components.session.callbacks import attempt, with_widget_value
from components.session.guard import guarded
from components.session.keys import Key
from components.session.work import Work, opened, replaced
from explorer.documents import (
    Document,
    JobGraphDocument,
    parse_document,
)
from explorer.errors import DocumentError, ExplorerError, found_in
from explorer.flink.compiler import Compilation
from explorer.rest.addresses import Address, named_clusters
from explorer.rest.jobs import JobEntry, jobs_of, read_job
from explorer.running.imitation import imitate_job
from explorer.running.job_report import JobReport, job_report
from explorer.running.running_jobs import JobMatch, match_document
from explorer.wording import quoted

PLACE: Final = "running"
"""Where complaints of this tab are shown."""
TIMEOUT: Final = 20.0
"""Seconds that a page waits for a cluster."""
IMITATED: Final = (
    "A trial runs synthetic operators in place of functions that it does not have: with this they "
    "emit as many records for each input record, and take as much time, as those of the job"
)
MOST: Final = 200
"""Jobs that are offered."""
_NAME: Final = 60


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """The jobs that a cluster listed last."""

    cluster: Address
    jobs: tuple[JobEntry, ...]


def clusters() -> tuple[Address, ...]:
    """Return the clusters that the operator of the page named."""
    try:
        return named_clusters(os.environ)
    except ExplorerError as error:
        session.complain(PLACE, str(error))
        return ()


def last_job() -> JobGraphDocument | None:
    """Return the job that was read last."""
    document: JobGraphDocument | None = st.session_state.get(Key.JOB)
    return document


def show() -> bool:
    """Draw the choice; gives whether there is a cluster to ask."""
    addresses = clusters()
    if addresses:
        cluster = _cluster(addresses)
        st.button("List jobs", key="jobs", on_click=list_jobs, args=(cluster,))
        _jobs(cluster)
    with st.popover("From a file", key="job-from-file"):
        key = session.widget(Key.JOB_FILE)
        st.file_uploader(
            "A job's document or a saved answer (JSON, YAML)",
            type=["json", "yaml", "yml"],
            key=key,
            on_change=take_file,
            args=(key,),
            max_upload_size=5,
        )
    return bool(addresses)


def show_steps(work: Work) -> None:
    """Draw the buttons for the job that was read."""
    if work.document is not last_job():
        st.button("Open as a document", key="open-job", on_click=open_job)
    if _report(work) is not None:
        st.button("Imitate in trials", key="imitate", on_click=imitate, help=IMITATED)


def _cluster(addresses: tuple[Address, ...]) -> Address:
    if len(addresses) == 1:
        return addresses[0]
    return st.selectbox(
        "Cluster", addresses, key=Key.CLUSTER, label_visibility="collapsed", width=200
    )


def _jobs(cluster: Address) -> None:
    listed: Listed | None = st.session_state.get(Key.JOBS)
    if listed is None or listed.cluster != cluster:
        return
    if not listed.jobs:
        st.html('<div class="x-counts">it has no jobs</div>', width="content")
        return
    by_id = {job.id: job for job in listed.jobs[:MOST]}
    chosen = st.selectbox(
        "Job",
        list(by_id),
        format_func=lambda id: f"{by_id[id].name[:_NAME]} · {by_id[id].state.lower()}",
        key=Key.CHOSEN_JOB,
        label_visibility="collapsed",
        width=210,
    )
    if chosen is not None:
        st.button(
            "Read its figures", key="take", type="primary", on_click=take, args=(cluster, chosen)
        )


@guarded
def list_jobs(cluster: Address) -> None:
    """Ask a cluster for its jobs."""
    value = _try_asking(lambda: Listed(cluster=cluster, jobs=jobs_of(cluster, timeout=TIMEOUT)))
    if value is not None:
        st.session_state[Key.JOBS] = value


@guarded
def take(cluster: Address, id: str) -> None:
    """Read a job from a cluster, and compare its figures with the current document."""
    value = _try_asking(lambda: read_job(cluster, id, timeout=TIMEOUT))
    if value is not None:
        _keep(value)


@with_widget_value
def take_file(file: Any) -> None:
    """Read a job from a file, and compare its figures with the current document."""
    if file is None:
        session.clear_messages(PLACE)
        return
    value = _try_asking(lambda: _job_in(file))
    if value is not None:
        _keep(value)


def _job_in(file: Any) -> JobGraphDocument:
    name = str(file.name)
    with found_in(name):
        job = parse_document(file.getvalue(), name=name).submitted
    if job is not None:
        return job
    problem = (
        f"{quoted(name)} holds a program and no submitted job; open it with the upload on the left"
    )
    raise DocumentError(path="", problem=problem)


def _try_asking(ask: Callable[[], Any]) -> Any:
    """Return the answer; None, with a message, where it is not available."""
    try:
        value = ask()
    except ExplorerError as error:
        session.complain(PLACE, str(error))
        return None
    session.clear_messages(PLACE)
    return value


def _keep(job: JobGraphDocument) -> None:
    st.session_state[Key.JOB] = job
    work = session.work()
    if work is not None:
        add_figures(work.document, job)


def add_figures(document: Document, job: JobGraphDocument) -> None:
    """Put the job's figures among the runs of a document that shares a task with it."""
    outcome = session.compiled(document)
    if outcome.compilation is None or outcome.view is None or not job.job.figures:
        return
    report = job_report(job.job, outcome.compilation, _match(document, outcome.compilation, job))
    if report.vertices:
        runs.add_job_report(document, outcome.view, report)


def add_own_figures(document: Document) -> None:
    """Put the figures that a submitted job's document holds among its runs, once."""
    job = document.submitted
    if job is not None and runs.of_document(document) is None:
        add_figures(document, job)


def open_job() -> None:
    """Open the job that was read, with its figures, as the current document."""
    job = last_job()
    if job is not None:
        attempt("upload", lambda work: opened(job, f"{job.name}.json", work))


def _report(work: Work) -> JobReport | None:
    """Return the job's figures for a captured program, which a local run can imitate."""
    job, compilation = last_job(), session.compiled(work.document).compilation
    if job is None or compilation is None or work.document.operators is None:
        return None
    report = session.latest("job report", (job.job, compilation), job_report)
    return report if report.vertices else None


def imitate() -> None:
    """Give the operators of a trial the selectivities and costs that the job shows."""

    def step(work: Work) -> Work:
        report, compilation = _report(work), session.compiled(work.document).compilation
        operators = work.document.operators
        if report is None or compilation is None or operators is None:
            return work
        return replaced(work, imitate_job(operators, compilation, report), work.selection)

    if attempt(PLACE, step):
        job, work = last_job(), session.work()
        if job is not None and work is not None:
            add_figures(work.document, job)


def matched(work: Work, job: JobGraphDocument) -> JobMatch | None:
    """Compare the job with the current document; None where that does not compile."""
    compilation = session.compiled(work.document).compilation
    if compilation is None:
        return None
    match: JobMatch = session.latest("running", (work.document, compilation, job), _match)
    return match


def _match(document: Document, compilation: Compilation, job: JobGraphDocument) -> JobMatch:
    return match_document(job, document, compilation)
