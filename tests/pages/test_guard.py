"""A mistake of ours is a sentence on the page, never Streamlit's box, and the document is kept."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import components
from components.session import session
from components.session.keys import Key
from tests.pages.opened import html, opened
from tests.patience import PATIENCE
from tests.thread_tracing import traced_threads

ASKED: list[int] = []
"""How often the work of a test asked whether to go on."""
WORDS = " bug of the explorer, not of yours: RuntimeError: on purpose"


def parts() -> Iterator[Any]:
    """Every part that has one ``show``."""
    for found in pkgutil.walk_packages(components.__path__, "components."):
        if ".entry" not in found.name:
            show = getattr(importlib.import_module(found.name), "show", None)
            if show is not None:
                yield pytest.param(show, id=found.name)


class Fault:
    """Raises at the first call of a function, wherever it is called from."""

    def __init__(self, code: CodeType) -> None:
        self.code, self.raised = code, False

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code is self.code and not self.raised:
            self.raised = True
            msg = "on purpose"
            raise RuntimeError(msg)


DRAWN_AT_ONCE = ("detail", "graphs", "header", "ids", "pipeline", "table", "tabs", "copy", "graph")


@pytest.mark.slow
@pytest.mark.parametrize("show", [one for one in parts() if one.id.split(".")[-1] in DRAWN_AT_ONCE])
def test_a_part_that_fails_leaves_a_sentence_and_the_document(show: Callable[..., None]) -> None:
    page = opened()
    page.session_state[Key.SHARE] = True
    kept = page.session_state[Key.WORK]
    fault = Fault(show.__code__)
    with traced_threads(fault):
        page.run()

    assert fault.raised
    assert not page.exception
    assert WORDS.replace("'", "&#x27;") in html(page)
    assert "Your document is unchanged" in html(page)
    assert page.session_state[Key.WORK] == kept
    page.button(key="failed-again").click().run()
    assert not page.exception
    assert WORDS not in html(page)


def click(label: str) -> Callable[[AppTest], Any]:
    return lambda page: next(one for one in page.button if label in one.label).click()


def chosen(page: AppTest, label: str) -> Any:
    return next(one for one in page.selectbox if one.label == label)


STEPS: dict[str, Callable[[AppTest], Any]] = {
    "a button": click("New"),
    "a trial": click("Start a trial"),
    "a toggle": lambda page: page.toggle[0].set_value(False),
    "a choice": lambda page: chosen(page, "Flink release").set_value("1.13"),
    "a sample": lambda page: chosen(page, "Sample").set_value("02-a-to-e"),
    "an upload": lambda page: page.file_uploader[0].upload("a.yaml", b"transformations: []"),
    "data": lambda page: page.file_uploader[1].upload("a.csv", b"a\n1\n", "text/csv"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
def test_a_step_that_fails_is_not_applied(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened(tab="Local run")
    kept = page.session_state[Key.WORK]

    def fail(*_: Any, **__: Any) -> None:
        msg = "on purpose"
        raise RuntimeError(msg)

    with monkeypatch.context() as patch:
        for step in ("put", "clear_messages", "clear_all_messages"):
            patch.setattr(session, step, fail)
        STEPS[name](page).run()

    assert not page.exception
    assert WORDS in html(page)
    assert page.session_state[Key.WORK] == kept
    page.run()
    assert not page.exception


def test_work_stops_when_no_session_waits_for_it() -> None:
    def script() -> None:
        import streamlit as st
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        from components.session import session
        from explorer.documents import load_document, samples
        from explorer.lookup.whatis import whatis
        from tests.pages.test_guard import ASKED

        def pause() -> None:
            ASKED.append(len(ASKED))
            if len(ASKED) == 3:
                # What Streamlit does where a tab is closed.
                context = get_script_run_ctx()
                assert context is not None
                assert context.script_requests is not None
                context.script_requests.request_stop()
            session.pause()

        st.text("begun")
        whatis("20ba6b65f97481d5570070de90e4e791", load_document(samples()[0].path), pause)

    page = AppTest.from_function(script, default_timeout=PATIENCE).run()

    assert not page.exception
    assert [element.value for element in page.text] == ["begun"]
    assert ASKED == [0, 1, 2], "it went on under other releases"
