"""Putting an operator into the stream that an edge shows."""

import streamlit as st

from components import complaint, editing, session
from explorer.drawing.elements import EdgeView, GraphView
from explorer.edits import insertable
from explorer.model.pipeline import Pipeline


def show(pipeline: Pipeline, view: GraphView, edge: EdgeView) -> None:
    """Offer the types that fit; the operator stands before the edge's partitioner."""
    ends = stream_of(pipeline, view, edge)
    if ends is None:
        return
    key = session.widget(f"{edge.key}.insert")
    with st.container(key="insert", horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Insert here", insertable(), key=key)
        st.button("Insert", key="insert.do", on_click=editing.insert, args=(*ends, key))
    complaint.show(editing.INSERT)


def stream_of(pipeline: Pipeline, view: GraphView, edge: EdgeView) -> tuple[str, str] | None:
    """Return the transformations at both ends of an edge; None within one transformation.

    Where several edges share a partition, that is the next one for all of them.
    """
    source = view.node_of[edge.source].transformation
    target = view.node_of[edge.target].transformation
    if source is None or target is None or source == target:
        return None
    route = {*edge.via, target}
    readers = (one.id for one in pipeline.transformations if source in one.inputs)
    reader = next((id for id in readers if id in route), None)
    return None if reader is None else (source, reader)
