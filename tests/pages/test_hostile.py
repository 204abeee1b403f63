"""Hostile names through the page: expectations, reasons and every picture of such graphs."""

import json
import os
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.session.compiled import compile_document
from components.session.routes import Visible
from components.widgets.picture.formats import FORMATS, WHICH, Scene, lights_of
from explorer.documents import load_document
from tests.pages.opened import html, opened

HOSTILE = (
    "<script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "]]></text><foreignObject><iframe src='javascript:alert(1)'>",
    "cod\u202egnp.exe",
    "\\(\\) Tj ET endstream",
)


def document() -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"id": "s", "type": "source"}]
    for name in HOSTILE:
        one = {"id": name, "type": "map", "inputs": [steps[-1]["id"]], "name": name}
        steps.append(one)
    ids = [step["id"] for step in steps]
    return {
        "transformations": steps,
        "expect": {"apart": [[ids[1], ids[2]], [ids[3], ids[4]]], "ids": {ids[5]: "0" * 32}},
        "check": {
            "severities": {HOSTILE[0]: "error"},
            "silenced": {"RL01": HOSTILE[1], "ST02": {ids[1]: HOSTILE[2]}},
        },
    }


@pytest.mark.slow
@pytest.mark.parametrize("tab", ["Check", "IDs", "Decisions"])
def test_hostile_expectations_are_text_on_the_page(tab: str) -> None:
    page = opened(tab=tab)
    content = json.dumps(document()).encode()
    page.file_uploader[0].upload("hostile.json", content, "application/json").run()
    written = html(page)

    assert not page.exception
    assert "bug of the explorer" not in written
    for mark in ("<script", "<img", "<iframe", "<foreignobject", "\u202e"):
        assert mark not in written.lower()


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_pictures_of_hostile_names_hold_them_as_text(name: str) -> None:
    made = compile_document(load_document(document()))
    assert made.compilation is not None
    assert made.view is not None
    seen = Visible(view=made.view, folded=frozenset(), around=frozenset(), operators=6)
    scene = Scene(
        compilation=made.compilation,
        visible=seen,
        name=HOSTILE[1],
        theme="light",
        lights=lights_of(seen, frozenset(), None, None),
    )
    drawn = FORMATS[name].draw(scene, next(iter(WHICH)))
    text = drawn.decode("latin-1") if isinstance(drawn, bytes) else drawn

    assert text
    # In DOT a name is a text in quotes, where no mark counts.
    for mark in ("<script>alert", "<img", "<iframe", "<foreignobject") if name != "dot" else ():
        assert mark not in text.lower()


def chosen(page: AppTest, label: str) -> Any:
    return next(box for box in page.selectbox if box.label == label)


@pytest.mark.slow
def test_sessions_and_reruns_leave_no_descriptor() -> None:
    """Samples, tabs and releases in turns; what a run opens it closes."""
    page = opened()
    counts = []
    for turn in range(6):
        chosen(page, "Sample").set_value(("01-word-count", "02-a-to-e")[turn % 2]).run()
        chosen(page, "Flink release").set_value(("1.13", "1.20")[turn % 2]).run()
        page.toggle[0].set_value(turn % 2 == 0).run()
        assert not page.exception
        counts.append(len(os.listdir("/proc/self/fd")))  # noqa: PTH208

    assert max(counts[2:]) <= counts[1] + 3
