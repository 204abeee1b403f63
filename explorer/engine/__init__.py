"""The engine: runs a JobGraph on Spark or in this process, and reports the figures of Flink's UI.

The names below are loaded on first use: Spark's workers import this package and need few modules.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from explorer.engine.plan import ExchangeFormat
    from explorer.engine.planning.synthetic import (
        SYNTHETIC_RECORDS,
        expected_records,
        is_synthetic,
        synthetic_figures,
    )
    from explorer.engine.planning.trial_plan import TrialPlan, plan_trial
    from explorer.engine.preview.channel_records import ChannelRecords, channel_records
    from explorer.engine.preview.preview import EmittedRows, Preview, preview_trial, rows_read
    from explorer.engine.preview.record_tracing import (
        Direction,
        End,
        RecordRoute,
        ends_of,
        rows_of,
        trace_record,
    )
    from explorer.engine.preview.sample_run import NO_FUNCTIONS
    from explorer.engine.preview.sampling import RowSample
    from explorer.engine.preview.tracing import TracedRun, traced_run
    from explorer.engine.report.trial_report import (
        OperatorFigures,
        SinkRows,
        TrialReport,
        VertexFigures,
        WrittenFolder,
        copies_sentence,
    )
    from explorer.engine.report.vertex_progress import OperatorProgress, VertexProgress, skew
    from explorer.engine.spark.rounds import ROUNDS, Difference, Rounds, SettingComparison, Spread
    from explorer.engine.spark.trial_runs import Trial, TrialProgress
    from explorer.engine.starting import (
        compare_chaining,
        compare_object_reuse,
        follow,
        run_trial,
        start_trial,
    )
    from explorer.engine.steps.planned import OutputFolder

__all__ = [
    "NO_FUNCTIONS",
    "ROUNDS",
    "SYNTHETIC_RECORDS",
    "ChannelRecords",
    "Difference",
    "Direction",
    "EmittedRows",
    "End",
    "ExchangeFormat",
    "OperatorFigures",
    "OperatorProgress",
    "OutputFolder",
    "Preview",
    "RecordRoute",
    "Rounds",
    "RowSample",
    "SettingComparison",
    "SinkRows",
    "Spread",
    "TracedRun",
    "Trial",
    "TrialPlan",
    "TrialProgress",
    "TrialReport",
    "VertexFigures",
    "VertexProgress",
    "WrittenFolder",
    "channel_records",
    "compare_chaining",
    "compare_object_reuse",
    "copies_sentence",
    "ends_of",
    "expected_records",
    "follow",
    "is_synthetic",
    "plan_trial",
    "preview_trial",
    "rows_of",
    "rows_read",
    "run_trial",
    "skew",
    "start_trial",
    "synthetic_figures",
    "trace_record",
    "traced_run",
]
_PUBLIC: Final = {
    "steps.planned": ("OutputFolder",),
    "plan": ("ExchangeFormat",),
    "planning.trial_plan": ("TrialPlan", "plan_trial"),
    "planning.synthetic": (
        "SYNTHETIC_RECORDS",
        "expected_records",
        "is_synthetic",
        "synthetic_figures",
    ),
    "preview.channel_records": ("ChannelRecords", "channel_records"),
    "preview.record_tracing": (
        "Direction",
        "End",
        "RecordRoute",
        "ends_of",
        "trace_record",
        "rows_of",
    ),
    "preview.preview": ("EmittedRows", "Preview", "preview_trial", "rows_read"),
    "preview.sample_run": ("NO_FUNCTIONS",),
    "preview.sampling": ("RowSample",),
    "preview.tracing": ("TracedRun", "traced_run"),
    "report.vertex_progress": ("OperatorProgress", "VertexProgress", "skew"),
    "report.trial_report": (
        "OperatorFigures",
        "SinkRows",
        "TrialReport",
        "VertexFigures",
        "WrittenFolder",
        "copies_sentence",
    ),
    "spark.rounds": ("SettingComparison", "Difference", "ROUNDS", "Rounds", "Spread"),
    "spark.trial_runs": ("Trial", "TrialProgress"),
    "starting": ("compare_chaining", "compare_object_reuse", "follow", "run_trial", "start_trial"),
}
"""The public names of each module."""
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
