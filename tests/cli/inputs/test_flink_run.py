"""The command line of ``flink run`` after ``plan --``."""

import argparse
import json
from pathlib import Path

import pytest

from explorer.cli.inputs.flink_run import apply_flink_run, is_flink_run, read_flink_run
from explorer.cli.main import main
from explorer.errors import ExplorerError
from explorer.flink.releases import VERSIONS
from tests.cli.inputs.ask_flink_run import LINES
from tests.golden_files import cases
from tests.many_cases import for_each
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
    assert run.configuration == (("a.b", "1"), ("c", "2"))
    assert run.notes == ("-yD: no effect without -m yarn-cluster, or with -t or -e.",)
    assert read_flink_run(["flink", "run", "-py", "job.py", "a"]).target == "job.py"


@for_each(
    ("line", "message"),
    [
        ("flink run", "names no jar"),
        ("flink run -p", "Missing argument for option: p"),
        ("flink run --unknown job.jar", "'--unknown' is no option of flink run"),
        ("flink run -yn 4 job.jar", "Flink 1.9 has it"),
        ("flink run -yjm2048 job.jar", "JAR file does not exist: -yjm2048"),
        ("flink run -ys=2 job.jar", "write its value as a word of its own: -ys VALUE"),
        ("flink run -pym module", "names a Python module"),
    ],
)
def test_a_line_that_flink_would_refuse_is_refused(line: str, message: str) -> None:
    with pytest.raises(ExplorerError, match=message):
        read_flink_run(line.split())


def spelled_run(words: tuple[str, ...], version: str) -> str:
    """What our reader makes of a line, as ``AskFlinkRun`` prints it; after ``!`` its refusal."""
    try:
        run = read_flink_run(["flink", "run", *words], version)
    except ExplorerError as error:
        return f"!{error}"
    parts = (run.target, run.main_class or "null", str(run.parallelism or -1))
    return "\t".join((*parts, run.savepoint or "null", str(run.allow_non_restored).lower()))


@pytest.mark.slow
def test_every_release_reads_the_same_lines() -> None:
    answers = {case["release"]: case["answers"] for case in cases("flink_run")}

    assert [*answers] == list(VERSIONS)
    for version, row in answers.items():
        for words, answer in zip(LINES, row, strict=True):
            ours, fields = spelled_run(words, version), answer.split("\t")
            if fields[0].startswith("!"):
                assert ours == answer or "-pym" in words, (version, words, answer)
            elif fields[0].startswith("-"):
                assert f"JAR file does not exist: {fields[0]}" in ours, (version, words, answer)
            elif fields[0] == "null":
                assert "names no jar" in ours, (version, words, answer)
            elif fields[0] != "python":
                assert ours.split("\t") == fields[:5], (version, words, answer)
                check_rest(words, version, fields)


def check_rest(words: tuple[str, ...], version: str, fields: list[str]) -> None:
    """Compare the arguments, the class path and the properties of ``-D``."""
    run = read_flink_run(["flink", "run", *words], version)
    jars = ", ".join(f"file:{jar}" for jar in run.classpath)
    properties = ", ".join(f"{key}={value}" for key, value in sorted(run.configuration))

    assert "\x01".join(run.args) == fields[8]
    assert f"[{jars}]" == fields[5]
    if not any(word.startswith("-y") for word in words):
        assert f"{{{properties}}}{{}}" == fields[6]


def test_options_of_yarn_size_the_containers() -> None:
    line = "flink run -m yarn-cluster -yjm 2048 -ytm 4g -ys 2 -yD a=1 -yn 3 job.jar"
    run = read_flink_run(line.split(), "1.9")

    assert dict(run.configuration) == {
        "a": "1",
        "jobmanager.memory.process.size": "2048m",
        "taskmanager.memory.process.size": "4g",
        "taskmanager.numberOfTaskSlots": "2",
    }
    assert run.notes[0].startswith("-yn: no effect")
    assert "yarn.scheduler.minimum-allocation-mb" in run.notes[1]


def test_the_commands_own_arguments_win() -> None:
    args = argparse.Namespace(
        new="own.jar",
        flink=None,
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
