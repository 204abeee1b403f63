"""A plan for a terminal: the verdict, then a table a section, 100 columns wide."""

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TextIO

from explorer.analysis.plan.record import (
    VERDICT_WORDS,
    ChangeSeverity,
    Plan,
    PlanChange,
    PlanSection,
    PlanVerdict,
)
from explorer.analysis.plan.words import (
    MARKS,
    hidden_words,
    sentence,
    short_ids,
    side_words,
    values,
)
from explorer.errors import STEERING
from explorer.wording import listed, printable

if TYPE_CHECKING:
    from rich.console import Console

WIDTH: Final = 100
_STYLES: Final[Mapping[PlanVerdict, str]] = {
    "deploy": "bold green",
    "attention": "bold yellow",
    "unchecked": "bold cyan",
    "do_not_deploy": "bold red",
}
_COLOURS: Final[Mapping[ChangeSeverity, str]] = {
    "error": "red",
    "unchecked": "cyan",
    "warning": "yellow",
    "note": "none",
}


def print_plan(plan: Plan, stream: TextIO, *, details: bool = False) -> None:
    """Print the plan; colours only where the stream is a terminal.

    ``details``: also print what comes after the first ten changes of a section, and what stays.
    """
    console = _console(stream)
    console.print(printable(plan.headline), style=_STYLES[plan.verdict])
    if plan.old is not None:
        console.print(f"  OLD  {side_words(plan.old)}")
    console.print(f"  NEW  {side_words(plan.new)}")
    for section in plan.sections:
        _print_section(console, section, details=details)
    for fix in plan.fixes:
        console.print(f"\nFix: {printable(fix.label)}", style="bold")
        for line in (*fix.lines, f"Then: {fix.outcome}"):
            console.print(f"  {printable(line)}")
    console.print()
    console.print(f"Checked: {listed(plan.checked)}")
    for one in plan.unchecked:
        console.print(f"Not checked: {printable(one)}")


def plan_text(plan: Plan, *, details: bool = False) -> str:
    """The plan as plain text."""
    stream = io.StringIO()
    print_plan(plan, stream, details=details)
    lines = (line.rstrip() for line in stream.getvalue().splitlines())
    return STEERING.sub("\ufffd", "\n".join(lines).rstrip())


def _console(stream: TextIO) -> "Console":
    from rich.console import Console

    terminal = stream.isatty()
    return Console(
        file=stream,
        width=WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
        no_color=not terminal,
        force_terminal=terminal,
    )


def _print_section(console: "Console", section: PlanSection, *, details: bool) -> None:
    from rich.text import Text

    title = Text(f"\n{section.name.capitalize()}  ", style="bold")
    title.append(VERDICT_WORDS[section.verdict], style=_STYLES[section.verdict])
    console.print(title)
    console.print(f"  {printable(section.sentence)}")
    rows = (*section.changes, *section.unchanged) if details else section.first
    if rows:
        _print_rows(console, rows)
    if not details and (more := hidden_words(section)):
        console.print(f"  {more}: --details lists them")


def _print_rows(console: "Console", rows: Sequence[PlanChange]) -> None:
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 1), width=WIDTH - 1)
    table.add_column(width=1)
    for share in (3, 4, 7):
        table.add_column(ratio=share, overflow="fold")
    for one in rows:
        fix = f"Fix: {printable(one.fix)}" if one.fix else ""
        words = short_ids(" ".join(part for part in (sentence(one), fix) if part))
        cells = (MARKS[one.severity], printable(one.subject), short_ids(values(one)), words)
        table.add_row(*cells, style=_COLOURS[one.severity])
    console.print(table)
