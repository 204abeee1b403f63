"""The runs of a visitor: trials that they started, and jobs that a cluster reported.

Each is stored with the document that it ran.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

import msgspec
import streamlit as st

from components.run.trial import data, sink_files
from components.server.hosting import hosting
from components.session import places, session, visits
from components.session.compiled import CompileOutcome
from components.session.guard import guarded
from components.session.keys import Key
from components.session.work import Work
from explorer.documents import Document
from explorer.drawing.view.elements import GraphView
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.spark.java import java_problem
from explorer.engine.spark.rounds import Rounds
from explorer.engine.spark.spark_settings import page_target
from explorer.engine.spark.trial_runs import Trial
from explorer.engine.spark.turns import QueuePlace
from explorer.engine.starting import compare_chaining, compare_object_reuse, start_trial
from explorer.engine.steps.planned import OutputFolder
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.running.job_report import JobReport, JobVertexReport
from explorer.wording import counted

MOST_RUNS: Final = 6
"""Runs that a visit retains."""
ROWS: Final = 1000
"""Rows of each sink that are retained."""
PREVIEWS_ONLY: Final = (
    "this public page shows previews only; run a trial on your own machine: python -m explorer ui"
)
ENDED: Final = frozenset({"finished", "failed", "cancelled"})


Report: TypeAlias = TrialReport | JobReport
"""What a run found."""


class ReadJob:
    """A job of a cluster in the place of a trial: it has been looked at, and that is all."""

    state = "finished"
    error = None

    def __init__(self, report: JobReport) -> None:
        self.report = report

    def cancel(self) -> None:
        """Leave the job alone: nothing here ends it."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a visit."""

    number: int
    title: str
    """What was run, in a few words."""
    document: Document
    view: GraphView
    trial: Any
    """A ``Trial`` or a ``ReadJob``; it is no data, so its type is not checked."""
    session: str = ""
    """The session that started it: a browser tab between two loads of the page."""

    @property
    def handle(self) -> Trial:
        """The trial."""
        result: Trial = self.trial
        return result

    @property
    def report(self) -> Report | None:
        """The results; None before the run has finished."""
        trial_report: Report | None = self.trial.report
        return trial_report

    @property
    def has_ended(self) -> bool:
        """Whether the run is finished, failed or cancelled."""
        return self.handle.state in ENDED


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """A document that is run under two settings in turns."""

    document: Document
    rounds: Rounds
    again: Callable[[], None]
    """Begins the same once more."""
    session: str = ""
    """The session that started it."""


def all_runs() -> tuple[Run, ...]:
    """Return the visit's runs, the latest last; they outlive a reload of the page."""
    return visits.stored(Key.TRIALS, tuple) or ()


def shown() -> Run | None:
    """Return the run that the page shows: the chosen one, else the latest."""
    runs = all_runs()
    number = st.session_state.get(Key.RUN)
    return next((run for run in runs if run.number == number), runs[-1] if runs else None)


def of_document(document: Document) -> Run | None:
    """Return the latest finished run of this document, the figures of which the graphs show."""
    finished = (
        run
        for run in reversed(all_runs())
        if is_of_document(run, document) and run.report is not None
    )
    chosen = shown()
    if chosen is not None and is_of_document(chosen, document) and chosen.report is not None:
        return chosen
    return next(finished, None)


def unfinished_run(document: Document) -> Run | None:
    """Return the shown run of this document while it has not ended, which the graphs show live."""
    run = shown()
    return None if run is None or run.has_ended or not is_of_document(run, document) else run


def bytes_out(document: Document) -> Mapping[str, int]:
    """Map the ID of each job vertex to its bytes in this document's run; empty without a run."""
    run = of_document(document)
    if run is None or run.report is None:
        return {}
    result: dict[str, int] = {}
    for vertex in run.report.vertices:
        figures = vertex.figures if isinstance(vertex, JobVertexReport) else vertex
        result[vertex.id] = figures.bytes_out or 0
    return result


def is_of_document(run: Run, document: Document) -> bool:
    """Whether a run was of this document; after a reload the document is an equal one."""
    return run.document is document or run.document == document


def other_document(session_id: str) -> str:
    """Name the owner of the figures where they are of another document than the page's."""
    if visits.is_open_elsewhere(session_id):
        return "another browser tab's run"
    return "of an earlier document"


@guarded
def start() -> None:
    """Line up a run of the document at hand and show it."""
    work = session.work()
    if work is None:
        return
    outcome = _compile_at_hand(work)
    if outcome.compilation is None or outcome.view is None:
        return
    output = sink_files.output_for(work.document)
    try:
        trial = line_up(output)(outcome.compilation)
    except ExplorerError as error:
        session.complain("trial", str(error))
        return
    sink_files.keep_with(trial, output)
    session.clear_messages("trial")
    put_comparison_away()
    tasks = counted(len(outcome.view.vertices), "task")
    chained = "chained" if work.document.chaining else "nothing chained"
    _keep(
        f"{work.document.name}, {tasks}, {chained}, Flink {outcome.view.release}",
        work.document,
        outcome.view,
        trial,
    )


@guarded
def start_comparison() -> None:
    """Have the document at hand run chained and unchained in turns, and show that."""
    _compare(compare_chaining, start_comparison)


@guarded
def start_reuse_comparison() -> None:
    """Run the document in turns with records copied within tasks, and with object reuse."""
    _compare(compare_object_reuse, start_reuse_comparison)


def _compare(
    begin: Callable[[Document, Callable[[Compilation], Trial]], Rounds], again: Callable[[], None]
) -> None:
    work = session.work()
    if work is None or _compile_at_hand(work).compilation is None:
        return
    try:
        rounds = begin(work.document, line_up())
    except ExplorerError as error:
        session.complain("trial", str(error))
        return
    session.clear_messages("trial")
    former = comparison()
    if former is not None:
        former.rounds.cancel()
    compared = Compared(
        document=work.document, rounds=rounds, again=again, session=visits.session_id()
    )
    visits.store(Key.COMPARISON, compared)
    _note_running()


def comparison() -> Compared | None:
    """Return the visit's current or latest comparison; None where there is none."""
    return visits.stored(Key.COMPARISON, Compared)


@guarded
def put_comparison_away() -> None:
    """End it if it still runs, and show the runs again."""
    compared = comparison()
    if compared is not None:
        compared.rounds.cancel()
    visits.store(Key.COMPARISON, None)


def _compile_at_hand(work: Work) -> CompileOutcome:
    """Compile the current document; where it cannot be run, the tab shows the reason."""
    places.go(places.TRIAL)
    outcome = session.compiled(work.document)
    problem = outcome.error or (java_problem() if hosting().trials else PREVIEWS_ONLY)
    if problem or outcome.compilation is None or outcome.view is None:
        session.complain("trial", problem)
        return msgspec.structs.replace(outcome, compilation=None)
    return outcome


def add_job_report(document: Document, view: GraphView, report: JobReport) -> None:
    """Put a running job's figures among the runs of the document that it is, and show them."""
    title = f"{report.name}, {report.state.lower() or 'running'}, Flink {report.flink_version}"
    _keep(title, document, view, ReadJob(report))


def _keep(title: str, document: Document, view: GraphView, trial: Trial | ReadJob) -> None:
    runs = all_runs()
    number = runs[-1].number + 1 if runs else 1
    run = Run(
        number=number,
        title=title,
        document=document,
        view=view,
        trial=trial,
        session=visits.session_id(),
    )
    retained = (*runs, run)[-MOST_RUNS:]
    visits.store(Key.TRIALS, retained)
    _note_running()
    st.session_state[Key.RUN] = number


def _note_running() -> None:
    """Register everything that ends with the visit."""
    rounds = comparison()
    compared = () if rounds is None or rounds.rounds.has_ended else (rounds.rounds,)
    trials = (run.handle for run in all_runs() if not run.has_ended)
    visits.visit().running = (*trials, *compared)


def line_up(output: OutputFolder | None = None) -> Callable[[Compilation], Trial]:
    """Return a function that queues trials for the visitor, within this page's limits.

    ``output``: where their sinks write files; None: nowhere.
    """
    maximum = hosting()
    return partial(
        start_trial,
        data_dir=data.folder(),
        limit=ROWS,
        timeout=maximum.seconds,
        place=QueuePlace(
            owner=visits.visit().owner,
            address=visits.address(),
            most=maximum.trials,
            most_of_address=maximum.address_trials,
            most_of_all=maximum.all_trials,
        ),
        max_rows=maximum.rows,
        target=page_target(),
        output=output,
    )


@guarded
def cancel(number: int) -> None:
    """Stop a run that waits or runs."""
    for run in all_runs():
        if run.number == number:
            run.handle.cancel()
