"""YAML text as plain values, read event by event.

A reader of our own, on PyYAML's parser: a document from a stranger must not be able to expand
aliases without end, nest without end, repeat a key or name a Python class. Words such as ``yes`` or
``on``, dates and ``1:30`` stay text, as YAML 1.2 has it: what looks like a word is one.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import yaml

from explorer.documents.checks.faults import given_twice
from explorer.documents.limits import MAX_ALIASED, MAX_DEPTH, MAX_DOCUMENTS, TOO_DEEP
from explorer.errors import DocumentError
from explorer.wording import quoted

LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""PyYAML's own, in C where it was built with that."""
_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS: Final = {
    word: value
    for value in (True, False)
    for word in (str(value), str(value).lower(), str(value).upper())
}
_INTEGER: Final = re.compile(r"[-+]?(?:0|[1-9](?:_?[0-9])*)")
"""Underscores part digits, as in ``1_000``; what ends in one, or has two in a row, is a word."""
_FLOAT: Final = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?")
_MAX_DIGITS: Final = 400
_TAGS: Final = {"tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}
_UNPRINTABLE: Final = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


def read_yaml(text: str) -> object:
    """Build the one value that a YAML text holds; raises ``DocumentError`` with line and column."""
    roots = _read(text, most=1)
    return roots[0] if roots else None


def read_yaml_stream(text: str) -> list[object]:
    """Build the values of a stream of YAML documents, as ``kustomize build`` writes it.

    An empty document is None. Raises ``DocumentError`` as ``read_yaml`` does, and for a stream of
    more than ``MAX_DOCUMENTS``.
    """
    return _read(text, most=MAX_DOCUMENTS)


def _read(text: str, most: int) -> list[object]:
    builder = _ValueBuilder(most)
    try:
        builder.build(yaml.parse(text, Loader=LOADER))
    except yaml.reader.ReaderError as error:
        raise _unprintable(text, error) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = _where(mark) if mark else ""
        why = " ".join(part for part in (error.context, error.problem) if part)
        if mark and _is_tab(text, mark):
            why = "a tab indents this line; YAML takes spaces"
        raise DocumentError(place, f"this is not YAML: {why}") from None
    return builder.roots


def _is_tab(text: str, mark: Any) -> bool:
    """Whether a line is indented with a tab at the place where the parser stopped."""
    line = text.split("\n")[mark.line :][:1]
    return any(
        item[: mark.column + 1].isspace() and "\t" in item[: mark.column + 1] for item in line
    )


def _where(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"


def _unprintable(text: str, error: yaml.reader.ReaderError) -> DocumentError:
    result = _UNPRINTABLE.search(text)
    at = result.start() if result else 0
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    code = ord(result.group()) if result else error.character
    problem = f"this is not YAML: the character U+{code:04X} must be written as an escape"
    return DocumentError(f"line {line}, column {column}", problem)


class _Open:
    __slots__ = ("anchor", "before", "key", "keyed", "value")

    def __init__(self, value: Any, anchor: str | None, before: int) -> None:
        self.value, self.anchor, self.before = value, anchor, before
        self.key: object = None
        self.keyed = False


class _ValueBuilder:
    """The state of one reading: open collections, anchors and counts."""

    def __init__(self, maximum: int) -> None:
        self.most = maximum
        self.roots: list[object] = []
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[object, int]] = {}
        self.count = 0
        self.aliased = 0

    def build(self, events: Iterator[Any]) -> None:
        """Process every event; the values are whole after the last one."""
        for event in events:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._scalar(event)
            elif kind is yaml.MappingStartEvent:
                self._start(event, {})
            elif kind is yaml.SequenceStartEvent:
                self._start(event, [])
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._end(event)
            elif kind is yaml.AliasEvent:
                self._alias(event)
            elif kind is yaml.DocumentStartEvent:
                self._document(event)

    def _document(self, event: Any) -> None:
        if len(self.roots) < self.most:
            self.roots.append(None)
            self.anchors.clear()
            return
        problem = "a second YAML document begins here; a file holds one"
        if self.most > 1:
            problem = f"the stream has more than {self.most:,} documents, the most that is read"
        raise DocumentError(_where(event.start_mark), problem)

    def _scalar(self, event: Any) -> None:
        value = event.value
        if event.tag is not None:
            _check_tag(event)
        elif event.implicit[0]:
            value = _resolve(value, event)
        self.count += 1
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, 1)
        self._put(value, event)

    def _start(self, event: Any, value: object) -> None:
        if event.tag is not None:
            _check_tag(event)
        if len(self.open) >= MAX_DEPTH:
            raise DocumentError(_where(event.start_mark), TOO_DEEP)
        self.count += 1
        if self.open and isinstance(self.open[-1].value, dict) and not self.open[-1].keyed:
            raise DocumentError(_where(event.start_mark), _NO_KEY)
        if event.anchor is not None:
            self.anchors.pop(event.anchor, None)
        self.open.append(_Open(value, event.anchor, self.count))

    def _end(self, event: Any) -> None:
        result = self.open.pop()
        if result.anchor is not None:
            self.anchors[result.anchor] = (result.value, self.count - result.before + 1)
        self._put(result.value, event)

    def _alias(self, event: Any) -> None:
        value, size = self.anchors.get(event.anchor, (None, 0))
        if not size:
            problem = f"the alias *{event.anchor} stands for nothing that is complete before it"
            raise DocumentError(_where(event.start_mark), problem)
        self.count += size
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            problem = f"aliases stand for more than {MAX_ALIASED:,} values; write them out"
            raise DocumentError(_where(event.start_mark), problem)
        self._put(value, event)

    def _put(self, value: object, event: Any) -> None:
        if not self.open:
            self.roots[-1] = value
            return
        top = self.open[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.keyed:
            top.value[top.key] = value
            top.keyed = False
        else:
            if isinstance(value, list | dict):
                raise DocumentError(_where(event.start_mark), _NO_KEY)
            if value in top.value:
                raise DocumentError(_where(event.start_mark), given_twice(value))
            top.key, top.keyed = value, True


def _check_tag(event: Any) -> None:
    if event.tag not in _TAGS and event.tag != "!":
        problem = f"the tag {quoted(event.tag)} is not read; a document holds plain values"
        raise DocumentError(_where(event.start_mark), problem)


def _resolve(word: str, event: Any) -> object:
    """Return a plain word's value: null, a Boolean, a number or the word itself."""
    first = word[:1]
    if first not in "0123456789+-.~nNtTfF":
        return word
    if word in _NULLS:
        return None
    if word in _BOOLEANS:
        return _BOOLEANS[word]
    if not (_INTEGER.fullmatch(word) or _FLOAT.fullmatch(word)):
        return _SPECIAL.get(word, word)
    if len(word) > _MAX_DIGITS:
        problem = f"the number has {len(word):,} digits; write it in quotes to make it text"
        raise DocumentError(_where(event.start_mark), problem)
    return int(word) if _INTEGER.fullmatch(word) else float(word)


_NO_KEY: Final = "a list or a mapping cannot be a key; a key is a word"
_SPECIAL: Final = {".nan": float("nan"), ".inf": float("inf"), "-.inf": float("-inf")}
