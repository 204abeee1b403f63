"""Pieces of the page as HTML; every text of a document's goes through ``markup``."""

import html
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec
import streamlit as st

from components.session import places
from components.widgets.escaping import markup, plain
from explorer.flink.releases import VERSIONS
from explorer.plans.sizes import readable_size
from explorer.restore.verdict import RestoreVerdict

ID: Final = re.compile("[0-9a-f]{32}")
"""Of an operator, a job vertex or a job."""
_CAPITAL: Final = re.compile("(?<=[a-z])(?=[A-Z])")
"""Where the name of a class may break."""
NOT_YET: Final = "until the pipeline compiles."


def heading(kind: str, title: str, code: str = "") -> str:
    """Return the heading of a panel or a form: a kind, in Flink's words, and a name."""
    return section(kind, code) + f'<div class="x-name">{markup(title)}</div>'


def section(title: str, code: str = "") -> str:
    """A heading; ``code`` stands behind it."""
    behind = f"<code>{html.escape(code)}</code>" if code else ""
    return f'<h3 class="x-kind">{html.escape(title)}{behind}</h3>'


def hint(sentence: str) -> str:
    """Return a hint: what to do, or why nothing is here; ``sentence`` is HTML already."""
    return f'<p class="x-hint">{sentence}</p>'


def info(title: str, sentence: str) -> str:
    """An info mark that opens assumptions or sources; ``sentence`` is HTML already.

    >>> info("Defaults", "8 slots")
    '<details class="x-info"><summary>ⓘ Defaults</summary><p>8 slots</p></details>'
    """
    head = f"<summary>ⓘ {html.escape(title)}</summary>"
    return f'<details class="x-info">{head}<p>{sentence}</p></details>'


def fix_button(
    container: str,
    key: str,
    label: str,
    outcome: str,
    on_click: Callable[..., None],
    args: tuple[object, ...],
    *,
    longest: int = 100,
    disabled: bool = False,
    **layout: Any,
) -> None:
    """Draw the button of a fix, and next to it what the fix brings.

    ``longest``: characters of the label; ``layout``: further arguments of ``container``.
    """
    with st.container(key=container, **layout):
        st.button(plain(label, longest), key=key, on_click=on_click, args=args, disabled=disabled)
        st.html(f'<small class="x-effect">Then: {markup(outcome, 400)}</small>')


VERDICT_TONES: Final = {
    "Flink restores": "good",
    "not fully checked": "warn",
    "Flink drops state": "warn",
}
"""By the answer of a ``RestoreVerdict``, its colour in every place; all other answers are bad."""


def verdict_tone(restore: RestoreVerdict) -> str:
    """Return the colour of a verdict: ``good``, ``warn`` or ``bad``."""
    return VERDICT_TONES.get(restore.answer, "bad")


def verdict_line(restore: RestoreVerdict) -> str:
    """Return the line with the verdict against the baseline, the same in every place."""
    return f'<div class="x-outcome x-{verdict_tone(restore)}">{markup(restore.headline, 400)}</div>'


def place_button(label: str, place: str, *, key: str, **looks: Any) -> None:
    """Draw a button that opens a place of the page; ``looks``: further arguments of ``button``."""
    st.button(label, key=key, on_click=places.go, args=(place,), **looks)


def one_of(words: Sequence[str], *, key: str, label: str = "View", wrap: bool = True) -> str:
    """Draw a segmented control; fall back to the first option if the stored one is gone."""
    if st.session_state.get(key) not in words:
        st.session_state[key] = words[0]
    chosen = st.segmented_control(
        label, words, key=key, required=True, label_visibility="collapsed", wrap=wrap
    )
    return chosen or words[0]


def release_menu(
    label: str,
    *,
    key: str,
    version: str | None = None,
    on_change: Callable[[str], None] | None = None,
) -> str:
    """Draw the menu of Flink releases and return its choice.

    ``version``: what it shows whatever was chosen; ``on_change`` is called with ``key``.
    """
    if version is not None:
        st.session_state[key] = version
    chosen: str = st.selectbox(
        label,
        VERSIONS[::-1],
        format_func=lambda version: f"Flink {version}",
        key=key,
        on_change=on_change,
        args=(key,),
        label_visibility="collapsed",
        width=112,
    )
    return chosen


def image(svg: str, looks: str, words: str) -> str:
    """A drawing that follows its ground: the page's own HTML may hold no SVG, an image may."""
    data = b64encode(svg.encode()).decode()
    return f'<img class="{looks}" alt="{words}" src="data:image/svg+xml;base64,{data}">'


def bullets(sentences: Iterable[str], longest: int, remainder: str = "") -> str:
    """A line a sentence, and a note on the rest; nothing where there is no sentence."""
    items = "".join(f"<li>{markup(sentence, longest)}</li>" for sentence in sentences)
    last = f"<li>{remainder}</li>" if remainder else ""
    return f'<ul class="x-warnings">{items}{last}</ul>' if items else ""


class Size(msgspec.Struct, frozen=True):
    """A number of bytes in a field: in human units, the exact number on hover."""

    size: int
    suffix: str = ""
    """Words behind the size."""


def size_markup(size: int) -> str:
    """A number of bytes as HTML: in human units, the exact number on hover.

    >>> size_markup(3072)
    '<span title="3,072 bytes">3 KiB</span>'
    """
    return f'<span title="{size:,} bytes">{readable_size(size)}</span>'


def fields(rows: Iterable[tuple[str, object]]) -> str:
    """A table of names and values; what is not set shows as a dash.

    >>> fields([("uid", None)])
    '<dl class="x-fields"><dt>uid</dt><dd class="x-none">—</dd></dl>'
    """
    return f'<dl class="x-fields">{"".join(_field(name, value) for name, value in rows)}</dl>'


def _field(name: str, value: object) -> str:
    """Return a name and its value; an ID gets a line of its own, and a button that copies it."""
    if isinstance(value, Size):
        behind = f" {markup(value.suffix)}" if value.suffix else ""
        return f"<dt>{html.escape(name)}</dt><dd>{size_markup(value.size)}{behind}</dd>"
    text = str(value)
    if ID.fullmatch(text):
        button = f'<button type="button" class="x-copy" data-copy="{text}">copy</button>'
        wording = f'<dt class="x-of-id">{html.escape(name)}{button}</dt>'
        return f'{wording}<dd class="x-id">{text}</dd>'
    words = _CAPITAL.sub("<wbr>", markup(text))
    shown = '<dd class="x-none">—</dd>' if value is None else f"<dd>{words}</dd>"
    return f"<dt>{html.escape(name)}</dt>{shown}"
