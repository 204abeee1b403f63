"""``lesson``: listed, printed, asked; and what ``check`` says of one."""

import io
import json
from pathlib import Path

import pytest

from explorer.cli.main import main
from explorer.documents import samples

A_TO_E = next(one.path for one in samples() if one.key == "02-a-to-e")
LESSON = A_TO_E.with_name("02-a-to-e.lesson.yaml")


def test_the_lessons_are_listed_in_the_order_of_the_course(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lesson"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["Chains", "   1. Five operators, two tasks  (02-a-to-e.yaml)"]
    assert main(["lesson", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(samples())


def test_a_lesson_is_printed_with_its_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", str(A_TO_E)]) == 0
    text = capsys.readouterr().out
    assert "Will C and D chain?" in text
    assert "Answer: They do not chain" in text
    assert main(["lesson", str(LESSON), "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert steps[2]["answer"]["right"] == ["no"]


def test_a_lesson_is_asked_and_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\n1\n2\n1\nnine\n"))

    assert main(["lesson", str(LESSON), "--ask"]) == 0
    text = capsys.readouterr().out
    assert "Not quite: They do not chain." in text
    assert text.rstrip().endswith("4 of 6 right.")


def test_check_reads_lessons_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(LESSON)]) == 0
    (tmp_path / "a.yaml").write_text(A_TO_E.read_text())
    bad = tmp_path / "a.lesson.yaml"
    bad.write_text(LESSON.read_text().replace("[C -> D]", "[C -> Z]"))
    capsys.readouterr()
    assert main(["check", str(bad)]) == 1
    assert (
        "a.lesson.yaml:15: error DC01: steps[2].look[0]: there is no operator 'Z'"
        in capsys.readouterr().out
    )
    assert main(["lesson", str(bad)]) == 1
    assert "steps[2].look[0]" in capsys.readouterr().err
