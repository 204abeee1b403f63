"""The command line of ``flink run`` after ``plan --``."""

import argparse
import json
from pathlib import Path

import pytest

from explorer.cli.inputs.flink_run import apply_flink_run, is_flink_run, read_flink_run
from explorer.cli.main import main
from explorer.errors import ExplorerError
from tests.plans.plans import COUNT, program

LINE = """/opt/flink/bin/flink run-application -d -t kubernetes-application -m host:8081
-c org.example.Job -p 4 -s file:///sp -n -C file:///lib.jar -Da.b=1 -D c=2 -yD d=3
-rm CLAIM job.jar --topic -p x"""


def test_a_line_of_a_deploy_script_is_read() -> None:
    words = LINE.split()
    run = read_flink_run(words)

    assert is_flink_run(words)
    assert (run.target, run.args) == ("job.jar", ("--topic", "-p", "x"))
    assert (run.main_class, run.parallelism) == ("org.example.Job", 4)
    assert (run.savepoint, run.allow_non_restored) == ("file:///sp", True)
    assert run.classpath == ("/lib.jar",)
    assert run.configuration == (("a.b", "1"), ("c", "2"), ("d", "3"))
    assert read_flink_run(["flink", "run", "-py", "job.py", "a"]).target == "job.py"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("flink run", "names no jar"),
        ("flink run -p", "the flag -p of flink run needs a value"),
        ("flink run -p many job.jar", "'many' is no parallelism"),
        ("flink run -D a job.jar", "'a' is no option"),
        ("flink run --unknown job.jar", "'--unknown' is no flag of flink run"),
    ],
)
def test_a_line_that_flink_would_refuse_is_refused(line: str, message: str) -> None:
    with pytest.raises(ExplorerError, match=message):
        read_flink_run(line.split())


def test_the_commands_own_arguments_win() -> None:
    args = argparse.Namespace(
        new="own.jar",
        passed_on=["flink", "run", "-p", "4", "-Da=1", "job.jar", "x"],
        main_class=None,
        parallelism=2,
        savepoint=None,
        allow_non_restored=False,
        classpath=[],
        config=[("a", "2")],
    )
    apply_flink_run(args)

    assert (args.new, args.parallelism, args.passed_on) == ("own.jar", 2, ["x"])
    assert dict(args.config) == {"a": "2"}


def test_a_plan_without_new_is_no_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan"]) == 2
    assert "name NEW" in capsys.readouterr().err


def test_a_jar_of_the_image_is_an_artifact(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["plan", "--", "flink", "run-application", "local:///opt/flink/usrlib/job.jar"]

    assert main(line) == 1
    assert "give its path with --artifact local:///opt/flink/usrlib/job.jar=PATH" in (
        capsys.readouterr().err
    )
    assert main([*line[:1], "--artifacts", "nowhere", *line[1:]]) == 1
    assert "there is no file job.jar in the folder nowhere" in capsys.readouterr().err


def test_a_file_that_is_no_savepoint_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document, other = tmp_path / "job.json", tmp_path / "notes.txt"
    document.write_text(json.dumps(program(COUNT)))
    other.write_text("no savepoint")

    assert main(["plan", str(document), "--savepoint", str(other)]) == 1
    assert f"{other} is no savepoint: give its folder" in capsys.readouterr().err
