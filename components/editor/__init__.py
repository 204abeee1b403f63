"""The pipeline as YAML beside the graph: what is typed is drawn, what is edited there is told here.

What is typed is kept as it is, with its comments, while it is wrong and after the graph was edited.
"""

from typing import Final

import msgspec
import streamlit as st

from components import session
from components.callbacks import attempt, taken_over
from components.guard import guarded
from components.keys import Key
from components.packaged import packaged_component
from components.pieces import hint
from components.work import Work
from explorer.documents import Document, dump_yaml, parse_document
from explorer.documents.places import places
from explorer.documents.yaml_changes import changed_yaml
from explorer.errors import DocumentError, ExplorerError
from explorer.model.pipeline import Pipeline

_mount: Final = packaged_component("editor", js="main.js", css="main.css")
LONGEST: Final = 1_000_000
"""Letters of a text that is edited here; a longer one is a file to upload."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """The text that is shown."""

    text: str
    document: Document
    """What it says, or said before it was wrong."""
    opened: int
    """Which document it belongs to, as ``Work.serial`` counts them."""
    serial: int = 0
    """The number that the browser gave it."""
    error: str = ""
    path: str = ""
    """Where in the document the error is."""


def show(work: Work) -> None:
    """Draw the text with its lines numbered, and what is wrong at its line."""
    pipeline = work.document.pipeline
    if pipeline is None:
        st.html(hint("Only a pipeline is written as YAML; this document is downloaded as JSON."))
        return
    draft = _draft(work, pipeline)
    if len(draft.text) > LONGEST:
        st.html(hint("This pipeline is too long to be edited as text here; download it instead."))
        return
    _mount(
        key=Key.EDITOR,
        data={
            "label": "Pipeline as YAML",
            "text": draft.text,
            "serial": draft.serial,
            "marks": _marks(work, draft),
        },
        height="stretch",
        on_typed_change=_typed,
    )


def _draft(work: Work, pipeline: Pipeline) -> Draft:
    """The text for the document at hand: as it was typed, with what was edited elsewhere in it."""
    known: Draft | None = st.session_state.get(Key.DRAFT)
    if known is not None and known.document is work.document:
        return known
    same = known is not None and known.opened == work.serial
    text = changed_yaml(known.text, pipeline) if known and same else dump_yaml(pipeline)
    serial = known.serial if known else 0
    made = Draft(text=text, document=work.document, opened=work.serial, serial=serial)
    st.session_state[Key.DRAFT] = made
    return made


@guarded
def _typed() -> None:
    """Take over what was typed; where it is wrong, the document stays as it is."""
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
        attempt("top", lambda now: taken_over(now, document))
    st.session_state[Key.DRAFT] = Draft(
        text=text, document=document, opened=work.serial, serial=serial
    )


def _marks(work: Work, draft: Draft) -> list[dict[str, object]]:
    """What is wrong, by line: what cannot be read, else what Flink refuses."""
    if draft.error:
        found = [(draft.path, draft.error)]
    else:
        done = session.compiled(work.document)
        found = [(path, done.error) for path in _blamed(work, done.blamed)] if done.error else []
    where = places(draft.text, [path for path, _ in found])
    return [
        {"line": place.line, "path": path, "text": text}
        for place, (path, text) in zip(where, found, strict=True)
    ]


def _blamed(work: Work, ids: tuple[str, ...]) -> list[str]:
    pipeline = work.document.pipeline
    every = pipeline.transformations if pipeline else ()
    turns = [f"transformations[{turn}]" for turn, one in enumerate(every) if one.id in ids]
    return turns or ["transformations"]
