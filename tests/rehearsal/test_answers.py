"""A rehearsal that gave no answer for the operators is never green."""

from pathlib import Path

import pytest

from explorer.rehearsal.rehearsing import _rehearsal
from explorer.rehearsal.requests import Cause, Failure, JobFacts, RehearsalAnswer
from explorer.savepoints import FlinkVerdict, Savepoint

SAVED = Savepoint(version=4, checkpoint_id=1, operators=(), master_states=(), path="sp")
STOPPED = RehearsalAnswer(
    flink="2.2.1",
    documents=({"warnings": ["the program was stopped after 5 s"]},),
    rehearsed=0,
)
FAILED = JobFacts(job_failure=Failure(phase="job", causes=(Cause(kind="a.B", message="no slot"),)))


def verdict(error: str | None) -> FlinkVerdict:
    return FlinkVerdict(
        flink="2.2",
        allow_non_restored=False,
        error=error,
        exception=error and "IllegalStateException",
        operators=(),
        started_empty=(),
        task_maxima=(),
    )


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (STOPPED, "No operator was rehearsed: the program was stopped after 5 s."),
        (
            RehearsalAnswer(documents=({},), flink="2.2.1"),
            "no job of the program has an operator ID",
        ),
        (
            RehearsalAnswer(documents=({},), flink="2.2.1", rehearsed=0, job=FAILED),
            "The rehearsal's job failed as a whole: a.B: no slot.",
        ),
    ],
)
def test_without_an_answer_the_verdict_is_incomplete(answer: RehearsalAnswer, reason: str) -> None:
    found = _rehearsal(SAVED, Path("sp"), "new.jar", answer, verdict(None), 5.0)

    assert found.verdict == "incomplete"
    assert reason in found.unchecked[0]


def test_refused_ids_need_no_rehearsal() -> None:
    found = _rehearsal(SAVED, Path("sp"), "new.jar", STOPPED, verdict("no operator"), 5.0)

    assert (found.verdict, found.error) == ("refused", "IllegalStateException: no operator")
