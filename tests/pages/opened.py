"""The whole page without a browser: AppTest, and what it sends to the components."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import FileUploader

from components.deploy import strip
from components.session.keys import Key
from tests.patience import PATIENCE

APP = Path(__file__).parents[2] / "app.py"


@cache
def _components() -> BidiComponentManager:
    """The components of all pages, as a server has them; else each AppTest registers its own.

    Streamlit's search of all distributions is left out: it finds none of a checkout.
    """
    return BidiComponentManager()


def opened(**query: str) -> AppTest:
    """The page after its first run: the word count and its IDs where the query names no other."""
    query.setdefault("sample", "01-word-count")
    if not query.keys() & {"tab", "place", "view"}:
        query["tab"] = "IDs"
    page = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    page._bidi_component_manager = _components()
    for name, value in query.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def uploader(page: AppTest, key: str = Key.UPLOAD) -> FileUploader:
    """The box with this key: the one that opens a document, or another."""
    return next(box for box in page.file_uploader if (box.key or "").partition("@")[0] == key)


def with_graphs(page: AppTest) -> AppTest:
    """The place *Deploy* with the new version's graphs in its strip."""
    return page.segmented_control(key=Key.STRIP).set_value(strip.GRAPHS).run()


def _sent_as(text: str) -> dict[str, Any]:
    """What a component was sent as this text: JSON, which Streamlit writes as JSON once more."""
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.decode(text))
    return data


def all_sent(page: AppTest) -> list[dict[str, Any]]:
    """What each component was sent, in the page's order."""
    return [_sent_as(element.proto.json) for element in page.get("bidi_component")]


def sent(page: AppTest, label: str) -> dict[str, Any]:
    """What the component with this label was sent; both graphs have the label ``graphs``."""
    for element in page.get("bidi_component"):
        data = _sent_as(element.proto.json)
        if data.get("label") == label or (label == "graphs" and "stream" in data):
            return data
    msg = f"nothing was sent to {label}"
    raise AssertionError(msg)


def announce(page: AppTest, label: str, event: str, value: Any) -> AppTest:
    """Run the page after the component with this label sent an event, as its browser does."""
    data = sent(page, label)
    (component,) = [
        element.proto
        for element in page.get("bidi_component")
        if _sent_as(element.proto.json) == data
    ]
    states = page._tree.get_widget_states()
    trigger = json.dumps([{"event": event, "value": value}])
    states.widgets.add(id=_make_trigger_id(component.id, "events"), json_trigger_value=trigger)
    return page._run(states)


def drawn(page: AppTest, side: str, kind: str = "card") -> dict[str, str]:
    """Map the keys of a graph's parts of one kind to their SVG, in the order of the drawing."""
    parts = sent(page, "graphs")[side]["parts"]
    return {key: svg for identity, key, _, svg in parts if identity.startswith(f"{kind}:")}


def html(page: AppTest) -> str:
    """Everything that the page wrote as HTML, the listed findings too, its style left out."""
    bodies = [element.proto.body for element in page.get("html")]
    lists = [data["rows"] for data in all_sent(page) if data.get("label") == "Findings"]
    return "\n".join(body for body in sum(lists, bodies) if not body.startswith("<style"))
