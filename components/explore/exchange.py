"""The *Network exchange* tab: the exchange between two tasks, and how first records crossed it."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.deploy.deployment import placed
from components.run.trial import data, row_bytes, row_table
from components.session import session
from components.session.keys import Key
from components.session.work import Work
from components.widgets import complaint, table
from components.widgets.escaping import markup
from components.widgets.pieces import hint, image, one_of
from components.widgets.table import Column, Row
from explorer.deployment.exchanges.exchange import Exchange, network_exchange
from explorer.drawing.svg.buffers_svg import buffers_svg
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.selection import job_edge_number
from explorer.engine.planning.synthetic import is_synthetic
from explorer.engine.preview.channel_records import ChannelRecords, channel_records
from explorer.engine.preview.sampling import RowSample
from explorer.engine.preview.tracing import TRACED_ROWS, TracedRun, traced_run
from explorer.flink.compiler import Compilation
from explorer.wording import counted

PARTS: Final = (Column("part"), Column("class", "mono"), Column("what it does here", "wrap"))
PARTS_VIEW, RECORDS_VIEW = "Parts", "Records"
VIEWS: Final = (PARTS_VIEW, RECORDS_VIEW)
BUFFERS: Final = 3
"""Buffers that are drawn."""
MOST: Final = 5000
"""Records of a channel that are shown."""
LISTED: Final = 200
"""Rows of the table."""
DRAWN: Final = "Network buffers and the records in them, by their bytes"
TALL: Final = 190
"""Pixels of it."""


def show(work: Work, compilation: Compilation, view: GraphView) -> None:
    """Draw the network exchange of the selected job edge, else of the first one."""
    if not view.job_edges:
        st.html(hint("This job has one task: no record crosses the network."))
        return
    options = str(st.session_state.get(Key.OPTIONS) or "")
    number = job_edge_number(work.selection, view) or 0
    latest = session.latest(
        "exchange",
        (work.document, compilation, options, number),
        lambda *_: network_exchange(
            compilation, placed(work.document, compilation, options), number
        ),
    )
    with st.container(key="exchange-bar", horizontal=True, vertical_alignment="center"):
        chosen = one_of(VIEWS, key=Key.EXCHANGE_VIEW, wrap=False)
        st.html(f'<div class="x-counts">{markup(_headline(latest), 300)}</div>', width="stretch")
    with st.container(key="exchange-body"), complaint.showing_errors():
        if chosen == PARTS_VIEW:
            _parts(latest)
        elif is_synthetic(compilation):
            st.html(hint("This document holds no functions, so there are no rows to look at."))
        else:
            _records(compilation, latest)


def _headline(result: Exchange) -> str:
    local = "" if result.local is None else f"; {result.local:,} local, {result.remote:,} remote"
    return f"{result.source} → {result.target}: {result.partitioner}, {result.result_type}{local}"


def _parts(result: Exchange) -> None:
    rows, stage = [], ""
    for part in result.parts:
        if part.stage != stage:
            stage = part.stage
            rows.append(Row(None, (stage, "", "")))
        name = {"text": part.short, "tip": part.class_name}
        rows.append(Row(None, (part.part, name, part.sentence)))
    table.show(
        PARTS, rows, label="Parts of the network exchange", key="exchange-parts", height="content"
    )


def _records(compilation: Compilation, result: Exchange) -> None:
    run = session.latest(
        "wired",
        (compilation, data.stamp()),
        lambda *_: traced_run(
            compilation, data_dir=data.folder(), sample=RowSample(rows=TRACED_ROWS)
        ),
    )
    channels = session.latest(
        "carried",
        (run, result.job_edge, result.buffer_size),
        lambda run, edge, size: channel_records(run, edge, size, MOST),
    )
    if not channels:
        st.html(hint("No record of the sample used this channel."))
        return
    left, right = st.columns([3, 2])
    with left:
        channel, picked = _channel(channels, result)
    with right:
        _draw_explanation(run, channel, picked)


def _channel(
    channels: Sequence[ChannelRecords], result: Exchange
) -> tuple[ChannelRecords, int | None]:
    """Draw a channel and its records; return the channel and the position of the selected row."""
    named = {_name(item): item for item in channels}
    chosen = st.selectbox(
        "Channel", list(named), key="exchange-channel", label_visibility="collapsed"
    )
    channel = named[str(chosen)]
    spans = [(row.start, row.size) for row in channel.rows]
    st.html(image(buffers_svg(spans, result.buffer_size, BUFFERS), "x-buffers", DRAWN))
    rows = [
        {
            "from byte": row.start,
            "bytes": row.size,
            "buffer": " to ".join(map(str, dict.fromkeys(row.buffers))),
            **dict(row.row.values),
        }
        for row in channel.rows[:LISTED]
    ]
    key = f"exchange-rows-{channel.subtask}-{channel.channel}"
    return channel, row_table.show(row_table.named_rows(rows), key=key, height=TALL)


def _draw_explanation(run: TracedRun, channel: ChannelRecords, picked: int | None) -> None:
    """Draw the reason for a record's channel and its bytes, or the bytes of a typed row."""
    first = channel.rows[0].row.number
    if _draw_typed_row(run.columns_of(first), run.union_tag_of(first)):
        return
    if picked is None:
        st.html(hint("Pick a row to see why it took this channel, and its bytes."))
        return
    row = channel.rows[picked]
    st.html(hint(markup(row.choice.why, 600)))
    number, values = row.row.number, tuple(v for _, v in row.row.values)
    columns, tag = run.columns_of(number), run.union_tag_of(number)
    row_bytes.show_parts(row_bytes.parts_of(columns, values, run.timestamp_of(number), tag))


def _draw_typed_row(columns: tuple[tuple[str, str], ...], tag: int) -> bool:
    """Draw the bytes of a row that the user types; return whether there is one."""
    expected = ", ".join(f"{name} {kind}" for name, kind in columns)
    text = st.text_input(
        "Row",
        key="exchange-typed",
        placeholder=f"Type a row: [{expected}]",
        label_visibility="collapsed",
    )
    if not text:
        return False
    with complaint.showing_errors():
        row_bytes.show_parts(row_bytes.typed(columns, text, tag))
    return True


def _name(one: ChannelRecords) -> str:
    to = ", ".join(map(str, one.consumers))
    return (
        f"subtask {one.subtask} → subtask {to}: {counted(one.records, 'record')}, {one.bytes:,} B"
    )
