"""A plan that was uploaded: opened with the documents of both sides, and shown as it was made."""

from typing import Any, Final

import msgspec
import streamlit as st

from components.session import places
from components.session.keys import Key
from components.session.work import Work, opened
from explorer.comparison.baseline import Baseline, baseline_values
from explorer.documents import Document
from explorer.model.pipeline import Pipeline
from explorer.plans import Plan
from explorer.plans.reading import read_plan

MARKS: Final = (b'"verdict"', b'"sections"', b'"documents"')
"""Members that a plan's JSON has and no pipeline document has."""


class FilePlan(msgspec.Struct, frozen=True, kw_only=True):
    """A plan and the number of the opened document that it is about."""

    plan: Plan
    serial: int


def is_plan_file(content: bytes) -> bool:
    """Whether a file looks like a plan's JSON."""
    return all(mark in content for mark in MARKS)


def open_plan(work: Work, content: bytes, name: str) -> Work:
    """Open the new side with the old one as its baseline, and show the plan as it was made.

    A program that does not start has no document: the deployed version is opened in its place, or
    a pipeline without operators. Raises ``ExplorerError`` where the file is no plan.
    """
    plan = read_plan(content)
    new_work = opened(_shown_document(plan), name, work)
    document = new_work.document.with_baseline(_baseline(plan))
    new_work = msgspec.structs.replace(new_work, document=document, opened=document)
    st.session_state[Key.PLAN] = FilePlan(plan=plan, serial=new_work.serial)
    places.go(places.PLAN)
    return new_work


def _shown_document(plan: Plan) -> Document:
    documents = plan.documents
    return documents.new or documents.old or Pipeline(name=plan.new.read_from, transformations=())


def _baseline(plan: Plan) -> dict[str, Any] | None:
    """Return the old side as a baseline; None where there is none or its document is shown."""
    old = plan.documents.old
    if old is None or plan.documents.new is None:
        return None
    name = plan.old.read_from if plan.old else old.name
    return baseline_values(Baseline(name=name, document=old))


def shown_graphs(plan: Plan) -> str:
    """Return the sentence on an uploaded plan that names the graphs shown with it."""
    if plan.documents.new is not None:
        return "Uploaded plan, as it was made. The other tabs compare both of its programs again."
    if plan.documents.old is not None:
        return "Uploaded plan. The new program has no graph: the graphs show the deployed version."
    return "Uploaded plan. The new program has no graph, and the plan holds no deployed version."


def failure_without_graph(work: Work) -> str | None:
    """Why an uploaded plan has no program to draw; None for any other document."""
    plan = uploaded_plan(work)
    if plan is None or plan.documents.new or plan.documents.old:
        return None
    return plan.sentence


def uploaded_plan(work: Work) -> Plan | None:
    """Return the uploaded plan, while its document is open and unchanged."""
    session_state = st.session_state.get(Key.PLAN)
    if not isinstance(session_state, FilePlan) or session_state.serial != work.serial:
        return None
    return session_state.plan if work.document == work.opened else None
