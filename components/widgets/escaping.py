"""Functions that escape a user's text for Markdown and HTML.

Streamlit reads Markdown in labels, captions and messages, and ``st.html`` reads HTML. Whatever a
document holds goes through one of the functions here first.
"""

import html
import re
from typing import Final

from explorer import wording
from explorer.wording import without_turning

LONGEST: Final = 300
"""Longer texts are cut in sentences and labels; tables and fields hold them whole."""

_MARKS: Final = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~$:&^=\"'@/])")
_DRAWN: Final = re.compile(r":(?=\w)|[-<>=~](?=[-<>=])")
_BREAKS: Final = re.compile(r"\s+")
_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


_SIDES: Final = re.compile(r"(?<![\w=])(OLD|NEW)(?![\w=])")
"""The shell's names of both versions, except in the option ``--match OLD=NEW``."""
_VERSIONS: Final = {"OLD": "the baseline", "NEW": "the new version"}


def named_versions(text: str) -> str:
    """Call both versions as the page calls them.

    >>> named_versions("No operator of NEW has it; --match OLD=NEW decides.")
    'No operator of the new version has it; --match OLD=NEW decides.'
    """
    words = _SIDES.sub(lambda match: _VERSIONS[match[1]], text)
    return words if _SIDES.match(text) is None else words[0].upper() + words[1:]


def cut(text: str, longest: int = LONGEST) -> str:
    """Shorten a long text to its beginning.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return wording.cut(text, longest)


def plain(text: str, longest: int = LONGEST) -> str:
    r"""Escape for Markdown: what comes back is drawn as the very same characters, on one line.

    Streamlit also draws arrows for ``->`` and pictures for ``:name:``, escaped or not; a word
    joiner, which has no width, separates the characters.

    >>> plain("*a* [b](c)")
    '\\*a\\* \\[b\\]\\(c\\)'
    """
    one_line = _BREAKS.sub(" ", _CONTROLS.sub(" ", text)).strip()
    apart = _DRAWN.sub(lambda match: f"{match.group()}\u2060", cut(one_line, longest))
    return _MARKS.sub(r"\\\1", apart)


def markup(text: str, longest: int = LONGEST) -> str:
    """Escape for HTML, isolate the text's direction, and show its control characters as escapes.

    >>> markup("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    """
    return f"<bdi>{html.escape(without_turning(cut(text, longest)))}</bdi>"
