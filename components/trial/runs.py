"""Which trial runs did this session start? Each is kept with the document that it ran."""

from typing import Any, Final

import msgspec
import streamlit as st

from components import session
from components.guard import guarded
from components.keys import Key
from components.trial import data
from explorer.documents import Document
from explorer.drawing.graph_view import GraphView
from explorer.errors import ExplorerError
from explorer.trial import Trial, start_trial
from explorer.trial.java import java_problem
from explorer.wording import counted

KEPT: Final = 6
"""Runs that a session keeps."""
ROWS: Final = 1000
"""Rows of each sink that are kept."""
TIMEOUT: Final = 900.0
"""Seconds after which a run is stopped, so that the queue moves on."""
ENDED: Final = frozenset({"finished", "failed", "cancelled"})


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One trial run of a session."""

    number: int
    title: str
    """What was run, in a few words."""
    document: Document
    view: GraphView
    trial: Any
    """A ``Trial``; it is no data, so its type is not checked."""

    @property
    def handle(self) -> Trial:
        """The trial, to be asked and cancelled."""
        found: Trial = self.trial
        return found

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.handle.state in ENDED


def all_runs() -> tuple[Run, ...]:
    """The session's runs, the latest last."""
    found: tuple[Run, ...] = st.session_state.get(Key.TRIALS, ())
    return found


def shown() -> Run | None:
    """The run that the page shows: the one that was picked, else the latest."""
    runs = all_runs()
    number = st.session_state.get(Key.RUN)
    return next((run for run in runs if run.number == number), runs[-1] if runs else None)


def of_document(document: Document) -> Run | None:
    """The latest finished run of this very document: its figures stand on the job graph."""
    finished = (
        run
        for run in reversed(all_runs())
        if run.document is document and run.handle.report is not None
    )
    chosen = shown()
    if chosen is not None and chosen.document is document and chosen.handle.report is not None:
        return chosen
    return next(finished, None)


@guarded
def start() -> None:
    """Line up a run of the document at hand and show it."""
    work = session.work()
    if work is None:
        return
    st.session_state[Key.TABS] = "Trial"
    done = session.compiled(work.document)
    runs = all_runs()
    problem = done.error or java_problem()
    if problem or done.compilation is None or done.view is None:
        session.complain("trial", problem)
        return
    try:
        trial = start_trial(done.compilation, data_dir=data.folder(), limit=ROWS, timeout=TIMEOUT)
    except ExplorerError as error:
        session.complain("trial", str(error))
        return
    session.content("trial")
    number = runs[-1].number + 1 if runs else 1
    run = Run(
        number=number,
        title=_title(work.document, done.view),
        document=work.document,
        view=done.view,
        trial=trial,
    )
    st.session_state[Key.TRIALS] = (*runs, run)[-KEPT:]
    st.session_state[Key.RUN] = number


@guarded
def cancel(number: int) -> None:
    """Stop a run that waits or runs."""
    for run in all_runs():
        if run.number == number:
            run.handle.cancel()


def _title(document: Document, view: GraphView) -> str:
    tasks = len(view.vertices)
    return f"{document.name}, {counted(tasks, 'task')}, Flink {view.release}"
