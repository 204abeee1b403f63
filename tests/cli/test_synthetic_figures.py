"""``trial --synthetic`` and ``--like``: figures of the operators without known functions."""

import json
from pathlib import Path
from typing import Any

import pytest

from explorer.cli.main import main
from explorer.documents import samples
from tests.golden_files import cases
from tests.many_cases import for_each

SAMPLE = next(each.path for each in samples() if each.key == "17-late-flights-captured")
RECORDED: dict[str, Any] = next(case for case in cases("running_jobs") if case["flink"] == "1.20.5")


@pytest.mark.spark
def test_from_the_shell_a_trial_runs_like_a_job(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, job = tmp_path / "program.json", tmp_path / "job.json"
    program.write_text(json.dumps(RECORDED["captured"]))
    job.write_text(json.dumps(RECORDED["running"]))
    typed = ["--synthetic", "Source: Sequence Source:records=100"]
    assert main(["trial", str(program), "--like", str(job), *typed, "--json"]) == 0
    printed = capsys.readouterr()
    counted = {one["name"]: one for one in json.loads(printed.out)["operators"]}

    assert counted["slow -> down, (twice)"]["records_in"] == 100
    assert counted["Filter"]["records_out"] == 0
    assert counted["Source: Sequence Source"]["busy_ms"] > 100
    assert printed.err.count("synthetic operators run in their place") == 1


@for_each(
    ("options", "words"),
    [
        (["--like", str(samples()[0].path)], "is no running job: give what capture"),
        (["--like", str(SAMPLE)], "is no running job: give what capture http://HOST:8081/jobs/ID"),
        (["--synthetic", "nobody:cost=1"], "there is no operator 'nobody'; the operators are 1 "),
        (["--synthetic", "2:speed=1"], "synthetic has no field 'speed'; choose records, "),
        (["--synthetic", "1:records=0.5"], "records: must be a whole number"),
    ],
)
def test_figures_that_cannot_be_are_refused_before_anything_runs(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trial", str(SAMPLE), *options]) == 1
    assert words in capsys.readouterr().err


@for_each(
    "text",
    ["2", "2:", "2:cost", "2:cost=x", "2:cost=inf", ":cost=1", f"2:records={'9' * 400}"],
)
def test_figures_that_are_none_are_a_mistake_of_usage(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["trial", str(SAMPLE), "--synthetic", text])

    assert ended.value.code == 2
    assert "gives no figures: write them as in 4:records_out=1.5,cost=3" in capsys.readouterr().err


def test_a_pipeline_accepts_no_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trial", str(samples()[0].path), "--synthetic", "1:cost=3"]) == 1
    assert "are for a StreamGraph document" in capsys.readouterr().err


def test_a_job_of_another_program_shows_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job = tmp_path / "job.json"
    job.write_text(json.dumps(RECORDED["running"]))

    assert main(["trial", str(SAMPLE), "--like", str(job)]) == 1
    assert (
        "shows nothing of this program: no task with figures has an ID" in capsys.readouterr().err
    )
