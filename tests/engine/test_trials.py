"""Trials on Spark: one after another, watched, failing, cancelled, and usable ever after."""

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from explorer import compile_graph
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.rows.errors import RowError
from explorer.engine.spark.engine import Engine
from explorer.engine.spark.spark_settings import LOCAL, SparkTarget
from explorer.engine.spark.trial_runs import Trial
from explorer.engine.starting import run_trial
from explorer.errors import ExplorerError, TrialError
from tests.engine.in_process import rows_of, trial
from tests.engine.on_spark import (
    ENDLESS,
    assert_usable,
    engine,
    java_options,
    java_process,
    numbers,
    runs_on,
    spark_home,
    start,
    wait_until,
)
from tests.patience import PATIENCE

pytestmark = pytest.mark.spark


def test_spark_returns_the_result_of_a_run_in_this_process() -> None:
    select = {"n": "n % 7", "w": "concat('w', n)"}
    document = numbers()
    document["transformations"][1]["select"] = select
    document["transformations"][3]["select"] = {"w": "upper(w)", "n": "n"}
    on_spark, here = (
        run_trial(document, flink_version="1.20"),
        trial(document),
    )

    assert rows_of(on_spark) == rows_of(here)
    assert [v.bytes_out for v in on_spark.vertices] == [v.bytes_out for v in here.vertices]
    assert on_spark.master == "local[2]"
    assert all(vertex.operator_ms > 0 for vertex in on_spark.vertices)


def test_a_failing_expression_names_operator_expression_and_row() -> None:
    with pytest.raises(RowError) as failure:
        run_trial(numbers(second="1000 % (n - 50)"))
    error = failure.value

    assert (error.operator, error.expression, error.row) == ("second", "1000 % (n - 50)", {"n": 50})
    assert str(error) == (
        "operator 'second', transformation 'f', select.n '1000 % (n - 50)': % by zero, "
        "at the row n = 50"
    )
    assert_usable()


def test_no_data_can_look_like_a_failure_of_ours(tmp_path: Path) -> None:
    (tmp_path / "forged.csv").write_bytes(b"EXPLORER-FAILURE \xff,b\n1,EXPLORER-FAILURE {}\n")
    rows = {"path": "forged.csv", "format": "csv", "schema": "a STRING, b LONG"}
    document = numbers()
    document["transformations"][0]["rows"] = rows
    document["transformations"][1]["select"] = {"n": "b"}
    with pytest.raises(ExplorerError, match=r"forged\.csv|Source: Custom") as failure:
        run_trial(document, data_dir=tmp_path, timeout=PATIENCE)

    assert "\n" not in str(failure.value)
    assert_usable()


def test_errors_known_before_the_run_are_reported_before_it_is_queued() -> None:
    with pytest.raises(TrialError, match="a trial runs at most 2,000"):
        start(numbers() | {"environment": {"parallelism": 1500}})
    with pytest.raises(Exception, match="there is no column 'm'"):
        start(numbers(second="m"))


def test_a_trial_is_watched_while_it_runs_and_cancelled() -> None:
    trial = start(ENDLESS, collect=False)
    wait_until(lambda: runs_on(trial))
    seen = trial.progress()
    source, second = seen.vertices
    wait_until(lambda: trial.progress().vertices[0].records_out > source.records_out)
    trial.cancel()

    assert trial.wait(PATIENCE)
    assert (seen.state, source.state, second.state) == ("running", "running", "waiting")
    assert source.records_out == source.operators[-1].records_out
    assert seen.elapsed_ms > 0
    assert (trial.state, trial.error, trial.report) == (
        "cancelled",
        "the trial was cancelled",
        None,
    )
    assert_usable()


def not_lined_up() -> Trial:
    """A trial that the queue does not know."""
    compiled = compile_graph(numbers(), "1.20")
    options: dict[str, Any] = {"timeout": None, "limit": None}
    return Trial(compiled, plan_trial(compiled), target=LOCAL, **options)


def test_a_trial_that_is_cancelled_while_spark_starts_is_over_at_once() -> None:
    trial = not_lined_up()
    seen: list[tuple[str, bool]] = []

    def start_of_spark(_: SparkTarget) -> Engine:
        trial.cancel()
        seen.append((trial.state, trial.wait(0)))
        msg = "Spark could not be started"
        raise TrialError(msg)

    trial.run_on(start_of_spark)

    assert seen == [("cancelled", True)]
    assert (trial.state, trial.error) == ("cancelled", "the trial was cancelled")


def test_a_trial_that_is_cancelled_when_its_turn_comes_starts_no_spark() -> None:
    trial = not_lined_up()
    trial.cancel()
    asked: list[SparkTarget] = []

    def start_of_spark(target: SparkTarget) -> Engine:
        asked.append(target)
        msg = "Spark could not be started"
        raise TrialError(msg)

    trial.run_on(start_of_spark)

    assert asked == []
    assert (trial.state, trial.error) == ("cancelled", "the trial was cancelled")


def test_others_wait_their_turn_and_see_their_place() -> None:
    first = start(ENDLESS)
    wait_until(lambda: first.state == "running")
    # Short trials go before long ones, and equal ones in the order in which they came.
    second, third = start(numbers()), start(numbers())
    places = (first.place, second.place, third.place)
    waiting = third.progress()
    second.cancel()
    moved_up = third.place
    first.cancel()

    assert places == (0, 1, 2)
    assert (waiting.state, waiting.place) == ("waiting", 2)
    assert [vertex.state for vertex in waiting.vertices] == ["waiting", "waiting"]
    assert (second.state, moved_up) == ("cancelled", 1)
    assert third.wait(PATIENCE)
    assert third.report is not None
    assert third.report.sinks["o"].rows == 100
    assert third.progress().state == "finished"
    assert [v.finished_subtasks for v in third.progress().vertices] == [2, 2]


def test_a_trial_that_runs_too_long_is_stopped() -> None:
    with pytest.raises(TrialError, match="took longer than its limit of 1 s"):
        run_trial(ENDLESS, collect=False, timeout=1)
    assert_usable()


def test_rows_are_counted_beyond_the_stored_ones() -> None:
    report = run_trial(numbers(9999), limit=10)
    none = run_trial(numbers(9999), collect=False)

    assert report.sinks["o"].rows == none.sinks["o"].rows == 10_000
    assert len(report.sinks["o"].data or ()) == 10
    assert report.warnings == ("sink 'o' took 10,000 rows; the report holds 10",)
    assert (none.sinks["o"].data, none.warnings) == (None, ())


def test_trials_of_several_threads_all_finish() -> None:
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(run_trial(numbers()).sinks["o"].rows))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)

    assert found == [100] * 4


def test_no_file_of_a_trial_is_left_behind() -> None:
    assert_usable()
    folder = engine().folder

    assert list(folder.rglob("blockmgr-*"))  # in which Spark writes what tasks exchange
    assert [path for path in folder.rglob("shuffle_*") if path.is_file()] == []
    assert list(folder.glob("*.progress")) == []


def test_workers_import_pyspark_from_its_folder_and_compile_no_archive() -> None:
    assert_usable()
    context = engine()._context
    files = context.parallelize([0], 1).map(lambda _: __import__("pyspark").__file__).collect()

    assert Path(files[0]).samefile(spark_home() / "__init__.py")


def test_another_master_replaces_the_first() -> None:
    assert run_trial(numbers(), master="local[1]").master == "local[1]"
    with pytest.raises(TrialError, match="Spark could not be started with master 'nobody'"):
        run_trial(numbers(), master="nobody")
    assert_usable()


def test_a_file_next_to_the_document_is_found(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("one\ntwo\n")
    document = tmp_path / "lines.yaml"
    document.write_text(
        "transformations:\n"
        "  - {id: s, type: legacy_source, rows: {path: in.txt, format: text}}\n"
        "  - {id: o, type: sink, inputs: [s]}\n"
    )

    assert run_trial(document).sinks["o"].data == (("one",), ("two",))


AFTER_ANOTHER_CONTEXT = """
import sys

from pyspark import SparkConf, SparkContext

settings = {"spark.ui.enabled": "false", "spark.driver.extraJavaOptions": sys.argv[1]}
SparkContext(conf=SparkConf().setMaster("local[1]").setAll(settings.items())).stop()

import explorer

env = explorer.environment(parallelism=2)
numbers = env.legacy_source("s", rows={"sequence": {"from": 0, "to": 9}})
numbers.rebalance().map("m", select={"n": "n"}).sink("o")
print([one.records_in for one in explorer.run_trial(env.compile("1.20")).operators])
"""
"""The JVM is there already, and what it says goes to the terminal."""


def test_no_worker_prints_its_memory_in_the_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AFTER_ANOTHER_CONTEXT, java_options()],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout == "[0, 10, 10]\n", done.stderr
    assert "mem limits" not in done.stderr


def test_values_that_would_be_too_large_fail_and_leave_spark_as_it_was() -> None:
    values = [["x" * 4000]] * 3
    steps: list[dict[str, Any]] = [
        {"id": "s", "type": "source", "rows": {"values": values, "schema": "x STRING"}}
    ]
    for number in range(5):
        eight = {"x": f"concat({', '.join(['x'] * 8)})"}
        last = steps[-1]["id"]
        steps.append({"id": f"m{number}", "type": "map", "inputs": [last], "select": eight})
    steps.append({"id": "r", "type": "rebalance", "inputs": ["m4"]})
    steps.append({"id": "o", "type": "sink", "inputs": ["r"]})
    assert_usable()
    java = java_process()
    for _ in range(3):
        with pytest.raises(RowError, match="the row takes 16,384,000 bytes, and 8,388,608 are"):
            run_trial({"environment": {"parallelism": 3}, "transformations": steps})
        assert_usable()

    assert java_process() == java


def test_more_rows_than_fit_into_one_answer_are_one_sentence() -> None:
    document = numbers(209, first="n", second="n")
    longer = {"w": f"concat(n, '{'x' * 4000}')"}
    longest = {"w": f"concat({', '.join(['w'] * 500)})"}
    source, first, _, second, sink = document["transformations"]
    steps = [source, first | {"select": longer}, second | {"inputs": ["m"], "select": longest}]
    with pytest.raises(TrialError, match="keep fewer of them with a limit"):
        run_trial(document | {"transformations": [*steps, sink]}, limit=None)
    assert_usable()


def test_a_chain_of_hundreds_of_tasks_runs() -> None:
    tasks = 320
    chain: list[dict[str, Any]] = [{"id": "m0", "type": "legacy_source"}]
    chain += [{"id": f"m{n}", "type": "map", "inputs": [f"m{n - 1}"]} for n in range(1, tasks)]
    every = [one["id"] for one in chain]
    document = {
        "environment": {"chaining": False},
        "transformations": [
            *chain,
            {"id": "u", "type": "union", "inputs": every},
            {"id": "o", "type": "sink", "inputs": ["u"]},
        ],
    }
    report = run_trial(document, flink_version="1.20", limit=0)

    assert len(report.vertices) == tasks + 1
    assert [vertex.records_in for vertex in report.vertices][1:-1] == [1000] * (tasks - 1)
    assert report.sinks["o"].rows == 1000 * tasks
