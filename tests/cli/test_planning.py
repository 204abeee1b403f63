"""The command ``plan``: from files to a verdict and an exit code."""

import json
from pathlib import Path
from typing import Any

import pytest

import explorer
from explorer.capture import cached
from explorer.cli.main import main
from explorer.cli.planning import FORMATS
from tests.capture.flinks import lib
from tests.plans.plans import COUNT, FILTERED, program
from tests.rehearsal.golden_cases import unpacked

SCRIPT = """
CREATE TABLE clicks (user_id BIGINT, cost BIGINT) WITH ('connector' = 'datagen');
CREATE TABLE counts (user_id BIGINT, n BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO counts SELECT user_id, SUM(cost) FROM clicks GROUP BY user_id;
"""
RECORD = '{"operator": "keep", "record": 7}\n'


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """An old program and a new one, in which the ID of a stateful operator moves."""
    names = tmp_path / "old.json", tmp_path / "new.json"
    for name, transformations in zip(names, (COUNT, FILTERED), strict=True):
        name.write_text(json.dumps(program(transformations)))
    return str(names[0]), str(names[1])


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_prints_the_plan(
    form: str, files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = files

    assert main(["plan", new, "--from", old, "--format", form]) == 1
    printed = capsys.readouterr()
    assert "count" in printed.out
    assert printed.err == ""


def test_exit_codes_are_those_of_the_contract(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = files

    renamed = Path(old).with_name("renamed.json")
    renamed.write_text(json.dumps({**json.loads(Path(old).read_text()), "name": "renamed"}))

    assert main(["plan", old, "--from", old]) == 0
    assert main(["plan", str(renamed), "--from", old]) == 3
    assert main(["plan", str(renamed), "--from", old, "--accept-unchecked"]) == 0
    assert main(["plan", new, "--from", old]) == 1
    assert main(["plan", new]) == 0
    capsys.readouterr()
    assert main(["plan", "missing.yaml"]) == 1
    assert capsys.readouterr().err.startswith("error: ")
    assert main(["plan", new, "--flink", "9.9"]) == 1
    assert "9.9" in capsys.readouterr().err
    assert main(["plan", new, "--savepoint", old]) == 1
    assert "is no savepoint" in capsys.readouterr().err


def test_a_match_and_a_dropped_state_can_be_asked_for(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = files

    assert main(["plan", new, "--from", old, "--match", "count=count"]) == 1
    assert main(["plan", new, "--from", old, "--match", "count=nothing"]) == 1
    assert "nothing" in capsys.readouterr().err
    assert main(["plan", new, "--from", old, "--allow-non-restored"]) in {0, 3}


def test_the_library_gives_the_record_that_the_command_prints(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = files
    main(["plan", new, "--from", old, "--format", "json"])
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)

    assert explorer.plan(new, old=old).to_dict() == printed
    values = json.loads(Path(new).read_text())
    assert explorer.plan(values, old=old).verdict == printed["verdict"]


@pytest.mark.parametrize("use", [["--only-open"], ["--records", "records.jsonl"]])
def test_options_of_a_rehearsal_need_a_rehearsal(
    use: list[str], files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", files[1], *use]) == 2
    assert "add --rehearse" in capsys.readouterr().err


@pytest.fixture
def captures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache of captures."""
    monkeypatch.setattr(cached, "cache_folder", lambda: tmp_path / "cache" / "flink")


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
@pytest.mark.usefixtures("captures")
def test_a_jar_and_a_savepoint_lead_to_the_clusters_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cluster refused ``pojo_field_type`` and restored the unchanged program."""
    folder = unpacked(tmp_path)
    records = tmp_path / "records.jsonl"
    records.write_text(RECORD)
    monkeypatch.setenv("FLINK_HOME", str(lib("1.20.5").parent))
    for name, code, use, sentence in (
        ("pojo_field_type-1.20.5-hashmap-native", 1, ["--only-open"], "--only-open leaves it out"),
        ("same-1.20.5-hashmap-canonical", 0, ["--records", str(records)], "with 1 record"),
    ):
        case = folder / name
        asked = [str(case / "new.jar"), "--savepoint", str(case / "savepoint"), "--rehearse"]

        assert main(["plan", *asked, *use, "--format", "json"]) == code
        found = json.loads(capsys.readouterr().out)
        assert any(sentence in one for one in found["unchecked"])
        assert found["new"]["release"] == "1.20"
        assert found["old"]["state_bytes"] > 0
        assert (found["verdict"] == "do_not_deploy") == (code == 1)


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
@pytest.mark.usefixtures("captures")
def test_a_changed_query_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old.sql", tmp_path / "new.sql"
    old.write_text(SCRIPT)
    new.write_text(SCRIPT.replace("SUM(cost) FROM", "SUM(cost) + MAX(cost) FROM"))
    monkeypatch.setenv("FLINK_HOME", str(lib("2.2.1").parent))

    assert main(["plan", str(new), "--from", str(old), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    refused = [one for one in found["sections"]["state"]["changes"] if one["severity"] == "error"]
    assert any("GroupAggregate" in one["subject"] for one in refused)
