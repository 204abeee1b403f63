"""What did object reuse cost or save in a run? A sentence on what passed within tasks."""

from explorer.trial.trial_report import TrialReport
from explorer.wording import counted


def copies_sentence(report: TrialReport) -> str:
    """How many records were copied, and in what time, or were not; empty where none passed."""
    every = report.chained
    records, copied = (sum(one.records for one in every), sum(one.copied for one in every))
    if copied:
        spent = sum(one.copy_ms for one in every)
        return (
            f"{counted(copied, 'record')} copied between operators of a task, in {spent:,.1f} ms; "
            "with pipeline.object-reuse none would be"
        )
    if records:
        return (
            f"{counted(records, 'record')} handed on between operators of a task as the same "
            "object; without pipeline.object-reuse each would be copied"
        )
    return ""
