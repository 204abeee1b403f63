"""A plan that was uploaded: opened with the documents of both sides, and shown as it was made."""

from typing import Final

import msgspec
import streamlit as st

from components import places
from components.keys import Key
from components.work import Work, opened
from explorer.analysis.baseline import Baseline, baseline_values
from explorer.analysis.plan import Plan
from explorer.analysis.plan.reading import read_plan
from explorer.errors import ExplorerError

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

    Raises ``ExplorerError`` where the file is no plan or holds no document.
    """
    plan = read_plan(content)
    new, old = plan.documents.new, plan.documents.old
    if new is None:
        msg = f"{name} is a plan without the new program, so there is no graph to show"
        raise ExplorerError(msg)
    if old is not None:
        side = plan.old.read_from if plan.old else old.name
        new = new.with_baseline(baseline_values(Baseline(name=side, document=old)))
    after = opened(new, name, work)
    st.session_state[Key.PLAN] = FilePlan(plan=plan, serial=after.serial)
    places.go(places.PLAN)
    return after


def uploaded_plan(work: Work) -> Plan | None:
    """The uploaded plan, while its document is open and unchanged."""
    found = st.session_state.get(Key.PLAN)
    if not isinstance(found, FilePlan) or found.serial != work.serial:
        return None
    return found.plan if work.document == work.opened else None
