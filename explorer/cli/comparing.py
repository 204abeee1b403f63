"""``trial --compare-chaining`` and ``--compare-object-reuse``: medians of alternating runs."""

import argparse
from collections.abc import Callable
from typing import Final

from explorer.cli.command import print_found, warn
from explorer.cli.watching import watch_rounds
from explorer.drawing.view.one_line import shortened
from explorer.engine.spark.rounds import ROUNDS, Difference, SettingComparison
from explorer.engine.spark.trial_runs import Trial
from explorer.engine.starting import compare_chaining, compare_object_reuse
from explorer.flink.compiler import Compilation
from explorer.model.document import Document

_NAME: Final = 40


def compare(
    args: argparse.Namespace, document: Document, line_up: Callable[[Compilation], Trial]
) -> None:
    """Run the rounds and print their comparison."""
    reuse = args.compare_object_reuse
    if reuse is not None:
        rounds = compare_object_reuse(document, line_up, reuse or ROUNDS)
    else:
        rounds = compare_chaining(document, line_up, args.compare_chaining or ROUNDS)
    watch_rounds(rounds)
    found = rounds.outcome()
    if rounds.trial is not None:
        warn(rounds.trial.warnings)
    print_found(args, found.to_dict, lambda: text_of(found))


def text_of(found: SettingComparison) -> str:
    """A comparison as a table, with noise marked as such."""
    first, second = found.first, found.second
    lines = [
        f"medians of {found.rounds} rounds, least to most, in ms",
        f"{'':<{_NAME}}{first.name:>30}{second.name:>30}  difference",
        _line("whole run", found.wall_ms),
        _line("in operators", found.busy_ms),
        _line("between tasks", found.exchange_ms),
        _line("copying in tasks", found.copy_ms),
        *(_line("  " + one.name, one.busy_ms) for one in found.operators),
        f"{'tasks':<{_NAME}}{first.tasks:>30,}{second.tasks:>30,}",
        f"{'records sent between tasks':<{_NAME}}{first.records:>30,}{second.records:>30,}",
        f"{'bytes sent between tasks':<{_NAME}}{first.bytes:>30,}{second.bytes:>30,}",
        f"{'records copied in tasks':<{_NAME}}{first.copies:>30,}{second.copies:>30,}",
    ]
    return "\n".join(lines)


def _line(name: str, found: Difference) -> str:
    first, second = (
        f"{one.median:,.1f} ({one.least:,.1f} to {one.most:,.1f})"
        for one in (found.first, found.second)
    )
    text = "within noise"
    if not found.noise and found.first.median:
        text = f"x {found.second.median / found.first.median:,.2f}"
    return f"{shortened(name, _NAME - 2):<{_NAME}}{first:>30}{second:>30}  {text}"
