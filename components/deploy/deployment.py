"""The deployment tab: memory, slots and network buffers that this job asks of a cluster."""

from collections.abc import Mapping
from typing import Final, TypeAlias

import streamlit as st

from components.session import actions, session
from components.session.keys import Key
from components.session.measured import Measured
from components.session.work import Work
from components.widgets import complaint, stepper, table
from components.widgets.escaping import markup
from components.widgets.pieces import (
    Size,
    fields,
    hint,
    image,
    info,
    one_of,
    size_markup,
    verdict_line,
)
from components.widgets.table import Cell, Column, Row, numbers
from explorer.deployment.autoscaler import autoscale, autoscaler_settings
from explorer.deployment.cluster_options import cluster_options
from explorer.deployment.deploying import Deployment, compute_deployment
from explorer.deployment.deployment_changes import DeploymentChanges, deployment_changes
from explorer.deployment.network import TaskManagerBuffers
from explorer.deployment.option_lines import read_options
from explorer.deployment.placement import bytes_of_edges, bytes_over_network
from explorer.deployment.submission_rows import Cluster, Mode
from explorer.documents import Document
from explorer.drawing.svg.memory_bar import memory_bar
from explorer.drawing.svg.palette import hue
from explorer.drawing.svg.placement_svg import placement_svg
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.graph_view import chain_numbers
from explorer.drawing.view.highlighted_steps import steps_apart
from explorer.drawing.view.selection import job_edge_number
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.java_numbers import INT_MAX
from explorer.narration.submission import routes, submission
from explorer.plans.sizes import readable_size
from explorer.running.execution import span
from explorer.wording import counted, quoted

DEPLOYMENT_STEPS: Final = "Deployment steps"
VIEWS: Final = ("Fit", "Task managers", "Buffers", DEPLOYMENT_STEPS)
DeployMode: TypeAlias = tuple[Mode, Cluster]
BUFFERS: Final = (
    Column("task"),
    *numbers(
        "subtasks", "channels in", "remote", "subpartitions out", "buffers required", "may use"
    ),
)
EXAMPLE: Final = "taskmanager.numberOfTaskSlots=4"
MOST: Final = 500
"""Rows that are sent at once."""
MOST_FIGURES: Final = 20
"""Figures that a sentence about the baseline names."""


def show(
    work: Work,
    done: Compilation,
    view: GraphView,
    since: Measured,
    bytes_out: Mapping[str, int],
) -> None:
    """Draw the options, what is asked for in a sentence, and the part that is chosen.

    ``bytes_out``: by the ID of a job vertex, what it wrote in a run of this document.
    """
    with st.container(key="deployment-bar", horizontal=True, vertical_alignment="center"):
        chosen = one_of(VIEWS, key=Key.DEPLOYMENT_VIEW, label="Part")
        route = _route(done) if chosen == DEPLOYMENT_STEPS else None
        text = st.text_input(
            "Cluster options",
            key=Key.OPTIONS,
            placeholder=f"Cluster options: {EXAMPLE} taskmanager.memory.process.size=4g",
            label_visibility="collapsed",
        )
    with st.container(key="deployment-body"), complaint.showing_errors():
        found = session.shared("deployment", (work.document, done, text or ""), placed)
        if route is not None:
            stepper.show(
                steps_apart(submission(done, found, *route)),
                document=f"{work.serial} {route}",
                key=Key.ROUTE_STEPS,
            )
            return
        _headline(found)
        _against(since, found, text or "")
        _over_network(found, done, bytes_out)
        _draw_autoscaling(work.document, text or "")
        {"Fit": _fit, "Task managers": _task_managers, "Buffers": _buffers}[chosen](
            found, done, view, work.selection
        )


def placed(document: Document, done: Compilation, text: str) -> Deployment:
    """A document on a cluster with the options that a user typed."""
    return compute_deployment(done, cluster_options(document, read_options(text), done.release))


def _headline(found: Deployment) -> None:
    """Draw the slots, the network buffers, and whether the job fits."""
    fits = ""
    if found.network is not None:
        most, has = found.network.required, found.network.options.buffers
        fits = f"; one needs up to {most:,} network buffers and has {has:,}"
    elif (known := found.undecided_network) is not None:
        fits = (
            f"; a subtask requires up to {known.required:,} network buffers, a task manager has "
            f"{known.options.buffers:,}"
        )
    each = counted(found.slots_of_one, "slot")
    head = (
        f"{counted(found.slots, 'slot')}: {counted(found.task_managers, 'task manager')} of {each}"
    )
    tone = " x-bad" if found.refusals or found.possible_refusal else ""
    st.html(f'<div class="x-outcome{tone}">{markup(f"{head}{fits}.")}</div>')


def _against(since: Measured, found: Deployment, text: str) -> None:
    """Draw the verdict against the baseline, and each figure that differs from the baseline's."""
    if since.shown_verdict is not None:
        st.html(verdict_line(since.shown_verdict))
    if since.old is None or since.old.program is None or since.baseline is None:
        return
    about = (since.baseline.document, since.old.program, found, text)
    changes = session.shared("deployment-changes", about, _changes)
    if changes is None or not any(one.changed for one in changes.figures):
        return
    changed = [one for one in changes.figures if one.changed]
    rows = "; ".join(
        f"{markup(one.what)} {_amount(one.before, one.unit)} → {_amount(one.after, one.unit)}"
        for one in changed[:MOST_FIGURES]
    )
    rows += "; …" if len(changed) > MOST_FIGURES else ""
    st.html(f'<p class="x-legend"><b>{markup(changes.sentence)}</b> {rows}</p>')


def _over_network(found: Deployment, done: Compilation, bytes_out: Mapping[str, int]) -> None:
    """Draw the bytes of this document's run that would cross the network."""
    written = bytes_of_edges(done.job_graph, found.channels, bytes_out)
    if not written:
        return
    crossing = sum(bytes_over_network(found.channels, written).values())
    st.html(
        f'<p class="x-legend">Of the {size_markup(round(sum(written.values())))} that the latest '
        f"run sent from task to task, {size_markup(round(crossing))} would cross the network.</p>"
    )


def _draw_autoscaling(document: Document, text: str) -> None:
    """Draw what the autoscaler of the Kubernetes operator would choose for a running job."""
    job = document.submitted
    if job is None or not job.job.figures:
        return
    choice = autoscale(job.job, autoscaler_settings({**document.options, **read_options(text)}))
    rows = [(one.name, one.sentence) for one in choice.tasks[:MOST]]
    st.html(info(choice.sentence, fields(rows)))


def _amount(value: float | None, unit: str) -> str:
    """A figure as HTML; bytes in human units, the exact number on hover."""
    if value is None:
        return "none"
    return size_markup(int(value)) if unit == "bytes" else f"{value:,}"


def _changes(
    document: Document | None, program: Compilation, found: Deployment, text: str
) -> DeploymentChanges | None:
    """Compare with the baseline under its own release; None where it has no deployment."""
    if document is None:
        return None
    try:
        return deployment_changes(placed(document, program, text), found)
    except ExplorerError:
        return None


def _route(done: Compilation) -> DeployMode:
    """Draw the menu of deployment modes in the bar, since the steps need the space below."""
    every = {f"{mode} on {cluster}": (mode, cluster) for mode, cluster in routes(done.release)}
    if st.session_state.get(Key.DEPLOYMENT_STEPS) not in every:
        st.session_state[Key.DEPLOYMENT_STEPS] = next(iter(every))
    chosen = st.selectbox(
        "How the job is deployed",
        list(every),
        key=Key.DEPLOYMENT_STEPS,
        label_visibility="collapsed",
        width=230,
    )
    return every[chosen]


def _fit(found: Deployment, _: Compilation, __: GraphView, ___: str | None) -> None:
    """Draw Flink's refusal, the memory of both processes, and what slots and channels need."""
    for refusal in found.refusals:
        complaint.say(refusal)
    if found.possible_refusal and not found.refusal:
        complaint.say(
            "Flink will refuse if the scheduler fills the slots of a task manager: "
            f"java.io.IOException: {found.possible_refusal}"
        )
    if found.task_manager:
        st.html(memory_bar("A task manager's process", found.task_manager.parts))
    else:
        st.html(hint("This release splits its memory differently."))
    if found.job_manager:
        st.html(memory_bar("The job manager's process", found.job_manager.parts))
    st.html(fields([("scheduling", note) for note in found.scheduling_notes]))
    assumed = markup(", ".join(found.assumed_options), 2000)
    defaults = info("Flink defaults", assumed) if found.assumed_options else ""
    st.html(fields(_facts(found)) + defaults)


def _facts(found: Deployment) -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = [
        (f"slot sharing group {quoted(one.name)}", counted(one.slots, "slot"))
        for one in found.groups
    ]
    names = found.group_names
    for group in found.managed:
        rows += [
            (
                f"managed memory, {one.use_case}",
                Size(one.bytes, f"of a slot of group {quoted(names[group.group])}"),
            )
            for one in group.use_cases
        ]
    if found.channels:
        sides = f"{found.local:,} within a task manager, {found.remote:,} over the network"
        rows.append(("channels", sides))
    return rows


def _task_managers(
    found: Deployment, done: Compilation, view: GraphView, selection: str | None
) -> None:
    if found.placement is None:
        st.html(hint("Too many subtasks to place one by one, or some not decided."))
        return
    edge = job_edge_number(selection, view)
    phrase = _channels_in_words(found, done, edge) if edge is not None else PICK
    st.html(f'<p class="x-legend">{phrase}</p>')
    drawing = placement_svg(found, done.execution_graph, chain_numbers(done), edge)
    words = f"{counted(found.task_managers, 'task manager')}, their slots and the subtasks in them"
    st.html(image(drawing, "x-placement", words))


PICK: Final = "Select an edge to see its channels."


def _channels_in_words(found: Deployment, done: Compilation, edge: int) -> str:
    one, graph = found.channels[edge], done.execution_graph
    ends = graph.edges[edge]
    name = f"{graph.vertices[ends.source].name} → {graph.vertices[ends.target].name}"
    return (
        f'{markup(name)}: <i class="x-local"></i>{one.local:,} local '
        f'<i class="x-remote"></i>{one.remote:,} over the network'
    )


def _buffers(found: Deployment, done: Compilation, view: GraphView, selection: str | None) -> None:
    if found.network is None:
        st.html(hint("There are no figures for this job under this release."))
        return
    whole = found.network.options
    table.show(
        BUFFERS,
        [*map(_task_manager, found.network.task_managers[:MOST]), *_tasks(found, done, view)],
        label="Network buffers",
        key=Key.BUFFERS,
        selection=selection,
        note=f"{whole.buffers:,} buffers of {readable_size(whole.buffer_size)} in a task manager",
        height="content",
        on_pick=actions.pick,
    )


def _task_manager(one: TaskManagerBuffers) -> Row:
    name = {"text": f"task manager {one.number + 1}", "tone": "bad" if one.refusal else "good"}
    required = {
        "text": f"{one.required:,} of {one.total:,}",
        "share": min(1.0, one.required / one.total) if one.total else 1.0,
    }
    return Row(None, (name, None, None, None, None, required, _most(one.most)))


def _tasks(found: Deployment, done: Compilation, view: GraphView) -> list[Row]:
    """Return a row for each task: a number, or the range over its subtasks."""
    every = found.network.tasks if found.network else ()
    keys = {vertex.id: (vertex.key, vertex.number) for vertex in view.vertices}
    rows = []
    for position, vertex in enumerate(done.job_graph.vertices):
        tasks = [one for one in every if one.subtask.vertex == position]
        key, number = keys[vertex.id]
        gates = [one.gates for one in tasks]
        figures = (
            [sum(gate.channels for gate in one) for one in gates],
            [sum(gate.remote for gate in one) for one in gates],
            [sum(result.subpartitions for result in one.results) for one in tasks],
            [one.required for one in tasks],
        )
        cells = tuple(span((min(values), max(values))) for values in figures)
        most = _most(max(one.most for one in tasks))
        rows.append(Row(key, ({"text": vertex.name, "hue": hue(number)}, len(tasks), *cells, most)))
    return rows


def _most(buffers: int) -> Cell:
    return "all there are" if buffers >= INT_MAX else f"{buffers:,}"
