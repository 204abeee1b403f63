"""The *Network exchange* tab: the parts of the selected job edge, and the records sent over it."""

import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from components.explore.exchange import RECORDS_VIEW
from components.session import link
from components.session.keys import Key
from components.session.work import opened as opened_work
from explorer.documents import load_document, samples
from tests.pages.opened import html, opened, sent


def exchange_tab(sample: str, selection: str | None = None) -> AppTest:
    path = next(each.path for each in samples() if each.key == sample)
    work = replace(opened_work(load_document(path), ""), selection=selection)
    text = link.to_link(work)
    assert text is not None
    return opened(**{link.PARAMETER: text, "tab": "Wire"})


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        (None, "Source: licence → words -&gt; ones"),
        ("j1", "words -&gt; ones → count -&gt; Sink: counts"),
        ("e2", "words -&gt; ones → count -&gt; Sink: counts"),
    ],
)
def test_the_parts_are_those_of_the_selected_edge(selection: str | None, words: str) -> None:
    page = exchange_tab("01-word-count", selection)
    assert words in html(page)
    rows = sent(page, "Parts of the network exchange")["rows"]
    assert any("ChannelSelectorRecordWriter" in str(row) for row in rows)


@pytest.mark.slow
def test_the_records_are_drawn_over_buffers() -> None:
    page = exchange_tab("01-word-count", "j1")
    page.session_state[Key.EXCHANGE_VIEW] = RECORDS_VIEW
    page.run()
    assert not page.exception
    assert list(page.dataframe[0].value.columns) == ["from byte", "bytes", "buffer", "word", "n"]
    assert "data:image/svg+xml" in html(page)
    assert len(page.selectbox(key="exchange-channel").options) == 4


def test_an_edge_without_an_exchange_or_rows_is_reported() -> None:
    page = exchange_tab("17-late-flights-captured")
    page.session_state[Key.EXCHANGE_VIEW] = RECORDS_VIEW
    page.run()
    assert "holds no functions" in html(page) or "one task" in html(page)


@pytest.mark.slow
def test_the_bytes_of_a_typed_row_are_shown() -> None:
    page = exchange_tab("01-word-count", "j1")
    page.session_state[Key.EXCHANGE_VIEW] = RECORDS_VIEW
    page.run()
    page.text_input(key="exchange-typed").set_value('["the", 1]').run()
    assert "00 00 00 0e" in str(sent(page, "Bytes of the row")["rows"][0])
    for text, words in (("the", "write the row as a JSON list"), ('["the", "1"]', "must be LONG")):
        page.text_input(key="exchange-typed").set_value(text).run()
        assert words in html(page)
