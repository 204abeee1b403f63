"""Search, pictures and the view for readers, on the whole page without a browser."""

from base64 import b64decode

from components.session.keys import Key
from tests.pages.opened import drawn, html, opened, sent


def test_ctrl_k_is_sent_all_there_is() -> None:
    entries = sent(opened(), "Find an operator, or paste an ID or an error message")["entries"]

    assert ["operator", "count", "chain 3 · ×2"] in [entry[:3] for entry in entries]
    assert {"operator", "task", "edge", "job edge", "tab", "sample", "release"} == {
        entry[0] for entry in entries
    }


def test_a_picture_is_sent_once_after_it_was_asked_for() -> None:
    page = opened()
    asked = {
        "serial": "7",
        "format": "svg",
        "which": "job",
        "dark": True,
        "lights": {"v1": ["now"]},
    }
    page.session_state[Key.PICTURE_ASKED] = asked
    page.run()
    sent_once = sent(page, "Picture")
    drawn = b64decode(sent_once["content"]).decode()

    assert (sent_once["serial"], sent_once["file"]) == ("7", "01-word-count-jobgraph.svg")
    assert 'class="card task k0 is-now" data-key="v1"' in drawn
    page.run()
    assert "content" not in sent(page, "Picture")


def test_an_unknown_request_of_a_browser_draws_nothing() -> None:
    page = opened()
    page.session_state[Key.PICTURE_ASKED] = {"format": "exe", "which": ["?"]}
    page.run()

    assert "content" not in sent(page, "Picture")
    assert not page.exception


def test_a_reader_sees_both_graphs_and_nothing_to_change() -> None:
    for view in ("read", "embed"):
        page = opened(view=view)
        assert len(drawn(page, "stream")) == 5
        assert sent(page, "graphs")["connects"] is False
        for kind in ("button", "text_input", "number_input", "selectbox", "toggle", "tabs"):
            assert not page.get(kind)
        assert ("Select an operator" in html(page)) == (view == "read")


def test_any_other_view_is_the_page_to_work_on() -> None:
    page = opened(view="<script>")

    assert page.button(key="undo").disabled
    assert "<script>" not in html(page)
