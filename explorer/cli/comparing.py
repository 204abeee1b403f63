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
    setting_comparison = rounds.outcome()
    if rounds.trial is not None:
        warn(rounds.trial.warnings)
    print_found(args, setting_comparison.to_dict, lambda: text_of(setting_comparison))


def text_of(setting_comparison: SettingComparison) -> str:
    """A comparison as a table, with noise marked as such."""
    first, second = setting_comparison.first, setting_comparison.second
    lines = [
        f"medians of {setting_comparison.rounds} rounds, least to most, in ms",
        f"{'':<{_NAME}}{first.name:>30}{second.name:>30}  difference",
        _line("whole run", setting_comparison.wall_ms),
        _line("in operators", setting_comparison.operator_ms),
        _line("between tasks", setting_comparison.exchange_ms),
        _line("copying in tasks", setting_comparison.copy_ms),
        *(
            _line("  " + operator.name, operator.operator_ms)
            for operator in setting_comparison.operators
        ),
        f"{'tasks':<{_NAME}}{first.tasks:>30,}{second.tasks:>30,}",
        f"{'records sent between tasks':<{_NAME}}{first.records:>30,}{second.records:>30,}",
        f"{'bytes sent between tasks':<{_NAME}}{first.bytes:>30,}{second.bytes:>30,}",
        f"{'records copied in tasks':<{_NAME}}{first.copies:>30,}{second.copies:>30,}",
    ]
    return "\n".join(lines)


def _line(name: str, difference: Difference) -> str:
    first, second = (
        f"{spread.median:,.1f} ({spread.least:,.1f} to {spread.most:,.1f})"
        for spread in (difference.first, difference.second)
    )
    text = "within noise"
    if not difference.noise and difference.first.median:
        text = f"x {difference.second.median / difference.first.median:,.2f}"
    return f"{shortened(name, _NAME - 2):<{_NAME}}{first:>30}{second:>30}  {text}"
