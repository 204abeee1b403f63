"""A sentence about what is wrong, shown where it belongs."""

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import streamlit as st

from components.session import session
from components.widgets.escaping import markup
from explorer.errors import ExplorerError

LONGEST = 600
"""Of a sentence; it may quote a name."""
_COMMAND: Final = re.compile(r"'(python -m explorer .+?)'(?=[.,;]| [a-z(]|$)")
"""A command in a sentence; a file's name in it may be quoted, too."""


def show(place: str) -> None:
    """Show what is wrong at a place, if anything is."""
    sentence = session.message_at(place)
    if sentence:
        say(sentence)


def say(sentence: str, longest: int = LONGEST, *, excerpt: str = "") -> None:
    """Show a sentence about what is wrong, here, above lines that point at it."""
    lines = f'<pre class="x-excerpt">{html.escape(excerpt)}</pre>' if excerpt else ""
    words = f"{markup(sentence, longest)}{copy_button(sentence)}{lines}"
    st.html(f'<div class="x-complaint" role="alert">{words}</div>')


def copy_button(sentence: str) -> str:
    """Return a button that copies the command of a sentence; an empty text where there is none.

    >>> copy_button("it is a jar: 'python -m explorer capture 'a b.jar'' records it").split('"')[5]
    'python -m explorer capture &#x27;a b.jar&#x27;'
    """
    command = _COMMAND.search(sentence)
    if command is None:
        return ""
    text = html.escape(command[1])
    return f' <button type="button" class="x-copy" data-copy="{text}">copy the command</button>'


@contextmanager
def showing_errors() -> Iterator[None]:
    """Show the error that ends a block in its place."""
    try:
        yield
    except ExplorerError as error:
        say(str(error))
