"""Which addresses others can open, and what the page offers where they cannot."""

import pytest
from streamlit.testing.v1 import AppTest

from components.source import sharing
from explorer.locations import PLAYGROUND_VARIABLE
from explorer.playground.page_kernel import Kernel
from tests.many_cases import for_each
from tests.pages.opened import html, opened, sent


@for_each(
    ("address", "host"),
    [
        ("http://127.0.0.1:8501/?s=x", "127.0.0.1"),
        ("http://127.9.9.9/", "127.9.9.9"),
        ("http://LOCALHOST:8501", "localhost"),
        ("http://page.localhost", "page.localhost"),
        ("http://[::1]:8501/", "::1"),
        ("http://10.0.0.4:8501/", ""),
        ("https://flink.example.org/explorer", ""),
        ("", ""),
    ],
)
def test_a_loopback_host_is_found(address: str, host: str) -> None:
    assert sharing.loopback_host(address) == host


def shared(monkeypatch: pytest.MonkeyPatch, address: str) -> AppTest:
    monkeypatch.setattr(sharing, "page_address", lambda: address)
    return opened(tab="Share and download")


@pytest.mark.slow
def test_a_link_that_others_cannot_open_is_not_offered_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = shared(monkeypatch, "http://127.0.0.1:8501")
    assert "Others cannot open a link to <b><bdi>127.0.0.1</bdi></b>" in html(page)
    labels = [str(each.proto.label) for each in page.get("download_button")]
    assert "Download standalone HTML" in labels

    assert "<b>explorer.html</b> (<code>make playground</code>) works without a server" in html(
        page
    )

    assert "Others cannot open" not in html(shared(monkeypatch, "https://flink.example.org"))


def test_a_link_to_a_playground_holds_the_document_as_the_playground_reads_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PLAYGROUND_VARIABLE, "https://example.org/playground/")
    page = shared(monkeypatch, "https://flink.example.org")
    text = sent(page, "Copy link that works without a server")["text"]
    address, _, link = text.partition("#s=")
    kernel = Kernel()
    kernel.answer({"do": "sample", "key": "02-a-to-e"})
    kernel.answer({"do": "follow", "link": link})

    assert address == "https://example.org/playground/"
    assert kernel.answer({"do": "link"})["link"] == link
