"""A rehearsal that gave no answer for the operators is never green."""

import pytest

from explorer.rehearsal.rehearsing import _rehearsal
from explorer.rehearsal.requests import Cause, Failure, JobFacts, RehearsalAnswer, Request
from explorer.sandbox.launching import SandboxRequest
from explorer.savepoints import FlinkVerdict, Savepoint

SAVED = Savepoint(version=4, checkpoint_id=1, operators=(), master_states=(), path="sp")
REQUEST = Request(
    savepoint="sp",
    operator_ids=(),
    stateful_ids=(),
    only_open=False,
    records=(),
    target="new.jar",
    args=(),
    flink_lib=None,
    main_class=None,
    classpath=(),
    configuration={},
    python=None,
    timeout=5,
    sandbox=SandboxRequest(),
)
STOPPED = RehearsalAnswer(
    flink_version="2.2.1",
    documents=({"warnings": ["the program was stopped after 5 s"]},),
    rehearsed=0,
)
FAILED = JobFacts(job_failure=Failure(phase="job", causes=(Cause(kind="a.B", message="no slot"),)))


def verdict(error: str | None) -> FlinkVerdict:
    return FlinkVerdict(
        flink_version="2.2",
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
            RehearsalAnswer(documents=({},), flink_version="2.2.1"),
            "no job of the program has an operator ID",
        ),
        (
            RehearsalAnswer(documents=({},), flink_version="2.2.1", rehearsed=0, job=FAILED),
            "The rehearsal's job failed as a whole: a.B: no slot.",
        ),
    ],
)
def test_without_an_answer_the_verdict_is_incomplete(answer: RehearsalAnswer, reason: str) -> None:
    found = _rehearsal(SAVED, REQUEST, answer, verdict(None), ())

    assert found.verdict == "incomplete"
    assert reason in found.unchecked[0]


def test_refused_ids_need_no_rehearsal() -> None:
    found = _rehearsal(SAVED, REQUEST, STOPPED, verdict("no operator"), ())

    assert (found.verdict, found.error) == ("refused", "IllegalStateException: no operator")
