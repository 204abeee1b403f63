"""The follow tab: a row's way as steps, kept by the address, and reached from the preview."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.run.record_trace import ENDS, ROWS
from components.session import link
from components.session.keys import Key
from components.session.work import opened as opened_work
from explorer.documents import load_document, samples
from tests.pages.opened import html, opened, sent


def follow_tab(sample: str, **query: str) -> AppTest:
    path = next(each.path for each in samples() if each.key == sample)
    text = link.to_link(opened_work(load_document(path), ""))
    assert text is not None
    return opened(**{link.PARAMETER: text, "tab": "Follow"}, **query)


def titles(page: AppTest) -> list[str]:
    return [step["title"] for step in sent(page, "Steps")["steps"]]


def test_a_row_of_a_source_is_followed_to_its_sinks() -> None:
    page = follow_tab("01-word-count", **{Key.TRACED_ROW: "3"})
    assert titles(page)[:3] == [
        "Source: licence reads row 3",
        "Source: licence → words, REBALANCE",
        "words splits it",
    ]
    steps: list[dict[str, Any]] = sent(page, "Steps")["steps"]
    hashed = next(step for step in steps if step["title"] == "ones → count, HASH")
    assert dict(hashed["facts"])["key"] == ["'version'"]
    assert hashed["connected"] == [1]
    assert "15 steps, to 4 records" in html(page)


@pytest.mark.slow
def test_the_address_holds_the_operator_and_the_number_of_a_row() -> None:
    page = follow_tab("01-word-count", follow="sink out", **{Key.TRACED_ROW: "40"})
    assert titles(page)[0] == "Sink: counts collects it as row 40"
    page.number_input(key=Key.TRACED_ROW).set_value(41).run()
    assert titles(page)[0] == "Sink: counts collects it as row 41"

    page.session_state[Key.TRACE_VIEW] = ENDS
    page.run()
    assert list(page.dataframe[0].value.columns) == ["source", "row", "line"]
    page.session_state[Key.TRACE_VIEW] = ROWS
    page.run()
    assert list(page.dataframe[0].value.columns) == ["row", "word", "n"]
    assert len(page.dataframe[0].value) == 500


@pytest.mark.slow
def test_rows_are_chosen_by_a_condition_and_its_error_is_shown() -> None:
    page = follow_tab("09-delays-by-carrier", **{Key.TRACE_WHERE: "dep_delay > 600"})
    assert titles(page)[0] == "Source: flights reads row 152"
    assert titles(page)[-1].startswith("Sink: out collects it as row")
    page.text_input(key=Key.TRACE_WHERE).set_value("nope > 1").run()
    assert "nope" in html(page)
    page.text_input(key=Key.TRACE_WHERE).set_value("").run()
    page.number_input(key=Key.TRACED_ROW).set_value(10_001).run()
    assert "has no row 10,001" in html(page)
