"""The lesson tab: a sample's lesson, or a prediction of chains or IDs, played in both graphs."""

from typing import Final

import streamlit as st

from components.learn import guide
from components.session import actions, places, session
from components.session.callbacks import attempt
from components.session.compiled import traced
from components.session.guard import guarded
from components.session.keys import Key
from components.session.work import Work, replaced
from components.widgets.packaged import packaged_component
from components.widgets.pieces import fields, hint, one_of
from explorer.documents import Document
from explorer.documents.samples import course, samples
from explorer.drawing.view.highlighted_steps import MOST
from explorer.drawing.view.lesson_steps import Json, lesson_json, lessons_by_group
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.glossary import TERMS
from explorer.lessons import (
    LessonAt,
    answered,
    chains_question,
    moved_ids_question,
    predictable_changes,
)
from explorer.lessons.predicting import PredictableChange
from explorer.model.lesson import Answer, Lesson, LessonStep
from explorer.model.narrated_step import Highlighted

_mount: Final = packaged_component("lesson", js="main.js", css="main.css")
GLOSSARY: Final = "Glossary"
MODES: Final = ("Lesson", "Predict chains", "Predict IDs", GLOSSARY)
UNCHANGED: Final = "No change"
NO_LESSON: Final = (
    "This document has no lesson. Open one from the list, or upload a lesson's file: its "
    'questions are answered for this document. "Predict chains" and "Predict IDs" ask about '
    "every document."
)


def show(work: Work, compilation: Compilation) -> None:
    """Draw the player, or say why there is nothing to play."""
    many = len(compilation.stream_graph.nodes) > MOST
    with st.container(key="lesson-bar", horizontal=True, vertical_alignment="center"):
        mode = one_of(MODES, key=Key.LESSON_MODE, label="Mode")
        change = _change(work, mode) if mode in MODES[1:3] and not many else None
        st.html(guide.BUTTONS, width="stretch")
    if mode == GLOSSARY:
        with st.container(key="glossary"):
            st.html(fields((term.word, term.means) for term in TERMS))
    elif many:
        st.html(hint(f"Pipelines of up to {MOST:,} operators are lessons."))
    elif mode == MODES[0]:
        _lesson(work)
    elif mode == MODES[1]:
        steps = session.latest("predicted chains", (compilation, change), _chains)
        _play(steps, f"chains {work.serial} {change.label if change else UNCHANGED}", work)
    elif change is None:
        st.html(hint("There is no change to predict: the pipeline is empty, or a running job."))
    else:
        steps = session.latest("predicted IDs", (work.document, change), _ids)
        _play(steps, f"IDs {work.serial} {change.label}", work)


def open_glossary() -> None:
    """Open the tab where the glossary is."""
    places.go(places.LESSON)
    st.session_state[Key.LESSON_MODE] = GLOSSARY


def _lesson(work: Work) -> None:
    sample = next((item for item in samples() if item.key == work.origin), None)
    lesson = work.lesson or (sample.lesson if sample else None)
    if lesson is None:
        _play(_single_step(work.opened.heading, NO_LESSON), f"{work.serial} no lesson", work)
        return
    try:
        steps = session.shared("lesson", (lesson, work.opened), answered)
    except ExplorerError as error:
        st.html(hint(f"This lesson cannot be played: {error}"))
        return
    _play(lesson_json(lesson, steps), f"{work.serial} {lesson.lesson}", work, steps)


def _play(shown_values: Json, document: str, work: Work, steps: tuple[LessonAt, ...] = ()) -> None:
    """Draw the player; it begins at the first step whenever ``document`` is another text."""
    pairs = [(sample.key, sample.lesson) for sample in course() if sample.lesson]
    keys = [key for key, _ in pairs]
    following = keys.index(work.origin) + 1 if work.origin in keys else len(keys)
    follows = (
        {"key": keys[following], "title": pairs[following][1].lesson} if keys[following:] else None
    )
    _mount(
        key=Key.LESSON,
        data={
            **shown_values,
            "course": session.latest("course", (), lambda: lessons_by_group(pairs)),
            "key": work.origin,
            "next": follows if steps else None,
            "apart": bool(steps) and work.document != work.opened,
            "document": document,
        },
        height="stretch",
        on_picked_change=lambda: actions.pick(Key.LESSON),
        on_opened_change=_open,
        on_tried_change=lambda: _try(steps),
        on_restored_change=_restore,
    )


@guarded
def _open() -> None:
    chosen = st.session_state[Key.LESSON]["opened"]
    if chosen is not None:
        actions.take_sample(chosen["key"])


@guarded
def _try(steps: tuple[LessonAt, ...]) -> None:
    chosen = st.session_state[Key.LESSON]["tried"]
    changed = steps[chosen["step"]].change if chosen is not None else None
    if changed is not None:
        attempt(session.PAGE, lambda work: replaced(work, changed, None))


@guarded
def _restore() -> None:
    if st.session_state[Key.LESSON]["restored"] is not None:
        attempt(session.PAGE, lambda work: replaced(work, work.opened, None))


def _single_step(title: str, say: str, answer: Answer | None = None) -> Json:
    """Return a sentence, with the question that it may ask, as a lesson of one step."""
    step = LessonAt(
        number=1,
        part="prediction",
        title=title,
        sentence=say,
        highlighted=Highlighted(),
        details=(),
        event=LessonStep(say=say),
        answer=answer,
    )
    return lesson_json(Lesson(lesson=title, group="chains", steps=()), (step,))


def _chains(compilation: Compilation, change: PredictableChange | None) -> Json:
    say = "Mark each edge with two ends that will share a task. Then ask the compiler."
    return _single_step("Predict the chains", say, chains_question(compilation, change))


def _change(work: Work, mode: str) -> PredictableChange | None:
    """Draw the menu of changes to predict; return None where there is none or none is chosen."""
    proposals = session.latest("predictable", (work.document,), predictable_changes)
    changes = {item.label: item for item in proposals}
    whole = [UNCHANGED] if mode == MODES[1] else []
    if not changes:
        return None
    chosen = st.selectbox(
        "Change",
        [*whole, *changes],
        key=Key.PREDICTION_OF_CHAINS if whole else Key.PREDICTION,
        label_visibility="collapsed",
        width=330,
    )
    return changes.get(chosen or "")


def _ids(document: Document, change: PredictableChange) -> Json:
    answer = moved_ids_question(traced(document), change)
    say = "Mark each operator that gets another ID by this change. Then let the compiler say."
    return _single_step("Predict the IDs", say, answer)
