"""Annotations of a drawing: the figures of a run and the findings of ``check``."""

from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec

Load: TypeAlias = tuple[float, str]
"""Its share of the longest, and the time in words."""
Bar: TypeAlias = tuple[float, str, tuple[float, ...]]
"""Its share of the longest, its text, and how it is divided among subtasks."""


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """A run's figures in the words that both graphs show, by key."""

    bars: Mapping[str, Bar] = {}
    """By vertex."""
    edges: Mapping[str, str] = {}
    """By job edge, its rows and bytes."""
    operators: Mapping[str, str] = {}
    """By operator, its rows in and out."""
    loads: Mapping[str, Load] = {}
    """By operator, how long it was busy."""


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What ``check`` found at an element of the StreamGraph."""

    severity: str
    """The heaviest."""
    line: str
    """The severity and the codes of all findings."""
    tip: str = ""
    """The text of its tip: a line for each finding."""


class Annotations(msgspec.Struct, frozen=True, kw_only=True):
    """All that is added to a drawing."""

    figures: Figures = Figures()
    marks: Mapping[str, Mark] = {}
    """By key of a node, an edge or a folded chain."""


BARE: Final = Annotations()
"""A graph alone."""


def stream_notes(added: Annotations, key: str) -> tuple[str, ...]:
    """The lines that a text format adds in the StreamGraph: rows of an operator, what is found."""
    result = added.marks[key].line if key in added.marks else ""
    return tuple(line for line in (added.figures.operators.get(key, ""), result) if line)


def job_notes(added: Annotations, key: str) -> tuple[str, ...]:
    """The lines that a text format adds in the JobGraph: the words at a task's bar or an edge."""
    _, words, _ = added.figures.bars.get(key, (0.0, "", ()))
    return tuple(line for line in (words, added.figures.edges.get(key, "")) if line)
