"""A trial in a session that the caller has started, as a notebook has one."""

from pathlib import Path
from typing import Any

import pytest

from explorer.engine.spark.queue import QUEUE
from explorer.engine.spark.spark_context import start_problem
from explorer.engine.starting import run_trial
from explorer.errors import TrialError
from tests.engine.on_spark import engine, numbers


@pytest.mark.spark
def test_a_given_session_runs_the_trial_and_stays_the_callers() -> None:
    from pyspark.sql import SparkSession

    run_trial(numbers())
    engine().close()
    builder: Any = SparkSession.builder
    session = builder.master("local[1]").config("spark.app.name", "a caller's").getOrCreate()
    try:
        found = run_trial(numbers(), spark=session)

        assert found.master == "local[1]"
        assert found.sinks["o"].rows == 100
        engine().close()
        assert session.range(3).count() == 3
        assert session.sparkContext.appName == "a caller's"
    finally:
        session.stop()
    with pytest.raises(TrialError, match="not a running classic SparkSession"):
        run_trial(numbers(), spark=session)
    assert QUEUE._engine is None or not QUEUE._engine.alive


def test_an_object_that_is_no_classic_session_is_refused() -> None:
    connected = type("SparkSession", (), {"__module__": "pyspark.sql.connect.session"})()
    with pytest.raises(TrialError, match="Spark Connect session cannot run a trial"):
        run_trial(numbers(), spark=connected)
    with pytest.raises(TrialError, match="spark is a str, not a running classic SparkSession"):
        run_trial(numbers(), spark="local[2]")
    with pytest.raises(TrialError, match="give spark alone, or master and conf"):
        run_trial(numbers(), spark=connected, conf={"spark.a": "b"})


def test_the_reason_why_spark_does_not_start_is_that_of_the_exception(tmp_path: Path) -> None:
    log = tmp_path / "spark.log"
    log.write_text(
        "26/11/23 01:10:26 ERROR SparkContext: Error initializing SparkContext.\n"
        "org.apache.spark.SparkException: spark.dynamicAllocation.executorIdleTimeout must be > 0\n"
    )
    reported = start_problem("spark://h:7077", log, RuntimeError("a call failed"))

    assert reported == (
        "Spark could not be started with master 'spark://h:7077': "
        "SparkException: spark.dynamicAllocation.executorIdleTimeout must be > 0"
    )
