"""A plan for a terminal: the verdict, then a table a section, 100 columns wide."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, TextIO

from explorer.analysis.plan.record import (
    VERDICT_WORDS,
    ChangeSeverity,
    Plan,
    PlanChange,
    PlanSection,
    PlanSide,
    PlanVerdict,
)
from explorer.analysis.plan.sizes import readable_size
from explorer.errors import STEERING
from explorer.wording import counted, listed, printable

if TYPE_CHECKING:
    from rich.console import Console

WIDTH: Final = 100
_STYLES: Final[Mapping[PlanVerdict, str]] = {
    "deploy": "bold green",
    "attention": "bold yellow",
    "unchecked": "bold cyan",
    "do_not_deploy": "bold red",
}
MARKS: Final[Mapping[ChangeSeverity, str]] = {
    "error": "✗",
    "unchecked": "?",
    "warning": "!",
    "note": "·",
}
"""By severity, the mark at the start of a line."""
_COLOURS: Final[Mapping[ChangeSeverity, str]] = {
    "error": "red",
    "unchecked": "cyan",
    "warning": "yellow",
    "note": "dim",
}


def print_plan(plan: Plan, stream: TextIO, *, details: bool = False) -> None:
    """Print the plan; colours only where the stream is a terminal.

    ``details``: also print what comes after the first ten changes of a section, and what stays.
    """
    from rich.console import Console

    terminal = stream.isatty()
    console = Console(
        file=stream,
        width=WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
        no_color=not terminal,
        force_terminal=terminal,
    )
    console.print(plan.headline, style=_STYLES[plan.verdict])
    for line in side_lines(plan):
        console.print(line)
    for section in plan.sections:
        _print_section(console, section, details=details)
    for fix in plan.fixes:
        console.print(f"\nFix: {printable(fix.label)}", style="bold")
        for line in (*fix.lines, f"Then: {fix.outcome}"):
            console.print(f"  {printable(line)}")
    console.print()
    for line in coverage_lines(plan):
        console.print(line)


def plan_text(plan: Plan, *, details: bool = False) -> str:
    """The same as plain text."""
    import io

    stream = io.StringIO()
    print_plan(plan, stream, details=details)
    lines = (line.rstrip() for line in stream.getvalue().splitlines())
    return STEERING.sub("\ufffd", "\n".join(lines).rstrip())


def side_lines(plan: Plan) -> Iterator[str]:
    """What is compared."""
    if plan.old is not None:
        yield f"  OLD  {side_words(plan.old)}"
    yield f"  NEW  {side_words(plan.new)}"


def side_words(side: PlanSide) -> str:
    """One side: the job, the release, what it was read from, the size of its savepoint."""
    size = f", {readable_size(side.state_bytes)} of state" if side.state_bytes else ""
    release = f"Flink {side.release}" if side.release else "Flink release not known"
    job = f"{side.job}, " if side.job and side.job != side.read_from else ""
    saved = side.savepoint if side.savepoint != side.read_from else None
    savepoint = f", savepoint {saved}" if saved else ""
    return printable(f"{job}{release}, {side.read_from}{savepoint}{size}")


def coverage_lines(plan: Plan) -> Iterator[str]:
    """What was checked, and what was not with its reason."""
    yield f"Checked: {listed(plan.checked)}"
    for one in plan.unchecked:
        yield f"Not checked: {printable(one)}"


def _print_section(console: "Console", section: PlanSection, *, details: bool) -> None:
    from rich.text import Text

    title = Text(f"\n{section.name.capitalize()}  ", style="bold")
    title.append(VERDICT_WORDS[section.verdict], style=_STYLES[section.verdict])
    console.print(title)
    console.print(f"  {printable(section.sentence)}")
    rows = [*section.changes, *section.unchanged] if details else section.first
    if rows:
        _print_rows(console, rows)
    if not details and (more := hidden_words(section)):
        console.print(f"  {more}; --details lists them", style="dim")


def _print_rows(console: "Console", rows: "list[PlanChange] | tuple[PlanChange, ...]") -> None:
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 1), width=WIDTH - 1)
    table.add_column(width=1)
    table.add_column(ratio=3, overflow="fold")
    table.add_column(ratio=4, overflow="fold")
    table.add_column(ratio=7, overflow="fold")
    for one in rows:
        words = printable(one.sentence) + (f" Fix: {printable(one.fix)}" if one.fix else "")
        cells = (MARKS[one.severity], printable(one.subject), printable(values(one)), words)
        table.add_row(*cells, style=_COLOURS[one.severity])
    console.print(table)


def values(change: PlanChange) -> str:
    """A change's values and the size of its state, as ``keyed state → refused, 412 MiB``."""
    old, new = change.before, change.after
    said = f"{old} → {new}" if old and new else new or (f"no longer: {old}" if old else "")
    size = readable_size(change.state_bytes) if change.state_bytes else ""
    return ", ".join(part for part in (said, size) if part)


def hidden_words(section: PlanSection) -> str:
    """How many lines only the details show; empty: none."""
    parts = []
    if section.rest:
        parts.append(f"{counted(len(section.rest), 'more change')}")
    if section.unchanged:
        parts.append(f"{counted(len(section.unchanged), 'line')} on what stays")
    return listed(parts) if parts else ""
