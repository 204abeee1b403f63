"""Preview of the first rows: figures on both graphs, and the rows of a selection."""

from typing import Final

import streamlit as st

from components.run.trial import data, results, row_bytes, row_table, runs
from components.server.hosting import hosting
from components.session import places, session
from components.session.compiled import CompileOutcome
from components.session.keys import Key
from components.widgets import complaint
from components.widgets.escaping import markup
from components.widgets.pieces import one_of
from explorer.drawing.view.elements import EdgeView, GraphView
from explorer.engine.planning.synthetic import is_synthetic
from explorer.engine.preview.preview import EmittedRows, Preview, preview_trial, rows_read
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.rows.batch import NO_TIMESTAMP
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation

VIEWS: Final = ("Rows", "Tasks", "Operators")
MOST: Final = 200
"""Rows of a table."""
TALL: Final = 170
"""Pixels of it."""


def of(outcome: CompileOutcome) -> Preview | ExplorerError | None:
    """Return the preview of a document, or its error; None where only a trial can run it."""
    if outcome.compilation is None or is_synthetic(outcome.compilation):
        return None
    return session.shared(
        "preview", (outcome.compilation, str(data.folder()), data.stamp()), _compute_preview
    )


def _compute_preview(
    compilation: Compilation, _folder: str, _stamp: str
) -> Preview | ExplorerError:
    try:
        return preview_trial(compilation, data_dir=data.folder(), seconds=hosting().preview_seconds)
    except ExplorerError as error:
        return error


def figures(outcome: CompileOutcome) -> TrialReport | None:
    """Return the preview's figures while the trial tab is open and shows no run."""
    _, tab = places.current()
    if tab != places.TRIAL or runs.shown() is not None:
        return None
    preview = of(outcome)
    return preview.report if isinstance(preview, Preview) else None


def bar(preview: Preview | ExplorerError | None) -> str:
    """Draw what the bar holds of a preview; give the view that was chosen."""
    if not isinstance(preview, Preview):
        return VIEWS[0]
    chosen = one_of(VIEWS, key=Key.PREVIEW, wrap=False)
    rows = rows_read([markup(name, 60) for name in preview.cut])
    text = f"Preview: {rows}, {preview.report.wall_ms:.0f} ms, without Spark"
    st.html(f'<div class="x-counts">{text}</div>', width="stretch")
    return chosen


def show(
    preview: Preview | ExplorerError | None,
    view: GraphView | None,
    chosen: str,
    *,
    selection: str | None,
    highlighted: frozenset[str],
) -> None:
    """Draw the view that was chosen, or the sentence with the reason for a missing preview."""
    if isinstance(preview, ExplorerError) and "trial" not in session.errors():
        # Where a run was refused, the tab has shown why.
        complaint.say(str(preview), excerpt=preview.excerpt)
    if not isinstance(preview, Preview) or view is None:
        return
    if chosen == "Rows":
        node, tag, name = _place(view, selection or "") or _last(view)
        tables = preview.of(node, tag)
        if not tables:
            st.html(f'<div class="x-counts">{name}: no rows</div>')
        for turn, emitted_rows in enumerate(tables):
            st.html(f'<div class="x-counts">{name}: {_count(emitted_rows)}</div>')
            left, right = st.columns([3, 2])
            with left:
                picked = _table(emitted_rows, f"preview-rows-{turn}")
            with right:
                _offer_to_follow(view, emitted_rows, picked)
                row_bytes.show(emitted_rows, picked)
    else:
        results.tables(view, preview.report, selection=selection, highlighted=highlighted)[chosen]()


def _offer_to_follow(view: GraphView, emitted_rows: EmittedRows, picked: int | None) -> None:
    node = view.node_of[f"n{emitted_rows.node}"]
    if picked is None or any(edge.target == node.key for edge in view.edges):
        return
    subtask = emitted_rows.data[picked][0]
    previous = sum(number == subtask for number, _, _ in emitted_rows.data[:picked])
    row = 1 + subtask + previous * node.parallelism
    owner = f"source {node.transformation or node.name}"
    st.button("Trace this record", key="follow-this", on_click=_follow, args=(owner, row))


def _follow(owner: str, row: int) -> None:
    session.set_widget(Key.TRACED_END, owner)
    session.set_widget(Key.TRACED_ROW, row)
    st.session_state.pop(Key.TRACE_WHERE, None)
    places.go(places.FOLLOW)


def _table(emitted_rows: EmittedRows, key: str) -> int | None:
    """Draw the rows; return the position of the selected one."""
    timed = any(time not in {None, NO_TIMESTAMP} for _, time, _ in emitted_rows.data)
    heads = [
        "subtask",
        *(["timestamp"] if timed else []),
        *(column for column, _ in emitted_rows.columns),
    ]
    rows = [(s, *([time] if timed else []), *row) for s, time, row in emitted_rows.data[:MOST]]
    return row_table.show(row_table.table_of(heads, rows), key=session.widget(key), height=TALL)


Place = tuple[int, str | None, str]
"""The node and the side output with the rows that are shown, and how they are called."""


def _place(view: GraphView, selection: str) -> Place | None:
    """Return the output that has the records of the selection."""
    if selection in view.vertex_of:
        selection = view.vertex_of[selection].nodes[-1]
    if selection in view.job_edge_of:
        selection = view.job_edge_of[selection].edge
    if selection in view.edge_of:
        return _along(view, view.edge_of[selection])
    if selection in view.node_of:
        node = view.node_of[selection]
        old_view = next((edge for edge in view.edges if edge.target == selection), None)
        ends = all(edge.source != selection for edge in view.edges)
        # A sink emits nothing: show its input records.
        return _along(view, old_view) if ends and old_view else (node.id, None, markup(node.name))
    return None


def _last(view: GraphView) -> Place:
    heads = {edge.source for edge in view.edges}
    sink = next((node.key for node in view.nodes if node.key not in heads), view.nodes[-1].key)
    return _place(view, sink) or (view.nodes[-1].id, None, "")


def _along(view: GraphView, edge: EdgeView) -> Place:
    name = f"{markup(edge.source_name)} → {markup(edge.target_name)}"
    return view.node_of[edge.source].id, edge.side_output, name


def _count(emitted_rows: EmittedRows) -> str:
    shown = min(MOST, len(emitted_rows.data))
    return f"{emitted_rows.rows:,} rows" + (
        f", {shown:,} of them here" if shown < emitted_rows.rows else ""
    )
