"""A user's text stays text: in Markdown, in HTML, at any length."""

import html
import re

from hypothesis import given

from components.widgets.escaping import cut, markup, plain
from explorer.wording import without_turning
from tests.strategies import TEXTS

WORD_JOINER = "\u2060"


@given(TEXTS)
def test_markdown_is_escaped_mark_by_mark(text: str) -> None:
    escaped = plain(text, 10_000)
    read_back = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", escaped).replace(WORD_JOINER, "")

    assert not re.search(r"(?<!\\)(?:\\\\)*[*_`<>\[\]$:#|~]", escaped)
    assert len(read_back) <= len(text)
    assert "\n" not in escaped


def test_markdown_shows_every_printed_character() -> None:
    text = "a <b> *c* [d](e) `f` $g$ :h: i -> j"

    assert plain(text).replace("\\", "").replace(WORD_JOINER, "") == text


def test_pictures_and_arrows_are_distinguished() -> None:
    assert f":{WORD_JOINER}smile" in plain(":smile:").replace("\\", "")
    assert f"-{WORD_JOINER}>" in plain("a -> b").replace("\\", "")


@given(TEXTS)
def test_html_reads_back_as_the_text(text: str) -> None:
    inner = markup(text, 20_000).removeprefix("<bdi>").removesuffix("</bdi>")

    assert html.unescape(inner) == html.unescape(html.escape(without_turning(text)))
    assert "<" not in inner
    assert '"' not in inner


def test_a_long_text_is_cut_to_its_beginning() -> None:
    assert len(cut("a" * 10_000)) == 300
    assert cut("a" * 10_000).endswith("…")
    assert cut("short") == "short"


def test_controls_of_the_direction_are_shown_as_escapes() -> None:
    assert markup("cod\u202egnp.exe") == "<bdi>cod\\u202egnp.exe</bdi>"
    assert markup("a\u2066b\u2069") == "<bdi>a\\u2066b\\u2069</bdi>"
