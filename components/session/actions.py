"""Callbacks that open documents, select elements and change the job as a whole."""

import os
from pathlib import Path
from typing import Final

import msgspec
import streamlit as st

from components.session import places, session, shared
from components.session.callbacks import (
    UPLOAD,
    attempt,
    edited_with_selection,
    with_widget_value,
)
from components.session.file_plan import is_plan_file, open_plan
from components.session.guard import guarded
from components.session.keys import Key
from components.session.link import LONGEST_HELD
from components.session.work import Work, opened, redone, selected, undone, with_lesson
from explorer.comparison.baseline import baseline_values, load_baseline, pin_release
from explorer.documents import samples
from explorer.documents.lesson_files import parse_lesson
from explorer.documents.loading import LessonFileError
from explorer.documents.samples import Sample
from explorer.drawing.view.elements import operator_of
from explorer.drawing.view.selection import TRANSFORMATION, exists
from explorer.errors import DocumentError, did_you_mean, found_in
from explorer.flink.releases import VERSIONS
from explorer.lessons import answered
from explorer.locations import BASELINE_RELEASE_VARIABLE, BASELINE_VARIABLE
from explorer.model.lesson import Lesson
from explorer.model.pipeline import Pipeline
from explorer.wording import capitalized, quoted

KNOWN_SAMPLES: Final = "; Explore lists all of them in the menu on the left"
"""Behind a name that is no sample's, and like none."""
FIRST_SAMPLE: Final = "21-ready-to-deploy"
"""The sample that a first visit shows: ``check`` has no finding in it."""


def new_pipeline() -> Pipeline:
    """Return the document that a new pipeline starts from: it has no transformation yet."""
    return Pipeline(name="new pipeline", transformations=())


def default_sample(name: str) -> Sample | None:
    """Return the sample of this name, else the one without findings; None where there is none."""
    by_key = {sample.key: sample for sample in samples()}
    return by_key.get(name) or by_key.get(FIRST_SAMPLE)


def check_address() -> None:
    """Say which names in the address of a first visit are not known."""
    if session.work() is None and (problems := ". ".join(map(capitalized, places.unknown_names()))):
        session.complain(session.PAGE, problems)


def open_default() -> Work:
    """Open the sample that the address names, else one without findings."""
    name = session.named_sample()
    first = default_sample(name)
    if name and (first is None or first.key != name):
        hint = did_you_mean(name, [sample.key for sample in samples()])
        session.complain("sample", f"There is no sample {quoted(name)}{hint or KNOWN_SAMPLES}")
    if first is None:
        work = opened(new_pipeline(), "", fresh=True)
    else:
        work = opened(shared.load(first.path), first.key)
    session.put(work)
    return work


def take_sample(key: str | None) -> None:
    """Open the sample of this name, if there is one."""
    sample = next((item for item in samples() if item.key == key), None)
    if sample is not None:
        attempt("sample", lambda work: opened(shared.load(sample.path), sample.key, work))


open_sample: Final = with_widget_value(take_sample)
"""Open the sample that was picked."""


def open_new() -> None:
    """Start a pipeline by hand."""
    attempt("sample", lambda work: opened(new_pipeline(), "", work, fresh=True))


def open_document(content: bytes, name: str) -> bool:
    """Open an uploaded document, plan or lesson; messages name the file."""
    return attempt(UPLOAD, lambda work: _opened_file(work, content, name))


def _opened_file(work: Work, content: bytes, name: str) -> Work:
    with found_in(name):
        if is_plan_file(content):
            return open_plan(work, content, name)
        try:
            document = shared.parse(content, name)
        except LessonFileError:
            return _taught(work, parse_lesson(content, name=name), name)
    default = os.environ.get(BASELINE_VARIABLE)
    if default is not None and work.document.baseline is document.baseline is None:
        baseline = load_baseline(default)
        if (release := os.environ.get(BASELINE_RELEASE_VARIABLE)) is not None:
            baseline = pin_release(baseline, release, replace=True)
        document = document.with_baseline(baseline_values(baseline))
    return opened(document, name, work)


def _taught(work: Work, lesson: Lesson, name: str) -> Work:
    """Attach an uploaded lesson after a check that it can be played, and open its tab.

    A lesson that names no pipeline and is called as a sample's belongs to that sample.
    """
    stem = name.partition(".lesson.")[0]
    of_sample = next((sample.path.name for sample in samples() if sample.key == stem), "")
    expected = Path(lesson.pipeline).name if lesson.pipeline else of_sample
    if expected and expected not in {
        work.origin,
        *(f"{work.origin}{end}" for end in (".yaml", ".json")),
    }:
        sample = next((sample for sample in samples() if sample.path.name == expected), None)
        if sample is None:
            problem = f"open {quoted(expected)} first; the lesson is about that pipeline"
            raise DocumentError(path="pipeline", problem=problem)
        work = opened(shared.load(sample.path), sample.key, work)
    answered(lesson, work.opened)
    places.go(places.LESSON)
    return with_lesson(work, lesson)


def undo() -> None:
    """Undo the latest edit."""
    attempt(session.PAGE, undone)


def redo() -> None:
    """Redo the last undone edit."""
    attempt(session.PAGE, redone)


@guarded
def restore_held() -> None:
    """Adopt the state that the browser's tab has from an earlier session."""
    text = st.session_state[Key.FRAME]["held"]
    if text is not None:
        session.restore_held(str(text)[: LONGEST_HELD + 1])


def take_release(version: str) -> None:
    """Compile as the release of this name does."""
    if version in VERSIONS:
        attempt(
            session.PAGE, lambda work: edited_with_selection(work, work.document.under(version))
        )


set_release: Final = with_widget_value(take_release)
"""Compile as the release that was picked does."""


@with_widget_value
def set_chaining(on: bool) -> None:  # noqa: FBT001 - a widget's value
    """Turn chaining on or off for the job."""
    turn_chaining(on=on)


def turn_chaining(*, on: bool) -> None:
    """Turn chaining on or off for the job, whichever it was."""
    attempt(
        session.PAGE, lambda work: edited_with_selection(work, work.document.with_chaining(on=on))
    )


def clear() -> None:
    """Select nothing."""
    attempt(session.PAGE, lambda work: selected(work, None))


@guarded
def pick(widget: str) -> None:
    """Select what was picked in a graph or in a table."""
    chosen = st.session_state[widget]["picked"]
    if chosen is not None:
        attempt(session.PAGE, lambda work: selected(work, place_of(work, chosen["key"])))


@guarded
def fold(widget: str) -> None:
    """Draw each chain as one card, or its operators."""
    chosen = st.session_state[widget]["folded"]
    if chosen is not None:
        fold_all(on=bool(chosen["on"]))


def fold_all(*, on: bool) -> None:
    """Draw every chain as one card, or every chain's operators."""
    attempt(session.PAGE, lambda work: msgspec.structs.replace(work, folded=on, folds=frozenset()))


def place_of(work: Work, key: str | None) -> str | None:
    """Return the selection for a picked key: of a transformation its node, if it has one."""
    view = session.compiled(work.document).view
    if key is None or view is None:
        return key
    if not key.startswith(TRANSFORMATION):
        return key if exists(view, key) else None
    expected = key.removeprefix(TRANSFORMATION)
    node = operator_of(view, expected)
    return key if node is None else node.key
