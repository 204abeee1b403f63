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
from explorer.deployment.deploying import ClusterResources, compute_resources
from explorer.deployment.network import TaskManagerBuffers
from explorer.deployment.option_lines import read_options
from explorer.deployment.placement import bytes_of_edges, bytes_over_network
from explorer.deployment.resource_changes import ResourceChanges, resource_changes
from explorer.deployment.submission_rows import Cluster, Mode
from explorer.documents import Document
from explorer.drawing.svg.memory_bar import memory_bar
from explorer.drawing.svg.palette import hue
from explorer.drawing.svg.placement_svg import placement_svg
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.graph_view import chain_colours
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
    compilation: Compilation,
    view: GraphView,
    verdict: Measured,
    bytes_out: Mapping[str, int],
) -> None:
    """Draw the options, what is asked for in a sentence, and the part that is chosen.

    ``bytes_out``: by the ID of a job vertex, what it wrote in a run of this document.
    """
    with st.container(key="deployment-bar", horizontal=True, vertical_alignment="center"):
        chosen = one_of(VIEWS, key=Key.DEPLOYMENT_VIEW, label="Part")
        route = _route(compilation) if chosen == DEPLOYMENT_STEPS else None
        text = st.text_input(
            "Cluster options",
            key=Key.OPTIONS,
            placeholder=f"Cluster options: {EXAMPLE} taskmanager.memory.process.size=4g",
            label_visibility="collapsed",
        )
    with st.container(key="deployment-body"), complaint.showing_errors():
        resources = session.shared("deployment", (work.document, compilation, text or ""), placed)
        if route is not None:
            stepper.show(
                steps_apart(submission(compilation, resources, *route)),
                document=f"{work.serial} {route}",
                key=Key.ROUTE_STEPS,
            )
            return
        _headline(resources)
        _against(verdict, resources, text or "")
        _over_network(resources, compilation, bytes_out)
        _draw_autoscaling(work.document, text or "")
        {"Fit": _show_fit, "Task managers": _task_managers, "Buffers": _buffers}[chosen](
            resources, compilation, view, work.selection
        )


def placed(document: Document, compilation: Compilation, text: str) -> ClusterResources:
    """A document on a cluster with the options that a user typed."""
    return compute_resources(
        compilation, cluster_options(document, read_options(text), compilation.release)
    )


def _headline(resources: ClusterResources) -> None:
    """Draw the slots, the network buffers, and whether the job fits."""
    fits = ""
    if resources.network is not None:
        maximum, has = resources.network.required, resources.network.options.buffers
        fits = f"; one needs up to {maximum:,} network buffers and has {has:,}"
    elif (network := resources.undecided_network) is not None:
        fits = (
            f"; a subtask requires up to {network.required:,} network buffers, a task manager has "
            f"{network.options.buffers:,}"
        )
    slots = counted(resources.slots_of_one, "slot")
    task_managers = counted(resources.task_managers, "task manager")
    head = f"{counted(resources.slots, 'slot')}: {task_managers} of {slots}"
    tone = " x-bad" if resources.refusals or resources.possible_refusal else ""
    st.html(f'<div class="x-outcome{tone}">{markup(f"{head}{fits}.")}</div>')


def _against(verdict: Measured, resources: ClusterResources, text: str) -> None:
    """Draw the verdict against the baseline, and each figure that differs from the baseline's."""
    if verdict.shown_verdict is not None:
        st.html(verdict_line(verdict.shown_verdict))
    if verdict.old is None or verdict.old.program is None or verdict.baseline is None:
        return
    case = (verdict.baseline.document, verdict.old.program, resources, text)
    changes = session.shared("deployment-changes", case, _changes)
    if changes is None or not any(figure.changed for figure in changes.figures):
        return
    changed = [figure for figure in changes.figures if figure.changed]
    rows = "; ".join(
        f"{markup(figure.what)} {_amount(figure.before, figure.unit)} → "
        f"{_amount(figure.after, figure.unit)}"
        for figure in changed[:MOST_FIGURES]
    )
    rows += "; …" if len(changed) > MOST_FIGURES else ""
    st.html(f'<p class="x-legend"><b>{markup(changes.sentence)}</b> {rows}</p>')


def _over_network(
    resources: ClusterResources, compilation: Compilation, bytes_out: Mapping[str, int]
) -> None:
    """Draw the bytes of this document's run that would cross the network."""
    written = bytes_of_edges(compilation.job_graph, resources.channels, bytes_out)
    if not written:
        return
    crossing = sum(bytes_over_network(resources.channels, written).values())
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
    rows = [(scaled_task.name, scaled_task.sentence) for scaled_task in choice.tasks[:MOST]]
    st.html(info(choice.sentence, fields(rows)))


def _amount(value: float | None, unit: str) -> str:
    """A figure as HTML; bytes in human units, the exact number on hover."""
    if value is None:
        return "none"
    return size_markup(int(value)) if unit == "bytes" else f"{value:,}"


def _changes(
    document: Document | None, program: Compilation, resources: ClusterResources, text: str
) -> ResourceChanges | None:
    """Compare with the baseline under its own release; None where it has no deployment."""
    if document is None:
        return None
    try:
        return resource_changes(placed(document, program, text), resources)
    except ExplorerError:
        return None


def _route(compilation: Compilation) -> DeployMode:
    """Draw the menu of deployment modes in the bar, since the steps need the space below."""
    every = {
        f"{mode} on {cluster}": (mode, cluster) for mode, cluster in routes(compilation.release)
    }
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


def _show_fit(
    resources: ClusterResources,
    _compilation: Compilation,
    _view: GraphView,
    _selection: str | None,
) -> None:
    """Draw Flink's refusal, the memory of both processes, and what slots and channels need."""
    for refusal in resources.refusals:
        complaint.say(refusal)
    if resources.possible_refusal and not resources.refusal:
        complaint.say(
            "Flink will refuse if the scheduler fills the slots of a task manager: "
            f"java.io.IOException: {resources.possible_refusal}"
        )
    if resources.task_manager:
        st.html(memory_bar("A task manager's process", resources.task_manager.parts))
    else:
        st.html(hint("This release splits its memory differently."))
    if resources.job_manager:
        st.html(memory_bar("The job manager's process", resources.job_manager.parts))
    st.html(fields([("scheduling", note) for note in resources.scheduling_notes]))
    assumed = markup(", ".join(resources.assumed_options), 2000)
    defaults = info("Flink defaults", assumed) if resources.assumed_options else ""
    st.html(fields(_facts(resources)) + defaults)


def _facts(resources: ClusterResources) -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = [
        (f"slot sharing group {quoted(group_slots.name)}", counted(group_slots.slots, "slot"))
        for group_slots in resources.groups
    ]
    profiled = resources.profiles.groups if resources.profiles else ()
    rows += [(f"a slot of group {quoted(group.name)}", group.sentence) for group in profiled]
    names = resources.group_names
    for group in resources.managed:
        rows += [
            (
                f"managed memory, {use_case.use_case}",
                Size(use_case.bytes, f"of a slot of group {quoted(names[group.group])}"),
            )
            for use_case in group.use_cases
        ]
    if resources.channels:
        sides = f"{resources.local:,} within a task manager, {resources.remote:,} over the network"
        rows.append(("channels", sides))
    return rows


def _task_managers(
    resources: ClusterResources, compilation: Compilation, view: GraphView, selection: str | None
) -> None:
    if resources.placement is None:
        st.html(hint("Too many subtasks to place one by one, or some not decided."))
        return
    edge = job_edge_number(selection, view)
    phrase = _channels_in_words(resources, compilation, edge) if edge is not None else PICK
    st.html(f'<p class="x-legend">{phrase}</p>')
    drawing = placement_svg(
        resources, compilation.execution_graph, chain_colours(compilation, view), edge
    )
    words = (
        f"{counted(resources.task_managers, 'task manager')}, their slots and the subtasks in them"
    )
    st.html(image(drawing, "x-placement", words))


PICK: Final = "Select an edge in the graphs below to see its channels."


def _channels_in_words(resources: ClusterResources, compilation: Compilation, edge: int) -> str:
    edge_channels, graph = resources.channels[edge], compilation.execution_graph
    ends = graph.edges[edge]
    name = f"{graph.vertices[ends.source].name} → {graph.vertices[ends.target].name}"
    return (
        f'{markup(name)}: <i class="x-local"></i>{edge_channels.local:,} local '
        f'<i class="x-remote"></i>{edge_channels.remote:,} over the network'
    )


def _buffers(
    resources: ClusterResources, compilation: Compilation, view: GraphView, selection: str | None
) -> None:
    if resources.network is None:
        st.html(hint("There are no figures for this job under this release."))
        return
    whole = resources.network.options
    table.show(
        BUFFERS,
        [
            *map(_task_manager, resources.network.task_managers[:MOST]),
            *_tasks(resources, compilation, view),
        ],
        label="Network buffers",
        key=Key.BUFFERS,
        selection=selection,
        note=f"{whole.buffers:,} buffers of {readable_size(whole.buffer_size)} in a task manager",
        height="content",
        on_pick=actions.pick,
    )


def _task_manager(task_manager_buffers: TaskManagerBuffers) -> Row:
    name = {
        "text": f"task manager {task_manager_buffers.number + 1}",
        "tone": "bad" if task_manager_buffers.refusal else "good",
    }
    required = {
        "text": f"{task_manager_buffers.required:,} of {task_manager_buffers.total:,}",
        "share": min(1.0, task_manager_buffers.required / task_manager_buffers.total)
        if task_manager_buffers.total
        else 1.0,
    }
    return Row(None, (name, None, None, None, None, required, _most(task_manager_buffers.most)))


def _tasks(resources: ClusterResources, compilation: Compilation, view: GraphView) -> list[Row]:
    """Return a row for each task: a number, or the range over its subtasks."""
    every = resources.network.tasks if resources.network else ()
    keys = {vertex.id: (vertex.key, vertex.colour) for vertex in view.vertices}
    rows = []
    for position, vertex in enumerate(compilation.job_graph.vertices):
        tasks = [task_buffers for task_buffers in every if task_buffers.subtask.vertex == position]
        key, colour = keys[vertex.id]
        gates = [task.gates for task in tasks]
        figures = (
            [sum(gate.channels for gate in task_gates) for task_gates in gates],
            [sum(gate.remote for gate in task_gates) for task_gates in gates],
            [sum(result.subpartitions for result in task.results) for task in tasks],
            [task.required for task in tasks],
        )
        cells = tuple(span((min(values), max(values))) for values in figures)
        maximum = _most(max(task.most for task in tasks))
        rows.append(
            Row(key, ({"text": vertex.name, "hue": hue(colour)}, len(tasks), *cells, maximum))
        )
    return rows


def _most(buffers: int) -> Cell:
    return "all there are" if buffers >= INT_MAX else f"{buffers:,}"
