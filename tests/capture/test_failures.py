"""What keeps a program from its job is one sentence: its own exception, and what to do."""

import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest

import explorer
from explorer.capture import CaptureError, capture
from tests.capture.flinks import PROGRAMS, differences, jar, lib, script, zipped
from tests.engine.on_spark import java_options

VERSION = "1.20.5"


@pytest.fixture(scope="module")
def fails(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that fails in the requested way, without a class that it needs."""
    made = jar("Fails", VERSION, tmp_path_factory.mktemp("fails"))
    return zipped(made.with_suffix(""), made, "Main-Class: Fails\n", without="Fails$Helper")


def complaint(program: Path | str, *args: str, timeout: float = 60, version: str = VERSION) -> str:
    with pytest.raises(CaptureError) as raised:
        explorer.capture(program, args, flink_lib=lib(version), timeout=timeout)
    return str(raised.value)


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        (
            "throws",
            "the program failed before it called execute() with "
            "java.lang.IllegalStateException: no input was named (at Fails.main(Fails.java:26)); "
            "fix the program, or give it the arguments it needs after --",
        ),
        (
            "exits",
            "the program ended its Java virtual machine with exit code 3 before it called "
            "execute(), as System.exit does; the last that it printed is 'usage: Fails WAY': fix "
            "it, or give it the arguments it needs after --",
        ),
        (
            "connects",
            "the program failed before it called execute() with java.net.ConnectException: "
            "Connection refused (at Fails.main(Fails.java:46)); fix the program, or give it the "
            "arguments it needs after --; the program runs in a sandbox, which may be the cause: "
            "--with-network lets it reach the network",
        ),
        (
            "lacks",
            "the program failed before it called execute() with java.lang.NoClassDefFoundError: "
            "Fails$Helper (at Fails.main(Fails.java:49)); add the jar that has this class with "
            "--classpath JAR",
        ),
        (
            "twice",
            "Flink 1.20.5 refuses the program with java.lang.IllegalArgumentException: Hash "
            'collision on user-specified ID "same". Most likely cause is a non-unique ID. Please '
            "check that all IDs specified via `uid(String)` are unique.; fix the program",
        ),
        (
            "local",
            "the program failed before it called execute() with org.apache.flink.api.common."
            "InvalidProgramException: The LocalStreamEnvironment cannot be used when submitting a "
            "program through a client, or running in a TestEnvironment context. (at "
            "Fails.main(Fails.java:66)); use StreamExecutionEnvironment.getExecutionEnvironment(), "
            "which runs the job on whatever cluster the program is submitted to, and here records "
            "it",
        ),
        (
            "nothing",
            "the program ended without a job: it did not call execute() on its environment, or it "
            "needs other arguments, which go after --",
        ),
    ],
)
def test_a_program_without_a_job(fails: Path, way: str, sentence: str) -> None:
    assert complaint(fails, way) == sentence


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_refusal_that_the_program_catches_is_not_lost(fails: Path) -> None:
    (document,) = explorer.capture(fails, ["catches"], flink_lib=lib(VERSION))

    assert document["name"] == "second"
    (warning,) = document["warnings"]
    assert warning.startswith("Flink 1.20.5 refuses the program with java.lang.IllegalArgument")


@pytest.mark.flink
def test_a_program_that_waits_is_stopped(fails: Path) -> None:
    assert complaint(fails, "waits", timeout=5) == (
        "the program was stopped after 5 s, before it called execute(): it waits for something, or "
        "needs more time, which --timeout SECONDS gives"
    )


@pytest.mark.flink
def test_flink_1_9_submits_when_main_has_returned_and_not_before(tmp_path: Path) -> None:
    assert complaint(jar("Fails", "1.9.3", tmp_path), "exits later", version="1.9.3") == (
        "the program ended its Java virtual machine with exit code 0 before its main() returned, "
        "which is when Flink 1.9.3 submits, as System.exit does: fix it, or give it the arguments "
        "it needs after --"
    )


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
@pytest.mark.parametrize(
    ("way", "warning"),
    [
        (
            "throws later",
            "the program failed after its job 1 with java.lang.IllegalStateException: no rows (at "
            "Fails.main(Fails.java:29)); fix the program, or give it the arguments it needs "
            "after --; the jobs before it were recorded and not run, so that rows "
            "(executeAndCollect) and accumulators are empty: jobs that the program makes of them, "
            "or executes after this failure, are not captured",
        ),
        ("exits later", None),
    ],
)
def test_a_failure_after_a_job_is_a_warning_of_its_document(
    fails: Path, way: str, warning: str | None
) -> None:
    (document,) = explorer.capture(fails, [way], flink_lib=lib(VERSION))

    assert document.get("warnings") == (None if warning is None else [warning])
    assert differences(document) == ()


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_jar_for_another_release_is_reported(tmp_path: Path) -> None:
    reported = complaint(jar("Loop", VERSION, tmp_path), version="2.2.1")

    assert reported.startswith(
        "the program failed before it called execute() with java.lang.NoSuchMethodError: "
    )
    remedy = "; the jar was made for another release than Flink 2.2.1: name it with --flink R ("
    assert remedy in reported
    assert "flink list" in reported.partition(remedy)[2]


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_data_set_program_of_the_oldest_release_is_captured(tmp_path: Path) -> None:
    (document,) = explorer.capture(jar("Sets", "1.9.3", tmp_path), flink_lib=lib("1.9.3"))

    plan = document["data_set"]
    assert document["name"] == "sets"
    assert [node["pact"] for node in plan["nodes"]] == ["Data Source", "Data Sink"]
    assert [task["strategy"] for task in plan["tasks"]] == ["NONE", "NONE"]


@pytest.mark.flink
def test_a_main_class_that_is_spelled_wrongly_names_the_nearest(fails: Path) -> None:
    with pytest.raises(CaptureError, match=r"has no class 'Fail'; did you mean 'Fails'\?"):
        explorer.capture(fails, main_class="Fail", flink_lib=lib(VERSION))


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_rows_that_a_program_reads_are_empty_and_its_next_job_is_captured(tmp_path: Path) -> None:
    first, second = explorer.capture(
        jar("Reads", VERSION, tmp_path), ["rows"], flink_lib=lib(VERSION)
    )

    (warning,) = first["warnings"]
    assert warning.startswith("the program reads the rows of this job, which are empty here")
    assert second["name"] == "after 0"


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_accumulators_have_their_initial_values_and_the_next_job_is_captured(
    tmp_path: Path,
) -> None:
    first, second = explorer.capture(
        jar("Reads", VERSION, tmp_path), ["counted"], flink_lib=lib(VERSION)
    )

    (warning,) = first["warnings"]
    assert warning.startswith(
        "accumulators of this job ('records', 'large' and 'odd') have their initial values here"
    )
    assert second["name"] == "after 000"


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_calls_that_would_execute_jobs_after_a_failure_are_named(tmp_path: Path) -> None:
    (document,) = explorer.capture(
        jar("Reads", VERSION, tmp_path), ["first row"], flink_lib=lib(VERSION)
    )

    (_, failure) = document["warnings"]
    assert "IndexOutOfBoundsException" in failure
    assert "are not captured; calls that execute jobs below it, in any branch: execute() at" in (
        failure
    )


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_data_set_program_counts_and_collects_no_rows(tmp_path: Path) -> None:
    found = explorer.capture(jar("Counts", VERSION, tmp_path), flink_lib=lib(VERSION))

    assert [one["name"] for one in found][-1] == "after 0 and 0"
    for one in found[:2]:
        assert one["warnings"][0].startswith("the program reads the rows of this job")


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_the_clusters_batch_recovery_selects_the_clients_graph(tmp_path: Path) -> None:
    options = {"execution.runtime-mode": "BATCH", "execution.batch.job-recovery.enabled": True}
    (document,) = explorer.capture(
        jar("Batches", "2.2.1", tmp_path),
        ["connect"],
        flink_lib=lib("2.2.1"),
        configuration=options,
    )

    assert document["stream_graph"]["settings"]["batch_job_recovery"]
    assert not explorer.compile_graph(document).is_adaptive


def test_a_missing_file_is_reported_before_anything_starts(tmp_path: Path) -> None:
    empty = tmp_path / "lib"
    empty.mkdir()
    program = PROGRAMS / "auction.sql"
    for given, word in (
        ({"target": tmp_path / "no.jar"}, "there is no "),
        ({"target": tmp_path / "text"}, "the kind of "),
        ({"target": program, "flink_lib": tmp_path / "no"}, "there is no folder "),
        ({"target": program, "flink_lib": empty}, "has no flink-dist jar"),
        ({"target": program, "args": ["x"]}, "a SQL script takes no arguments"),
        ({"target": script(tmp_path), "python": "no-python"}, "there is no interpreter "),
        ({"target": program, "classpath": ["no.jar"]}, "there is no 'no.jar'"),
    ):
        with pytest.raises(CaptureError, match=word):
            explorer.capture(**given)


def test_a_capture_is_called_with_the_arguments_of_the_contract() -> None:
    asked = signature(capture).parameters

    assert {name: one.default for name, one in asked.items() if name != "target"} == {
        "args": (),
        "flink_lib": None,
        "main_class": None,
        "classpath": (),
        "parallelism": None,
        "configuration": {},
        "python": None,
        "timeout": 60,
        "allow_ddl": False,
        "with_network": False,
        "without_sandbox": False,
        "allow_read": (),
    }
    assert [name for name, one in asked.items() if one.kind is not one.KEYWORD_ONLY] == [
        "target",
        "args",
    ]


BESIDE_SPARK = """
import sys
from pyspark.sql import SparkSession
import explorer
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
spark = builder.config("spark.driver.extraJavaOptions", sys.argv[3]).getOrCreate()
# Objects of Spark's JVM, by whose numbers PySpark would look those of another JVM up.
held = [spark._jvm.java.util.ArrayList() for _ in range(500)]
(document,) = explorer.capture(sys.argv[1], ["throws later"], flink_lib=sys.argv[2])
print(*document["warnings"])
"""


@pytest.mark.flink
@pytest.mark.spark
def test_a_process_with_a_spark_session_names_the_fault_too(fails: Path) -> None:
    command = [sys.executable, "-c", BESIDE_SPARK, str(fails), str(lib(VERSION)), java_options()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert "IllegalStateException: no rows" in done.stdout, done.stderr[-2000:]
