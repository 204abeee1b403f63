"""Two runs beside each other: the same operators, under other toggles."""

from typing import Final

from components.table import Cell, Column, Row
from components.trial.figures import size, span
from components.trial.runs import Run
from explorer.analysis.identity import Identity
from explorer.trial import OperatorFigures, TrialReport

TOTALS: Final = "totals"


def columns(run: Run, other: Run) -> tuple[Column, ...]:
    """Each figure twice, the run's own first."""
    names = ("records in", "records out", "time", "chain")
    pairs = (
        Column(f"{name}, run {each.number}", "right") for name in names for each in (run, other)
    )
    return (Column("operator"), *pairs)


def rows(run: Run, report: TrialReport, other: Run, compared: TrialReport) -> list[Row]:
    """The totals, then one row for each operator of either run."""
    mine, theirs = _figures(run, report), _figures(other, compared)
    found = [_totals(report, compared)]
    for identity in dict.fromkeys((*mine, *theirs)):
        a, b = mine.get(identity), theirs.get(identity)
        either = a or b
        if either is not None:
            found.append(Row(either[0], (either[1], *_cells(a, b))))
    return found


Seen = tuple[str, str, OperatorFigures, int]
"""Key, name, figures and the number of the chain."""


def _figures(run: Run, report: TrialReport) -> dict[Identity, Seen]:
    """What a run's report says of each operator."""
    figures = {one.node: one for one in report.operators}
    return {
        node.identity: (
            node.key,
            node.name,
            figures[node.id],
            run.view.vertex_of[node.vertex].number,
        )
        for node in run.view.nodes
    }


def _cells(a: Seen | None, b: Seen | None) -> tuple[Cell, ...]:
    def each(seen: Seen | None) -> tuple[str, ...]:
        if seen is None:
            return ("", "", "", "")
        _, _, one, chain = seen
        return f"{one.records_in:,}", f"{one.records_out:,}", span(one.busy_ms), f"chain {chain}"

    pairs = zip(each(a), each(b), strict=True)
    return tuple(cell for pair in pairs for cell in pair)


def _totals(report: TrialReport, other: TrialReport) -> Row:
    """The whole runs: bytes and tasks in place of an operator's figures."""

    def each(one: TrialReport) -> tuple[str, ...]:
        sent = sum(vertex.bytes_out for vertex in one.vertices)
        moved = sum(vertex.records_out for vertex in one.vertices)
        tasks = len(one.vertices)
        return size(sent) + " sent", f"{moved:,} sent", span(one.wall_ms), f"{tasks} tasks"

    pairs = zip(each(report), each(other), strict=True)
    cells: list[Cell] = [{"text": cell, "tone": "mute"} for pair in pairs for cell in pair]
    return Row(TOTALS, ({"text": "whole run", "tone": "mute"}, *cells))
