"""Comparison of two runs: the same operators, under other settings."""

from collections.abc import Callable
from typing import Final

import msgspec

from components.run.trial.figures import UNREPORTED, size, span
from components.run.trial.runs import Report, Run
from components.widgets.table import Cell, Column, Row
from explorer.lookup.identity import Identity
from explorer.model.run_figures import OperatorFigures
from explorer.running.job_report import JobReport

TOTALS: Final = "totals"


def columns(run: Run, other_run: Run) -> tuple[Column, ...]:
    """Each figure twice, the run's own first, and by how much it is more; last the chains."""
    runs = (f"run {run.number}", f"run {other_run.number}", "difference")
    figures = ("records in", "records out", "time")
    heads = [f"{figure}, {item}" for figure in figures for item in runs]
    heads += [f"chain, {each}" for each in runs[:2]]
    return (Column("operator"), *(Column(head, "right") for head in heads))


def rows(run: Run, report: Report, other_run: Run, compared: Report) -> list[Row]:
    """Return the totals, then one row for each operator of either run."""
    mine, theirs = _figures(run, report), _figures(other_run, compared)
    result = [_totals(report, compared)]
    for identity in dict.fromkeys((*mine, *theirs)):
        a, b = mine.get(identity), theirs.get(identity)
        either = a or b
        if either is not None:
            result.append(Row(either[0], (either[1], *_cells(a, b))))
    return result


Visible = tuple[str, str, OperatorFigures | None, int]
"""Key, name, figures and the number of the chain."""


def _figures(run: Run, report: Report) -> dict[Identity, Visible]:
    figures: dict[int, OperatorFigures] = {operator.node: operator for operator in report.operators}
    return {
        node.identity: (
            node.key,
            node.name,
            figures.get(node.id),
            run.view.vertex_of[node.vertex].number,
        )
        for node in run.view.nodes
    }


class _Figure(msgspec.Struct, frozen=True):
    """A number with its text; None: not reported."""

    amount: float | None
    say: Callable[[float], str]
    unit: str = ""

    def __str__(self) -> str:
        return UNREPORTED if self.amount is None else self.say(self.amount) + self.unit


def _cells(a: Visible | None, b: Visible | None) -> tuple[Cell, ...]:
    compared = (
        _triple(mine, other_figure)
        for mine, other_figure in zip(_list_figures(a), _list_figures(b), strict=True)
    )
    chains = (f"chain {visible[3]}" if visible else "" for visible in (a, b))
    return (*(cell for triple in compared for cell in triple), *chains)


def _list_figures(visible: Visible | None) -> tuple[_Figure, ...]:
    """Return records in and out, and the time, which a cluster does not report by operator."""
    operator_figures = visible[2] if visible else None
    return (
        _Figure(operator_figures.records_in if operator_figures else None, _whole),
        _Figure(operator_figures.records_out if operator_figures else None, _whole),
        _Figure(operator_figures.operator_ms if operator_figures else None, span),
    )


def _whole(count: float) -> str:
    return f"{count:,.0f}"


def _triple(mine: _Figure, other_figure: _Figure) -> tuple[Cell, Cell, Cell]:
    return str(mine), str(other_figure), _difference(mine, other_figure)


def _difference(mine: _Figure, other_figure: _Figure) -> Cell:
    """Return the difference to the other figure, absolute and as its share."""
    if mine.amount is None or other_figure.amount is None:
        return {"text": UNREPORTED, "tone": "mute"}
    more = mine.amount - other_figure.amount
    if not more:
        return {"text": "none", "tone": "mute"}
    text = f"{'+' if more > 0 else '-'}{mine.say(abs(more))}"
    return {
        "text": text,
        "note": f"{more / other_figure.amount:+.0%}" if other_figure.amount else "",
    }


def _totals(report: Report, other_report: Report) -> Row:
    """Return the row of the whole runs: bytes and records sent, and tasks."""

    def each(trial_report: Report) -> tuple[_Figure, ...]:
        sent, moved = _sum_sent(trial_report)
        return (
            _Figure(sent, lambda count: size(int(count)), " sent"),
            _Figure(moved, _whole, " sent"),
            _Figure(trial_report.wall_ms, span),
        )

    compared = zip(each(report), each(other_report), strict=True)
    cells = [cell for mine, theirs in compared for cell in _triple(mine, theirs)]
    tasks = [
        {"text": f"{len(job_report.vertices)} tasks", "tone": "mute"}
        for job_report in (report, other_report)
    ]
    return Row(TOTALS, ({"text": "whole run", "tone": "mute"}, *cells, *tasks))


def _sum_sent(report: Report) -> tuple[int, int]:
    tasks = (
        [vertex.figures for vertex in report.vertices]
        if isinstance(report, JobReport)
        else report.vertices
    )
    return sum(task.bytes_out or 0 for task in tasks), sum(task.records_out for task in tasks)
