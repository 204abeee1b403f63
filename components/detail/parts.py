"""Pieces of the detail panel as HTML; every text of a document's goes through ``markup``."""

import html
from collections.abc import Iterable

from components.escaping import markup


def heading(kind: str, title: str) -> str:
    """The panel's head."""
    return f'<h3 class="x-kind">{html.escape(kind)}</h3><div class="x-name">{markup(title)}</div>'


def section(title: str) -> str:
    """A heading within the panel."""
    return f'<h3 class="x-kind">{html.escape(title)}</h3>'


def fields(rows: Iterable[tuple[str, object]]) -> str:
    """A table of names and values; what is not set shows as a dash.

    >>> fields([("uid", None)])
    '<dl class="x-fields"><dt>uid</dt><dd class="x-none">—</dd></dl>'
    """
    lines = (
        f"<dt>{html.escape(name)}</dt>"
        + ('<dd class="x-none">—</dd>' if value is None else f"<dd>{markup(str(value))}</dd>")
        for name, value in rows
    )
    return f'<dl class="x-fields">{"".join(lines)}</dl>'
