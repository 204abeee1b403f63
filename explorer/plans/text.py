"""A plan for a terminal: the verdict, then a table a section, 100 columns wide."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TextIO

from explorer.errors import STEERING
from explorer.plans.record import (
    VERDICT_WORDS,
    ChangeSeverity,
    Plan,
    PlanChange,
    PlanSection,
    PlanVerdict,
)
from explorer.plans.text_columns import columns, wrapped
from explorer.plans.words import MARKS, hidden_words, sentence, short_ids, side_words, values
from explorer.wording import listed, printable

WIDTH: Final = 100
_COLUMNS: Final = (1, 18, 25, 46)
"""Cells of a row's mark, subject, values and words."""
_BOLD: Final = "1"
_STYLES: Final[Mapping[PlanVerdict, str]] = {
    "deploy": "1;32",
    "attention": "1;33",
    "unchecked": "1;36",
    "do_not_deploy": "1;31",
}
_COLOURS: Final[Mapping[ChangeSeverity, str]] = {
    "error": "31",
    "unchecked": "36",
    "warning": "33",
    "note": "",
}
"""Parameters of the terminal's SGR sequence: 1 bold, 31 to 36 red to cyan."""


class _Span(NamedTuple):
    """A part of a line; ``style``: parameters of SGR, empty: none."""

    text: str
    style: str = ""


_Line = tuple[_Span, ...]


def print_plan(plan: Plan, stream: TextIO, *, details: bool = False) -> None:
    """Print the plan; with colours if the stream is a terminal and NO_COLOR is not set.

    ``details``: also print what comes after the first ten changes of a section, and what stays.
    """
    is_dumb = os.environ.get("TERM") == "dumb"
    has_colours = stream.isatty() and not os.environ.get("NO_COLOR") and not is_dumb
    stream.writelines(
        "".join(_span_text(span, colours=has_colours) for span in line) + "\n"
        for line in _lines(plan, details=details)
    )


def plan_text(plan: Plan, *, details: bool = False) -> str:
    """The plan as plain text."""
    lines = ("".join(_span_text(span) for span in line) for line in _lines(plan, details=details))
    return "\n".join(lines)


def _span_text(span: _Span, *, colours: bool = False) -> str:
    text = STEERING.sub("\ufffd", span.text)
    return f"\x1b[{span.style}m{text}\x1b[0m" if colours and span.style else text


def _lines(plan: Plan, *, details: bool) -> Iterator[_Line]:
    yield from _paragraph(plan.headline, style=_STYLES[plan.verdict])
    if plan.old is not None:
        yield from _paragraph(f"OLD  {side_words(plan.old)}", "  ")
    yield from _paragraph(f"NEW  {side_words(plan.new)}", "  ")
    for section in plan.sections:
        yield ()
        yield from _section(section, details=details)
    for fix in plan.fixes:
        yield ()
        yield from _paragraph(f"Fix: {fix.label}", style=_BOLD)
        for line in (*fix.lines, f"Then: {fix.outcome}"):
            yield from _paragraph(line, "  ")
    yield ()
    yield from _paragraph(f"Checked: {listed(plan.checked)}")
    for one in plan.unchecked:
        yield from _paragraph(f"Not checked: {one}")


def _paragraph(text: str, indent: str = "", *, style: str = "") -> Iterator[_Line]:
    for line in wrapped(printable(text), WIDTH - len(indent)):
        yield (_Span(indent + line, style),)


def _section(section: PlanSection, *, details: bool) -> Iterator[_Line]:
    verdict = _Span(VERDICT_WORDS[section.verdict], _STYLES[section.verdict])
    yield (_Span(f"{section.name.capitalize()}  ", _BOLD), verdict)
    yield from _paragraph(section.sentence, "  ")
    yield from _rows((*section.changes, *section.unchanged) if details else section.first)
    if not details and (more := hidden_words(section)):
        yield from _paragraph(f"{more}: --details lists them", "  ")


def _rows(changes: Sequence[PlanChange]) -> Iterator[_Line]:
    for change in changes:
        fix = f"Fix: {printable(change.fix)}" if change.fix else ""
        words = short_ids(" ".join(part for part in (sentence(change), fix) if part))
        texts = (
            MARKS[change.severity],
            printable(change.subject),
            short_ids(values(change)),
            words,
        )
        for line in columns(texts, _COLUMNS):
            yield (_Span(f" {line}", _COLOURS[change.severity]),)
