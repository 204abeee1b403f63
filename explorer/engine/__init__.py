"""The engine: runs a JobGraph on Spark or in this process, and reports the figures of Flink's UI.

The names below are loaded on first use: Spark's workers import this package and need few modules.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from explorer.engine.operators.planned import OutputFolder
    from explorer.engine.planning.planning import TrialPlan, plan_trial
    from explorer.engine.planning.synthetic import expected_records, is_synthetic
    from explorer.engine.preview.following import Way
    from explorer.engine.preview.preview import HandedOn, Preview, preview_trial
    from explorer.engine.report.progress import OperatorProgress, VertexProgress, skew
    from explorer.engine.report.trial_report import (
        OperatorFigures,
        SinkRows,
        TrialReport,
        VertexFigures,
        WrittenFolder,
    )
    from explorer.engine.spark.rounds import Comparison, Difference, Rounds
    from explorer.engine.spark.running import Trial, TrialProgress
    from explorer.engine.starting import (
        compare_chaining,
        compare_object_reuse,
        follow,
        run_trial,
        start_trial,
    )

__all__ = [
    "Comparison",
    "Difference",
    "HandedOn",
    "OperatorFigures",
    "OperatorProgress",
    "OutputFolder",
    "Preview",
    "Rounds",
    "SinkRows",
    "Trial",
    "TrialPlan",
    "TrialProgress",
    "TrialReport",
    "VertexFigures",
    "VertexProgress",
    "Way",
    "WrittenFolder",
    "compare_chaining",
    "compare_object_reuse",
    "expected_records",
    "follow",
    "is_synthetic",
    "plan_trial",
    "preview_trial",
    "run_trial",
    "skew",
    "start_trial",
]

_PUBLIC: Final = {
    "planning.planning": ("TrialPlan", "plan_trial"),
    "planning.synthetic": ("expected_records", "is_synthetic"),
    "operators.planned": ("OutputFolder",),
    "preview.following": ("Way",),
    "preview.preview": ("HandedOn", "Preview", "preview_trial"),
    "report.progress": ("OperatorProgress", "VertexProgress", "skew"),
    "report.trial_report": (
        "OperatorFigures",
        "SinkRows",
        "TrialReport",
        "VertexFigures",
        "WrittenFolder",
    ),
    "spark.rounds": ("Comparison", "Difference", "Rounds"),
    "spark.running": ("Trial", "TrialProgress"),
    "starting": ("compare_chaining", "compare_object_reuse", "follow", "run_trial", "start_trial"),
}
"""By module, its public names."""
_HOMES: Final = {name: home for home, names in _PUBLIC.items() for name in names}


if not TYPE_CHECKING:  # A type checker would resolve every name to this function.

    def __getattr__(name: str) -> Any:
        """Import a public name's module on first use."""
        if name not in _HOMES:
            msg = f"module 'explorer.engine' has no attribute {name!r}"
            raise AttributeError(msg)
        value = getattr(import_module(f"explorer.engine.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
