"""A JobGraph at work: a trial run on Spark, whose figures are those that Flink would report."""

from explorer.trial.following import Way
from explorer.trial.planning import TrialPlan, plan_trial
from explorer.trial.preview import HandedOn, Preview, preview_trial
from explorer.trial.progress import OperatorProgress, VertexProgress, skew
from explorer.trial.rounds import Comparison, Difference, Rounds
from explorer.trial.running import Trial, TrialProgress
from explorer.trial.starting import (
    compare_chaining,
    compare_object_reuse,
    follow,
    preview,
    run_trial,
    start_trial,
)
from explorer.trial.synthetic import expected_records, is_synthetic
from explorer.trial.trial_report import (
    OperatorFigures,
    SinkRows,
    TrialReport,
    VertexFigures,
    WrittenFolder,
)
from explorer.trial.work import OutputFolder

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
    "preview",
    "preview_trial",
    "run_trial",
    "skew",
    "start_trial",
]
