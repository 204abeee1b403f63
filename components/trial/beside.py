"""Two runs beside each other: the same operators, under other toggles."""

from typing import Final

from components.table import Cell, Column, Row
from components.trial.figures import size, span
from components.trial.job_figures import UNTOLD, counted
from components.trial.runs import Report, Run
from explorer.analysis.identity import Identity
from explorer.analysis.job_report import JobOperator, JobReport
from explorer.trial import OperatorFigures

TOTALS: Final = "totals"


def columns(run: Run, other: Run) -> tuple[Column, ...]:
    """Each figure twice, the run's own first."""
    names = ("records in", "records out", "time", "chain")
    pairs = (
        Column(f"{name}, run {each.number}", "right") for name in names for each in (run, other)
    )
    return (Column("operator"), *pairs)


def rows(run: Run, report: Report, other: Run, compared: Report) -> list[Row]:
    """The totals, then one row for each operator of either run."""
    mine, theirs = _figures(run, report), _figures(other, compared)
    found = [_totals(report, compared)]
    for identity in dict.fromkeys((*mine, *theirs)):
        a, b = mine.get(identity), theirs.get(identity)
        either = a or b
        if either is not None:
            found.append(Row(either[0], (either[1], *_cells(a, b))))
    return found


Operator = OperatorFigures | JobOperator
Seen = tuple[str, str, Operator | None, int]
"""Key, name, figures and the number of the chain."""


def _figures(run: Run, report: Report) -> dict[Identity, Seen]:
    """What a run's report says of each operator."""
    figures: dict[int, Operator] = {one.node: one for one in report.operators}
    return {
        node.identity: (
            node.key,
            node.name,
            figures.get(node.id),
            run.view.vertex_of[node.vertex].number,
        )
        for node in run.view.nodes
    }


def _cells(a: Seen | None, b: Seen | None) -> tuple[Cell, ...]:
    def each(seen: Seen | None) -> tuple[str, ...]:
        if seen is None:
            return ("", "", "", "")
        _, _, one, chain = seen
        return *_told(one), f"chain {chain}"

    pairs = zip(each(a), each(b), strict=True)
    return tuple(cell for pair in pairs for cell in pair)


def _told(one: Operator | None) -> tuple[str, str, str]:
    """Records in and out, and the time, of which a cluster tells none by operator."""
    if one is None:
        return (UNTOLD, UNTOLD, UNTOLD)
    spent = span(one.busy_ms) if isinstance(one, OperatorFigures) else UNTOLD
    return counted(one.records_in), counted(one.records_out), spent


def _totals(report: Report, other: Report) -> Row:
    """The whole runs: bytes and tasks in place of an operator's figures."""

    def each(one: Report) -> tuple[str, ...]:
        sent, moved = _sent(one)
        tasks = len(one.vertices)
        return size(sent) + " sent", f"{moved:,} sent", span(one.wall_ms), f"{tasks} tasks"

    pairs = zip(each(report), each(other), strict=True)
    cells: list[Cell] = [{"text": cell, "tone": "mute"} for pair in pairs for cell in pair]
    return Row(TOTALS, ({"text": "whole run", "tone": "mute"}, *cells))


def _sent(report: Report) -> tuple[int, int]:
    """Bytes and records that all tasks sent."""
    tasks = (
        [vertex.figures for vertex in report.vertices]
        if isinstance(report, JobReport)
        else report.vertices
    )
    return sum(one.bytes_out for one in tasks), sum(one.records_out for one in tasks)
