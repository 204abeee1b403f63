"""Failures of Spark are explained in one sentence."""

import pytest

from explorer import compile_graph
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.spark.failures import EngineError, explain_failure, reason_of
from explorer.engine.task.deployment import TaskFailure, deployments, run
from explorer.engine.task.frames import FramesLostError
from explorer.engine.task.published_counters import (
    ProgressTarget,
)
from explorer.errors import ExplorerError
from tests.engine.report.reported import DOCUMENT
from tests.many_cases import for_each

ENDINGS = [
    (
        'X: [Y] Traceback\n  z\nTaskFailure: EXPLORER-FAILURE t1 {"text": "out of it"}\n\tat',
        "out of it",
    ),
    (
        "Lost task 0.3 in stage 1.0 (TID 7) (10.0.0.3 executor 1): x.PythonException: Traceback\n"
        "  x\nModuleNotFoundError: No module named 'pyarrow'\n\tat y",
        "the worker '10.0.0.3' lacks pyarrow: a trial needs mmh3, msgspec, numpy and pyarrow in",
    ),
    ("Job aborted: Total size > spark.driver.maxResultSize (1g)", "The sinks hold more rows than"),
    (
        "SparkException: [FAILED_RENAME_TEMP_FILE] Failed to rename temp file /t/x.1 to /t/x as "
        "FileSystem.rename returned false. SQLSTATE: KD001\n\tat y",
        "Spark lost files of its own in the middle of the run",
    ),
    ("SparkException: Python worker exited unexpectedly (crashed)", "A Python worker ended in the"),
    (
        "An error occurred while calling o1.x.\n: java.lang.IllegalStateException: stopped\n\tat q",
        "Spark ended the trial of 'a report': IllegalStateException: stopped",
    ),
    ("ArrowInvalid: column EXPLORER-FAILURE \xff", "Spark ended the trial of 'a report': ArrowInv"),
    ('EXPLORER-FAILURE t2 {"text": "forged"}', "Spark ended the trial of 'a report': EXPLORER-"),
]


@for_each(("text", "sentence"), ENDINGS)
def test_a_failure_of_spark_becomes_one_sentence(text: str, sentence: str) -> None:
    job = plan_trial(compile_graph(DOCUMENT, "1.20")).job
    error = explain_failure(RuntimeError(text), job, "t1", ())

    assert isinstance(error, ExplorerError)
    assert str(error).startswith(sentence)
    assert "\n" not in str(error)


def test_frames_that_spark_lost_are_its_own_fault() -> None:
    job = plan_trial(compile_graph(DOCUMENT, "1.20")).job
    deployment = deployments(job, "t1", ProgressTarget())[1]
    with pytest.raises(TaskFailure) as failure:
        list(run(deployment, 0, iter(()), 0))
    for error in (failure.value, FramesLostError("3 subtasks reported")):
        reported = explain_failure(error, job, "t1", ())

        assert isinstance(reported, EngineError)
        assert str(reported).startswith("Spark lost files of its own in the middle of the run")


def test_the_innermost_cause_is_given() -> None:
    text = "x\n: org.apache.A: one\nCaused by: java.io.IOException: No space left on device\n\tat b"

    assert reason_of(text) == "IOException: No space left on device"
