"""The panel without a selection: the pipeline as a whole."""

from collections.abc import Callable

import streamlit as st

from components.explore import sample_choice
from components.session import places, session
from components.session.keys import Key
from components.session.work import Work
from components.widgets.escaping import markup
from components.widgets.pieces import bullets, fields, heading, hint, info, place_button, section
from explorer.drawing.view.elements import GraphView
from explorer.flink.compiler import Compilation
from explorer.running.adaptive import run_time_decisions, scheduler_note

WELCOME = "See how Flink chains your operators, which IDs change, and whether a savepoint restores."
WARNINGS = 20
DIFFERENCES = 20
CHANGED = (
    "The program was changed since it was captured: Flink's own JobGraph belongs to the "
    "original version. Capture the changed program to compare again."
)


def show(work: Work, compilation: Compilation, view: GraphView, form: Callable[[], None]) -> None:
    """Draw the title, what the pipeline teaches, its figures, Flink's check and the warnings.

    ``form`` draws the settings of the job.
    """
    document = work.document
    chained = sum(edge.chained for edge in view.edges)
    numbers = (
        ("operators", f"{len(view.nodes):,}"),
        ("tasks", f"{len(view.vertices):,}"),
        ("subtasks", _if_decided(view, sum(vertex.parallelism for vertex in view.vertices))),
        ("slots", _if_decided(view, view.slots)),
        ("chained edges", f"{chained:,} of {len(view.edges):,}"),
        ("channels", _if_decided(view, sum(edge.channels for edge in view.job_edges))),
        ("Flink", view.release),
        ("job type", compilation.job_graph.job_type),
    )
    if work.serial == 0 and not work.history.past and places.current()[0] == "Explore":
        _welcome()
    st.html(
        heading("Pipeline", document.heading)
        + (f'<p class="x-teaches">{markup(document.teaches, 2000)}</p>' if document.teaches else "")
        + fields(numbers)
        + flinks_word(work, compilation)
        + scheduler(compilation)
        + warnings(compilation.warnings)
        + hint(
            "Select an operator, an edge or a task in either graph, or a row of a table: "
            "both graphs highlight it, and this panel explains it."
        )
    )
    form()


def _welcome() -> None:
    """Draw three entry points, until a document is opened or changed."""
    with st.container(key="welcome"):
        st.html(hint(WELCOME))
        with st.popover("Open a sample", key="welcome-samples", width="stretch"):
            sample_choice.show(Key.FIRST_SAMPLE)
        place_button("Bring my job", places.IMPORT, key="welcome-job", width="stretch")
        place_button("Check a deploy", places.PLAN, key="welcome-deploy", width="stretch")


def _if_decided(view: GraphView, count: int) -> str:
    return f"{count:,}" if view.decided else "the scheduler decides"


def flinks_word(work: Work, compilation: Compilation) -> str:
    """Return how the JobGraph compares with Flink's own, for a captured program."""
    check = session.checked(compilation, work.document)
    if check is not None:
        tone = "x-good" if check.equal else "x-bad"
        text = check.sentence if check.equal else check.short
        return (
            section("Flink's own JobGraph")
            + f'<div class="x-outcome {tone}">{markup(text[0].upper() + text[1:])}</div>'
            + bullets(check.differences[:DIFFERENCES], 500)
        )
    if work.opened.flink_job_graph is not None:
        return section("Flink's own JobGraph") + hint(CHANGED)
    return ""


def scheduler(compilation: Compilation) -> str:
    """Return which JobGraph of a BATCH job is shown, and what is decided at run time."""
    note = scheduler_note(compilation)
    if note is None:
        return ""
    decided = [markup(item, 600) for item in run_time_decisions(compilation)]
    return (
        section("BATCH scheduler")
        + hint(markup(note, 600))
        + (info("Decided at run time", "<br>".join(decided)) if decided else "")
    )


def warnings(texts: tuple[str, ...]) -> str:
    """Return a line for each setting that the compiler could not apply."""
    if not texts:
        return ""
    more = len(texts) - WARNINGS
    remainder = f"and {more:,} more" if more > 0 else ""
    return section("Warnings") + bullets(texts[:WARNINGS], 500, remainder)
