"""Finds the line of a document's text for a path; JSON is parsed as YAML."""

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import yaml

from explorer.documents.text.yaml_text import LOADER

_STEP: Final = re.compile(
    r"""\[(?P<turn>\d+)\]|(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<name>[^.\[\]'"]+)"""
)
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""Half of a character, as JSON escapes those beyond U+FFFF; YAML knows no halves."""
_GIVEN: Final = re.compile(r"line (?P<line>\d+), column (?P<column>\d+)")


class TextPosition(NamedTuple):
    """A place in a text, both counted from 1."""

    line: int
    column: int


def places(text: str, paths: Iterable[str]) -> list[TextPosition]:
    r"""For each path its place, else that of the nearest thing around it that the text has.

    >>> places("a: 1\nb: [{c: 2}]", ["b[0].c", "b[0].missing", ""])
    [TextPosition(line=2, column=9), TextPosition(line=2, column=5), TextPosition(line=1, column=1)]
    """
    try:
        root = yaml.compose(_HALF.sub(r"\\ufffd", text), Loader=LOADER)
    except (yaml.YAMLError, RecursionError):
        # What no YAML reader accepts has no marks; a complaint about it names its line itself.
        root = None
    return [_place(root, path) for path in paths]


def _place(root: Any, path: str) -> TextPosition:
    if values := _GIVEN.match(path):
        return TextPosition(int(values["line"]), int(values["column"]))
    mark = None
    for step in _steps(path):
        if root is None:
            break
        root, value = _inner(root, step)
        mark = value or mark
    return TextPosition(1, 1) if mark is None else TextPosition(mark.line + 1, mark.column + 1)


def _steps(path: str) -> Iterator[str | int]:
    for match in _STEP.finditer(path):
        if match["turn"]:
            yield int(match["turn"])
        else:
            yield ast.literal_eval(match["quoted"]) if match["quoted"] else match["name"]


def _inner(node: Any, step: str | int) -> tuple[Any, Any]:
    """Return the value one step further in and its position; None if there is none."""
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        inner = node.value[step]
        return inner, inner.start_mark
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value == step:
                same_line = value.start_mark.line == key.start_mark.line
                return value, (value if same_line else key).start_mark
    return None, None
