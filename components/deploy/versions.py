"""Both versions of a deploy as two cards: what is deployed, and what will replace it."""

from collections.abc import Callable

import streamlit as st

from components.deploy import baselines
from components.deploy.plan import has_baseline, plan_at_hand
from components.session import session
from components.session.callbacks import BASELINE
from components.session.compiled import CompileOutcome
from components.session.keys import Key
from components.session.measured import Measured
from components.session.work import Work
from components.widgets import complaint
from components.widgets.escaping import cut, markup
from components.widgets.pieces import release_menu
from explorer.documents.samples import samples
from explorer.plans import Plan, PlanSide
from explorer.plans.sizes import readable_size
from explorer.savepoints.loading import MAX_METADATA

NO_RELEASE = "release not known"


def show(
    work: Work,
    outcome: CompileOutcome,
    verdict: Measured,
    *,
    head: Callable[[], None],
    upload: Callable[[], None],
) -> None:
    """Draw the two cards.

    ``upload`` draws the box that opens another document, ``head`` the menus of the open one.
    """
    plan = plan_at_hand(work, outcome, verdict)
    with st.container(key="versions", horizontal=True):
        with st.container(key="version-old"):
            _old(work, verdict, plan.old if isinstance(plan, Plan) else None)
        with st.container(key="version-new"):
            _new(work, plan.new if isinstance(plan, Plan) else None, head, upload)


def _old(work: Work, verdict: Measured, side: PlanSide | None) -> None:
    is_chosen = has_baseline(work, verdict)
    # A changed document is compared with the original one until a baseline is chosen.
    name = verdict.baseline.name if verdict.baseline else "none"
    st.html(_title("Baseline", side if is_chosen else None, name))
    with st.container(key="version-old-bar", horizontal=True):
        key = session.widget(Key.DEPLOYED)
        st.file_uploader(
            "Baseline: a savepoint's _metadata, or a document",
            key=key,
            max_upload_size=MAX_METADATA >> 20,
            on_change=baselines.upload,
            args=(key,),
            label_visibility="collapsed",
            width=130,
        )
        if verdict.chosen and verdict.old is not None and verdict.old.program is not None:
            release_menu(
                "Flink release of the baseline",
                key=session.widget(Key.BASELINE_FLINK),
                version=verdict.old.program.release.version,
                on_change=baselines.set_release,
            )
        st.button("Make this document the baseline", key="make", on_click=baselines.make_this)
        if verdict.chosen:
            st.button("Compare with the original", key="unmake", on_click=baselines.forget)
    complaint.show(BASELINE)


def _new(
    work: Work, side: PlanSide | None, head: Callable[[], None], upload: Callable[[], None]
) -> None:
    is_sample = any(sample.key == work.origin for sample in samples())
    st.html(_title("New version", side, work.document.name, "" if is_sample else work.origin))
    with st.container(key="version-new-bar", horizontal=True):
        upload()
        head()


def _title(kind: str, side: PlanSide | None, otherwise: str, file: str = "") -> str:
    """Return a card's first line: its job, release, file or savepoint; without one, a word."""
    if side is None:
        facts, name = [], otherwise
    else:
        name = side.job or side.read_from
        size = f", {readable_size(side.state_bytes)} of state" if side.state_bytes else ""
        facts = [f"Flink {side.release}" if side.release else NO_RELEASE]
        sources = dict.fromkeys((file, side.read_from))
        facts += [source for source in sources if source not in {"", name, side.savepoint}]
        facts += [f"{side.savepoint}{size}"] if side.savepoint else []
    words = "".join(f"<span>{markup(cut(fact, 60))}</span>" for fact in facts)
    return f'<div class="x-version"><b>{kind}</b><i>{markup(cut(name, 60))}</i>{words}</div>'
