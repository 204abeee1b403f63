"""Links, frames and files by which a user gives the document to others.

A link is offered first only where others can open the page's address; on a loopback address the
standalone page is offered first.
"""

import os
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from components.session import session
from components.session.link import to_playground
from components.session.work import Work, file_stem
from components.widgets import copy
from components.widgets.escaping import markup
from components.widgets.pieces import hint
from explorer.documents import document_texts
from explorer.drawing.html.standalone import to_html
from explorer.locations import PLAYGROUND_VARIABLE

TOO_LONG: Final = "The state is too large for a link (more than 6 KB). Send a file instead."
LOCAL: Final = (
    "Others cannot open a link to <b>{host}</b>: this address leads to this computer only. Send "
    "the standalone page or the document."
)

OFFLINE_FILE: Final = "explorer.html"
"""The playground as one file, which its reader has in a folder of their own."""
OFFLINE: Final = (
    f"<b>{OFFLINE_FILE}</b> (<code>make playground</code>) works without a server: open it, and in "
    "the address bar put the link in the place of its name."
)


def show(work: Work, *, linked: bool, key: str) -> None:
    """Draw the links and the files; ``linked``: whether the state fits a link."""
    host = loopback_host(page_address())
    if host:
        st.html(hint(LOCAL.format(host=markup(host))))
        _standalone(work, key)
    if linked:
        copy.show(key=f"{key}-copy")
        copy.show_readers(key=f"{key}-copy")
    else:
        st.html(hint(TOO_LONG))
    if not host:
        _standalone(work, key)
    _without_server(work, key)
    for ending, text in document_texts(work.document).items():
        _download(f"Download {ending.upper()}", text, f"{file_stem(work)}.{ending}", key)


def _without_server(work: Work, key: str) -> None:
    """Draw the link to a playground: a hosted one, or the file that the reader has."""
    fragment = session.shared("playground-link", (work.document,), to_playground)
    if fragment is None:
        return
    place = os.environ.get(PLAYGROUND_VARIABLE)
    label = "Copy link that works without a server" if place else f"Copy link for {OFFLINE_FILE}"
    copy.show_text(key=f"{key}-playground", label=label, text=f"{place or OFFLINE_FILE}{fragment}")
    if not place:
        st.html(hint(OFFLINE))


def _standalone(work: Work, key: str) -> None:
    outcome = session.compiled(work.document)
    if outcome.compilation is None or outcome.view is None:
        return
    compilation, view = outcome.compilation, outcome.view
    _download(
        "Download standalone HTML",
        lambda: to_html(compilation, view, work.document.heading),
        f"{file_stem(work)}.html",
        key,
    )


def _download(label: str, make: object, name: str, key: str) -> None:
    ending = name.rpartition(".")[2]
    st.download_button(
        label,
        make,  # type: ignore[arg-type]
        file_name=name,
        mime="text/html" if ending == "html" else f"application/{ending}",
        key=f"{key}-{ending}",
        on_click="ignore",
        width="stretch",
    )


def page_address() -> str:
    """Return the address of the page as the browser has it; empty where it is not known."""
    return st.context.url or ""


def loopback_host(address: str) -> str:
    """Return the host of an address that no other computer can open; else an empty text.

    >>> loopback_host("http://127.0.0.1:8501/?s=x"), loopback_host("http://[::1]:8501")
    ('127.0.0.1', '::1')
    >>> loopback_host("http://localhost:8501"), loopback_host("https://flink.example.org")
    ('localhost', '')
    """
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return host
    try:
        return host if ip_address(host).is_loopback else ""
    except ValueError:
        return ""
