"""Pictures of the visible graphs, drawn by the server and saved by the browser."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import streamlit as st

from components.session import routes
from components.session.compiled import CompileOutcome
from components.session.guard import guarded
from components.session.keys import Key
from components.session.work import Work, file_stem
from components.widgets import complaint
from components.widgets.packaged import packaged_component
from components.widgets.picture.formats import BOTH, FORMATS, WHICH, Scene, lights_of
from explorer.drawing.layout.orientation import DOWN, RIGHT
from explorer.drawing.view.annotations import Annotations
from explorer.drawing.view.elements import GraphView, GraphWords
from explorer.drawing.view.selection import highlighted
from explorer.errors import ExplorerError

_mount: Final = packaged_component("picture", js="main.js", css="main.css")


Added: TypeAlias = Callable[[Work, CompileOutcome, GraphView], Annotations]
"""Returns the marks on both graphs."""


def show(work: Work, outcome: CompileOutcome, added: Added) -> None:
    """Wait for the browser to ask; what it asked for last is sent once."""
    kind = st.session_state.pop(Key.PICTURE_ASKED, None)
    values = _create_file(work, outcome, kind, added) if kind is not None else {}
    _mount(key=Key.PICTURE, data={"label": "Picture", **values}, on_asked_change=ask)


def menu(words: GraphWords) -> list[dict[str, Any]]:
    """Return the menu below the graphs: for each graph the formats, by name and label.

    ``words``: what the program's graphs are called.
    """
    named = {**WHICH, "stream": words.stream, "job": words.job}
    return [
        {
            "which": levels,
            "label": label,
            "formats": [
                {"name": name, "label": file_format.label, "title": f"{file_format.title}: {label}"}
                for name, file_format in FORMATS.items()
                if file_format.holds(levels)
            ],
        }
        for levels, label in named.items()
    ]


@guarded
def ask() -> None:
    """Remember what was asked for until the page is drawn again."""
    kind = st.session_state[Key.PICTURE]["asked"]
    if kind is not None:
        st.session_state[Key.PICTURE_ASKED] = kind


def _create_file(
    work: Work, outcome: CompileOutcome, asked: dict[str, Any], added: Added
) -> dict[str, Any]:
    """Return the requested file; the browser's values are looked up, since they are not trusted."""
    row = FORMATS.get(str(asked.get("format")))
    levels = next((item for item in WHICH if item == asked.get("which")), BOTH)
    if row is None or not row.holds(levels) or outcome.compilation is None or outcome.view is None:
        return {}
    visible = routes.visible(work, outcome.view)
    shining = highlighted(work.selection, visible.view, visible.view.counterparts) | visible.around
    scene = Scene(
        compilation=outcome.compilation,
        visible=visible,
        name=work.document.heading,
        theme="dark" if asked.get("dark") is True else "light",
        lights=lights_of(visible, shining, work.selection, asked.get("lights")),
        added=added(work, outcome, visible.view),
        orientation=RIGHT if asked.get("across") is True else DOWN,
    )
    try:
        content = row.draw(scene, levels)
    except ExplorerError as error:
        complaint.say(str(error))
        return {}
    packed = content if isinstance(content, bytes) else content.encode()
    return {
        "serial": str(asked.get("serial"))[:40],
        "file": f"{file_stem(work)}{'' if levels == 'both' else f'-{levels}graph'}.{row.ending}",
        "mime": row.mime,
        "painted": row.painted,
        "content": b64encode(packed).decode(),
    }
