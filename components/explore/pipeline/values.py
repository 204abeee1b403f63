"""Conversions between a field's value and its widget's value, a row for each kind of widget."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from components.explore.pipeline.fields import Field, Widget
from explorer.documents import dump_record
from explorer.documents.loading import read_values
from explorer.errors import DocumentError


def shown(field: Field, value: Any) -> Any:
    r"""Return the widget's value for a value of the document.

    >>> shown(Field(name="select", label="", widget="mapping"), {"n": "1", "word": "lower(word)"})
    'n: 1\nword: lower(word)'
    """
    show = SHOWN.get(field.widget)
    return show(value) if show else value


def document_value(field: Field, value: Any) -> Any:
    """Return the document's value for a widget's value; None for an empty one.

    >>> document_value(Field(name="select", label="", widget="mapping"), " n : 1 ")
    {'n': '1'}
    """
    read = ENTERED.get(field.widget)
    return read(field, value) if read else value


def _entries(field: Field, text: str) -> Mapping[str, str] | None:
    entries = {}
    for line in filter(str.strip, text.splitlines()):
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or not value.strip():
            raise DocumentError(field.label, f"write each line as {field.hint!r}")
        entries[name.strip()] = value.strip()
    return entries or None


SHOWN: Final[Mapping[Widget, Callable[[Any], Any]]] = {
    "text": lambda value: value or "",
    "inputs": lambda value: list(value or ()),
    "ids": lambda value: "\n".join(value or ()),
    "list": lambda value: ", ".join(value or ()),
    "mapping": lambda value: "\n".join(f"{name}: {text}" for name, text in (value or {}).items()),
    "record": lambda value: "" if value is None else dump_record(value),
}
ENTERED: Final[Mapping[Widget, Callable[[Field, Any], Any]]] = {
    "text": lambda _field, value: value or None,
    "inputs": lambda _field, value: tuple(value),
    "ids": lambda _field, value: tuple(filter(None, value.split("\n"))),
    "list": lambda _field, value: tuple(filter(None, map(str.strip, value.split(",")))) or None,
    "mapping": _entries,
    "record": lambda _field, value: read_values(value, "field.yaml") if value.strip() else None,
}
