"""The document as text next to the graph, in CodeMirror 6: each compiles the other's edits.

Typed text stays as it is, with its comments, while it is faulty and after an edit in the graph.
``codemirror/`` holds the lock file and the script that ``codemirror.js`` of the browser code is
built with.
"""

from typing import Final

import msgspec
import streamlit as st

from components.session import actions, session
from components.session.callbacks import attempt, with_document
from components.session.guard import guarded
from components.session.keys import Key
from components.session.work import Work, redone, undone
from components.widgets.packaged import packaged_component
from components.widgets.pieces import hint
from explorer.document_schemas import document_schema
from explorer.documents import Document, dump_json, dump_yaml, parse_document
from explorer.documents.text.places import places
from explorer.documents.yaml_changes import changed_yaml
from explorer.drawing.view.selection import TRANSFORMATION, transformation_of
from explorer.errors import DocumentError, ExplorerError
from explorer.model.pipeline import Pipeline

_mount: Final = packaged_component("editor", js="main.js", css="main.css")
LONGEST: Final = 1_000_000
"""Letters of a text that is edited here; a longer one is a file to upload."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """The text in the editor."""

    text: str
    document: Document
    """The document of this text, or of the text before it became faulty."""
    opened: int
    """The document that it belongs to, as ``Work.serial`` counts them."""
    serial: int = 0
    """The number that the browser gave this text."""
    error: str = ""
    path: str = ""
    """Where in the document the error is."""


def show(work: Work) -> None:
    """Draw the text with its faults marked; a document that is no pipeline is shown read-only."""
    pipeline = work.document.pipeline
    draft = _draft(work, pipeline) if pipeline else None
    text = draft.text if draft else dump_json(work.document)
    if len(text) > LONGEST:
        st.html(hint("The document is too long to be shown as text here; download it instead."))
        return
    _mount(
        key=Key.EDITOR,
        data={
            "label": "Pipeline as YAML" if draft else "Document as JSON",
            "text": text,
            "readonly": draft is None,
            "serial": draft.serial if draft else 0,
            "marks": _marks(work, draft) if draft else [],
            "schema": document_schema("pipeline") if draft else None,
            "operators": _operators(draft, pipeline) if draft and pipeline else [],
            "selected": _selected(work),
        },
        height="stretch",
        on_typed_change=_apply_text,
        on_picked_change=lambda: actions.pick(Key.EDITOR),
        on_undo_change=actions.undo,
        on_redo_change=actions.redo,
    )


def show_changes(old: str, text: str, *, labels: tuple[str, str]) -> None:
    """Draw two texts side by side; ``labels``: what each of them is."""
    if max(len(old), len(text)) > LONGEST:
        st.html(hint("The documents are too long to be compared as text here."))
        return
    _mount(
        key=Key.TEXT_CHANGES,
        data={"old": old, "text": text, "labels": labels},
        height="stretch",
    )


def _draft(work: Work, pipeline: Pipeline) -> Draft:
    """Return the text as it was typed, with the edits made elsewhere merged into it."""
    draft: Draft | None = st.session_state.get(Key.DRAFT)
    if draft is not None and draft.document is work.document:
        return draft
    same = draft is not None and draft.opened == work.serial
    text = changed_yaml(draft.text, pipeline) if draft and same else dump_yaml(pipeline)
    serial = draft.serial if draft else 0
    result = Draft(text=text, document=work.document, opened=work.serial, serial=serial)
    st.session_state[Key.DRAFT] = result
    return result


@guarded
def _apply_text() -> None:
    """Compile the typed text; where it is faulty, the document stays as it is."""
    typed, work = st.session_state[Key.EDITOR]["typed"], session.work()
    if typed is None or work is None:
        return
    text, serial = str(typed["text"])[: LONGEST + 1], int(typed["serial"])
    try:
        document = parse_document(text, name="pipeline.yaml")
    except ExplorerError as error:
        path = error.path if isinstance(error, DocumentError) else ""
        problem = error.problem if isinstance(error, DocumentError) else str(error)
        wrong = Draft(text=text, document=work.document, opened=work.serial, serial=serial)
        st.session_state[Key.DRAFT] = msgspec.structs.replace(wrong, error=problem, path=path)
        return
    if document == work.document:
        document = work.document
    else:
        attempt(session.PAGE, lambda current_work: _with_text(current_work, document))
        document = (session.work() or work).document
    st.session_state[Key.DRAFT] = Draft(
        text=text, document=document, opened=work.serial, serial=serial
    )


def _with_text(work: Work, document: Document) -> Work:
    """Apply the document; where the text was undone or redone, undo or redo the page's step."""
    for near, step in ((work.history.past[-1:], undone), (work.history.future[:1], redone)):
        if near and near[0].serial == work.serial and near[0].document == document:
            return step(work)
    return with_document(work, document)


def _operators(draft: Draft, pipeline: Pipeline) -> list[dict[str, object]]:
    """List the selection key and the first line of each transformation's text."""
    paths = [f"transformations[{turn}]" for turn in range(len(pipeline.transformations))]
    return [
        {"key": f"{TRANSFORMATION}{transformation.id}", "line": place.line}
        for place, transformation in zip(
            places(draft.text, paths), pipeline.transformations, strict=True
        )
    ]


def _selected(work: Work) -> str | None:
    """Return the key of the transformation that is selected."""
    id = transformation_of(work.selection, session.compiled(work.document).view)
    return None if id is None else f"{TRANSFORMATION}{id}"


def _marks(work: Work, draft: Draft) -> list[dict[str, object]]:
    """List the errors with their places: syntax errors, else what Flink refuses."""
    if draft.error:
        pairs = [(draft.path, draft.error)]
    else:
        outcome = session.compiled(work.document)
        pairs = (
            [(path, outcome.error) for path in _transformation_paths(work, outcome.blamed)]
            if outcome.error
            else []
        )
    text_positions = places(draft.text, [path for path, _ in pairs])
    return [
        {"line": place.line, "column": place.column, "path": path, "text": text}
        for place, (path, text) in zip(text_positions, pairs, strict=True)
    ]


def _transformation_paths(work: Work, ids: tuple[str, ...]) -> list[str]:
    pipeline = work.document.pipeline
    every = pipeline.transformations if pipeline else ()
    turns = [
        f"transformations[{turn}]"
        for turn, transformation in enumerate(every)
        if transformation.id in ids
    ]
    return turns or ["transformations"]
