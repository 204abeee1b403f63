"""Reader of the operators in the name or description of a task: the inverse of ``names``.

Mirrors ``StreamingJobGraphGenerator.createChainedName``, ``buildTreeDescription`` and the HTML that
``JsonPlanGenerator`` makes of them. A tree has one line per operator and is read exactly. A text in
brackets is read exactly if the operators' names are known or contain none of its separators;
otherwise the shortest names are chosen.
"""

import html
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import msgspec

from explorer.errors import TooLargeError
from explorer.flink.names import nested_text
from explorer.model.stream_graph import NodeId

INDEX_PREFIX: Final = re.compile(r"\[vertex-\d+\]")
"""What ``pipeline.vertex-name-include-index-prefix`` puts before a vertex's name."""
_STEP: Final = re.compile(r"((?:[: ] {2})*)([:+]- )(.*)", re.DOTALL)
_STEP_START: Final = re.compile(r"\n(?:[: ] {2})*+[:+]- ")
_INDENT: Final = 3
_NEXT: Final = " -> "
_SEPARATORS: Final = (", ", " , ")
"""Between siblings in a name, and in a cascading description."""
_HIDDEN: Final = str.maketrans(" .:,", "____")
_LONGEST_IN_METRICS: Final = 80


class ChainText(msgspec.Struct, frozen=True):
    """An operator's text, and the positions of the operators that are chained to it."""

    text: str
    below: tuple[int, ...] = ()


def plain_description(description: str) -> str:
    r"""Convert the HTML of a plan's description back to text.

    >>> plain_description("&lt;none&gt;<br/>+- Map<br/>")
    '<none>\n+- Map\n'
    """
    return html.unescape(description.replace("<br/>", "\n"))


def metric_name(operator: str) -> str:
    """An operator's name as metrics carry it: ``MetricQueryService.replaceInvalidChars``.

    >>> metric_name("Sink: Print to Std. Out")
    'Sink__Print_to_Std__Out'
    """
    # ``TaskMetricGroup.getOrAddOperator`` cuts a name before ``MetricQueryService`` replaces
    # characters: cut behind that, names of 80 characters would not be found.
    return operator[:_LONGEST_IN_METRICS].translate(_HIDDEN)


def read_tree(description: str, maximum: int | None = None) -> tuple[ChainText, ...]:
    r"""The operators of a tree, head first; empty where it is none.

    Raises ``TooLargeError`` where there are more than ``maximum``, before they are made.

    >>> [one.text for one in read_tree("a\n:- b\n+- c\n")]
    ['a', 'b', 'c']
    """
    text = description.removesuffix("\n")
    if not _STEP_START.search(text):
        return () if "\n" in text else (ChainText(text),)
    _check_count(text.count("\n"), maximum)
    head, *lines = text.split("\n")
    texts, below = [head], [[]]  # type: tuple[list[str], list[list[int]]]
    path = [0]
    for line in lines:
        step = _STEP.fullmatch(line)
        depth = len(step[1]) // _INDENT + 1 if step else 0
        if step is None or depth > len(path):
            return ()
        del path[depth:]
        below[path[-1]].append(len(texts))
        path.append(len(texts))
        texts.append(step[3])
        below.append([])
    return _chain(texts, below)


def read_nested(
    text: str, known: Collection[str] = (), maximum: int | None = None
) -> tuple[ChainText, ...]:
    """The operators of a chain's name or cascading description, head first.

    ``known``: names as metrics carry them; a part that equals one is one operator. Raises
    ``TooLargeError`` at the first operator beyond ``maximum``.

    >>> [one.text for one in read_nested("a -> (b, c -> d)")]
    ['a', 'b', 'c', 'd']
    """
    return _Nested(text, known, maximum).read()


def _check_count(operators: int, maximum: int | None) -> None:
    if maximum is not None and operators > maximum:
        msg = f"a task's text names more than {maximum:,} operators; at most that many are read"
        raise TooLargeError(msg)


class _Nested:
    """A reader with an explicit stack of open chains, since they may be nested deeply."""

    def __init__(self, text: str, known: Collection[str], maximum: int | None) -> None:
        self.text, self.at, self.most = text, 0, maximum
        self.hidden = text.translate(_HIDDEN)
        # A name that metrics have cut shows where an operator begins, and not where it ends.
        self.known = {name for name in known if len(name) < _LONGEST_IN_METRICS}
        self.lengths = sorted({len(name) for name in self.known}, reverse=True)
        self.texts: list[str] = []
        self.below: list[list[int]] = []

    def read(self) -> tuple[ChainText, ...]:
        """Read to the end; what cannot be read so is one operator."""
        open_at: list[int] = []
        above: int | None = None
        while True:
            above = self._operator(above, nested=bool(open_at))
            if self._consume(f"{_NEXT}("):
                open_at.append(above)
            elif not self._consume(_NEXT):
                above = self._close_lists(open_at)
                if above is None:
                    break
        if self.at < len(self.text) or open_at or "" in self.texts:
            return (ChainText(self.text),)
        return _chain(self.texts, self.below)

    def _close_lists(self, open_at: list[int]) -> int | None:
        """Close the lists that end here; return the parent of the next child, None at the end."""
        while open_at:
            if any(map(self._consume, _SEPARATORS)):
                return open_at[-1]
            if not self._consume(")"):
                return None
            open_at.pop()
        return None

    def _operator(self, above: int | None, *, nested: bool) -> int:
        end = self._end(nested=nested)
        own = len(self.texts)
        _check_count(own + 1, self.most)
        self.texts.append(self.text[self.at : end])
        self.below.append([])
        if above is not None:
            self.below[above].append(own)
        self.at = end
        return own

    def _end(self, *, nested: bool) -> int:
        """Find the end of the operator's text: that of a known name, else the next mark."""
        marks = (_NEXT, ")", *_SEPARATORS)
        for end in (self.at + length for length in self.lengths):
            known = self.hidden[self.at : end] in self.known
            if known and (end == len(self.text) or self.text.startswith(marks, end)):
                return end
        return _mark(self.text, self.at, nested=nested)

    def _consume(self, mark: str) -> bool:
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        return True


def _mark(text: str, start: int, *, nested: bool) -> int:
    """Find the next arrow, comma or closing bracket outside the text's own brackets."""
    marks = (_NEXT, *_SEPARATORS) if nested else (_NEXT,)
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "([":
            depth += 1
        elif text[at] in ")]":
            if not depth and nested and text[at] == ")":
                return at
            depth = max(depth - 1, 0)
        elif not depth and text.startswith(marks, at):
            return at
    return len(text)


def _chain(texts: Sequence[str], below: Sequence[Sequence[int]]) -> tuple[ChainText, ...]:
    pairs = zip(texts, below, strict=True)
    return tuple(ChainText(text, tuple(children)) for text, children in pairs)


def chained_operators(
    name: str, description: str, known: Collection[str] = (), maximum: int | None = None
) -> Iterator[tuple[str, str | None, tuple[int, ...]]]:
    """Each operator's name, its description if that is longer, and its chained outputs.

    ``name`` is the vertex's, empty where it is not reported; ``description`` the plan's, no longer
    HTML; ``known`` as above. A tree has the exact shape: where the name cannot be cut so, the
    tree's lines are the names. Raises ``TooLargeError`` for more than ``maximum`` operators.
    """
    tree, name = read_tree(description, maximum), INDEX_PREFIX.sub("", name)
    exact = len(tree) > 1
    names = read_nested(name or description, known, maximum)
    described = tree if exact else read_nested(description, known, maximum)
    if exact and (not name or _shape(tree) != _shape(names) or chain_name(tree) == name):
        names = tree
    if _shape(described) != _shape(names):
        described = names
    for chain_text, named in zip(described, names, strict=True):
        yield (
            named.text,
            None if chain_text.text in {named.text, ""} else chain_text.text,
            named.below,
        )


def _shape(chain: Sequence[ChainText]) -> list[tuple[int, ...]]:
    return [chain_text.below for chain_text in chain]


def chain_name(chain: Sequence[ChainText]) -> str:
    """The name that Flink gives to a task of such a chain."""
    texts = {NodeId(at): chain_text.text for at, chain_text in enumerate(chain)}
    below = {NodeId(at): tuple(map(NodeId, text.below)) for at, text in enumerate(chain)}
    return nested_text(NodeId(0), texts, below, _SEPARATORS[0])
