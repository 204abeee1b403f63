"""Runs of another document on the page: their owners, and when they are not shown."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.run.trial import start_spark_early
from components.run.trial.runs import Run
from components.session import link, visits
from components.session.keys import Key
from components.session.work import opened as opened_work
from explorer import compile_graph
from explorer.documents import load_document
from explorer.drawing.view.graph_view import graph_view
from explorer.engine.preview.preview import preview_trial
from explorer.engine.spark.queue import QUEUE
from tests.pages.opened import html, opened, sent
from tests.patience import PATIENCE


def document(name: str, rows: dict[str, Any]) -> Any:
    return load_document(
        {
            "name": name,
            "transformations": [
                {"id": "numbers", "type": "source", "rows": rows},
                {"id": "out", "type": "sink", "inputs": ["numbers"]},
            ],
        }
    )


OTHER = document("other", {"sequence": {"from": 1, "to": 9}})
MISSING = document("missing", {"path": "nowhere.csv", "format": "text"})


def page_with_run_of_another_document() -> AppTest:
    """A document without its input file; the browser has run another document."""
    text = link.to_link(opened_work(MISSING, ""))
    assert text is not None
    page = opened(**{link.PARAMETER: text, "tab": "Local run"})
    done = compile_graph(OTHER)
    handle = SimpleNamespace(state="finished", error=None, report=preview_trial(done).report)
    run = Run(
        number=1,
        title="other, 1 task",
        document=OTHER,
        view=graph_view(done),
        trial=handle,
        session="another tab",
    )
    visit = visits._of_this_server().of(page.session_state[Key.VISIT], "")
    visit.stored[Key.TRIALS] = (run,)
    page.run()
    assert not page.exception
    return page


@pytest.mark.slow
def test_a_refused_trial_shows_no_rows_of_another_document() -> None:
    page = page_with_run_of_another_document()
    assert sent(page, "Tasks")["rows"]
    page.button(key="again").click().run()

    assert not page.exception
    assert "nowhere.csv" in html(page)
    with pytest.raises(AssertionError, match="nothing was sent to Tasks"):
        sent(page, "Tasks")


def test_a_run_of_another_browser_tab_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "_has_a_page", lambda _: False)
    page = page_with_run_of_another_document()
    assert "of an earlier document" in html(page)
    monkeypatch.setattr(visits, "_has_a_page", lambda session: session == "another tab")
    page.run()

    assert "another browser tab's run" in html(page)


def test_the_trial_shows_where_it_runs_and_the_origin_of_its_figures() -> None:
    page = page_with_run_of_another_document()

    said = "Local run on Spark</bdi></b>, with the figures that Flink 2.3 would report"
    assert said in html(page)


def test_a_page_that_no_server_sends_starts_no_spark() -> None:
    script = "import streamlit\nstreamlit.session_state['start']()"
    page = AppTest.from_string(script, default_timeout=PATIENCE)
    # Imported before the fixture of all pages puts another function in its place.
    page.session_state["start"] = start_spark_early
    assert not page.run().exception

    timers = [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    assert QUEUE.prepare not in [timer.function for timer in timers]
