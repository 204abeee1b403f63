"""A sentence about what is wrong, shown where it belongs."""

import html
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from components.session import session
from components.widgets.escaping import markup
from explorer.errors import ExplorerError

LONGEST = 600
"""Of a sentence; it may quote a name."""


def show(place: str) -> None:
    """Show what is wrong at a place, if anything is."""
    sentence = session.message_at(place)
    if sentence:
        say(sentence)


def say(sentence: str, longest: int = LONGEST, *, excerpt: str = "") -> None:
    """Show a sentence about what is wrong, here, above lines that point at it."""
    lines = f'<pre class="x-excerpt">{html.escape(excerpt)}</pre>' if excerpt else ""
    st.html(f'<div class="x-complaint" role="alert">{markup(sentence, longest)}{lines}</div>')


@contextmanager
def showing_errors() -> Iterator[None]:
    """Show the error that ends a block in its place."""
    try:
        yield
    except ExplorerError as error:
        say(str(error))
