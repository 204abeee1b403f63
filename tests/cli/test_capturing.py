"""``capture``: which jobs are written where, and what is said of them."""

import json
import socket
from pathlib import Path

import pytest

from explorer.cli.main import main
from tests.capture.flinks import jar, lib
from tests.many_cases import for_each

VERSION = "1.20.5"
EQUAL = f"equal to what your Flink {VERSION} makes of this program\n"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return jar("Fails", VERSION, tmp_path_factory.mktemp("capturing"))


def capture(program: Path, *options: str) -> int:
    return main(["capture", str(program), "--flink-lib", str(lib(VERSION)), *options])


def without_progress(err: str) -> str:
    """Standard error without the line that a capture of more than a second prints."""
    lines = err.splitlines(keepends=True)
    return "".join(line for line in lines if not line.endswith("up to its jobs ...\n"))


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_of_several_jobs_one_is_picked_or_all_are_written(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert capture(program, "--", "several") == 1
    assert without_progress(capsys.readouterr().err) == (
        "error: the program has 2 jobs: 1 'first' and 2 'second'; pick one with --job NAME or "
        "--job NUMBER, or write all with --out DIR\n"
    )

    assert capture(program, "--job", "second", "--", "several") == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["name"] == "second"
    assert without_progress(printed.err) == EQUAL

    assert capture(program, "--out", str(tmp_path / "jobs"), "--", "several") == 0
    assert without_progress(capsys.readouterr().err) == EQUAL * 2
    files = sorted((tmp_path / "jobs").iterdir())
    assert [file.name for file in files] == ["first.json", "second.json"]

    assert main(["compile", str(files[0])]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["equals_flink"] is True
    assert printed.err == EQUAL


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_job_that_there_is_not_is_reported_with_those_there_are(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert capture(program, "--job", "third", "--", "several") == 1
    assert without_progress(capsys.readouterr().err) == (
        "error: there is no job 'third'; the jobs are 1 'first' and 2 'second': give a name or a "
        "number\n"
    )


@for_each(
    ("options", "word"),
    [
        (["--config", "parallelism.default"], "is no option: write KEY=VALUE"),
        (["--parallelism", "0"], "is no parallelism: it is a whole number from 1 on"),
        (["--timeout", "-1"], "is no time: it is a number of seconds above 0"),
        (["extra"], "unrecognized arguments: extra"),
    ],
)
def test_a_command_that_cannot_be_is_a_mistake_of_usage(
    options: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["capture", "program.jar", *options])

    assert ended.value.code == 2
    assert word in capsys.readouterr().err


def test_arguments_after_two_dashes_are_the_programs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["capture", "no.sql", "--", "--parallelism", "0"]) == 1
    assert capsys.readouterr().err.startswith("error: a SQL script takes no arguments")


def test_a_release_is_not_chosen_for_a_running_job(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["capture", "http://127.0.0.1:1/jobs/1", "--flink", "1.20"]) == 2
    assert capsys.readouterr().err == (
        "error: --flink has no effect here: a running job has the release of its cluster\n"
    )


def test_an_abbreviated_option_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["capture", "job.sql", "--flink-l", "lib"])
    assert "unrecognized arguments: --flink-l lib" in capsys.readouterr().err


def test_a_cluster_that_answers_late_is_no_program_that_starts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        job = f"http://127.0.0.1:{silent.getsockname()[1]}/jobs/{'0' * 32}"
        assert main(["capture", job, "--timeout", "1.5"]) == 1

    progress, error = capsys.readouterr().err.splitlines()
    assert progress == f"'{job}': its cluster is asked ..."
    assert error.startswith("error: ")
