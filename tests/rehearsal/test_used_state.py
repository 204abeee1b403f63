"""Restored state that is used: a rehearsal against what a cluster did with the same programs."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from explorer.rehearsal import Rehearsal, RehearsalError, RehearsedOperator, rehearse
from tests.archives import unpack
from tests.capture.flinks import jar_of, lib
from tests.patience import PATIENCE
from tests.rehearsal.ask_used import ARCHIVE, VERSION, source

pytestmark = [pytest.mark.flink, pytest.mark.usefixtures("warm_java")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("used")
    unpack(ARCHIVE, made)
    return made / "used_state"


def outcome(folder: Path, name: str) -> str:
    (found,) = [
        one for one in json.loads((folder / "cases.json").read_text()) if one["name"] == name
    ]
    return str(found["outcome"])


def rehearsed(folder: Path, name: str, **options: Any) -> Rehearsal:
    return rehearse(
        folder / name / "savepoint",
        folder / name / "new.jar",
        flink_lib=lib(VERSION),
        configuration={"state.backend.type": "hashmap"},
        timeout=PATIENCE,
        **options,
    )


def operator(found: Rehearsal, uid: str = "keep") -> RehearsedOperator:
    (one,) = [one for one in found.operators if one.uid == uid]
    return one


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("timer_asks_other_type", "StateMigrationException"),
        ("record_asks_other_type", "StateMigrationException"),
        ("kryo_content", "ClassCastException"),
        ("cep_stage_removed", "State b does not exist in the NFA"),
    ],
)
def test_a_failure_after_opening_is_refused_as_the_cluster_fails(
    folder: Path, name: str, error: str
) -> None:
    found = rehearsed(folder, name)

    assert outcome(folder, name) == "failed"
    assert (found.verdict, operator(found).verdict) == ("refused", "refused")
    assert error in (operator(found).error or "")


def test_a_renamed_variable_of_match_recognize_is_refused_as_the_cluster_fails(
    folder: Path,
) -> None:
    name = "match_variable_renamed"
    found = rehearse(folder / name / "savepoint", folder / name / "new.sql", flink_lib=lib(VERSION))
    (match,) = [one for one in found.operators if one.verdict == "refused"]

    assert (outcome(folder, name), found.verdict) == ("failed", "refused")
    assert "'B' and 'B:0', which the new pattern does not have" in (match.error or "")


@pytest.mark.parametrize("name", ["timer_asks_same_type", "pojo_with_kryo"])
def test_state_that_can_be_used_is_restored(folder: Path, name: str) -> None:
    found = rehearsed(folder, name)

    assert outcome(folder, name) == "restored"
    assert (found.verdict, operator(found).verdict) == ("restored", "restored")
    assert operator(found).checkpoint
    assert operator(found).records + operator(found).timers >= 20
    assert {one.name: one.keys for one in operator(found).states}["v"] == 20


@pytest.mark.parametrize("name", ["text_that_is_parsed", "records_in_order", "writes_a_file"])
def test_a_made_up_record_or_the_sandbox_never_refuses(folder: Path, name: str) -> None:
    found = rehearsed(folder, name)

    assert outcome(folder, name) == "restored"
    assert found.verdict != "refused"
    assert not Path("/var/tmp/used-state.txt").exists()  # noqa: S108 - where the program writes


def test_a_changelogs_checkpoint_is_restored_without_a_changelog(folder: Path) -> None:
    found = rehearsed(folder, "changelog_checkpoint")

    assert outcome(folder, "changelog_checkpoint") == "restored"
    assert (found.verdict, operator(found).verdict) == ("restored", "restored")
    assert {one.name: one.keys for one in operator(found).states} == {"v": 50}
    assert operator(found).checkpoint


def test_the_state_of_a_source_is_opened(folder: Path) -> None:
    retyped = rehearsed(folder, "source_position_retyped")

    assert outcome(folder, "source_position_retyped") == "failed"
    assert operator(retyped, "numbers").verdict == "refused"
    assert "StateMigrationException" in (operator(retyped, "numbers").error or "")


def test_windows_that_never_come_out_are_opened_and_not_used(folder: Path) -> None:
    found = rehearsed(folder, "tumbling_to_session")

    assert (found.verdict, operator(found).verdict) == ("incomplete", "opened_not_used")
    assert "of 2 saved windows did not come out" in (operator(found).error or "")


def test_keys_that_the_new_task_does_not_find_are_counted(folder: Path, tmp_path: Path) -> None:
    """The new operator brings 256 key groups, since its ID is the last of the task's hash map."""
    program = source({}).replace("setParallelism(1)", "setParallelism(90)")
    added = '.name("Keep").map(v -> v).returns(String.class).uid("n2")'
    (tmp_path / "Program.java").write_text(program.replace('.name("Keep")', added))
    found = rehearse(
        folder / "source_same" / "savepoint",
        jar_of(tmp_path / "Program.java", VERSION, tmp_path),
        flink_lib=lib(VERSION),
        configuration={"state.backend.type": "rocksdb"},
    )
    keys = {one.name: (one.keys, one.keys_found) for one in operator(found).states}

    assert (found.verdict, found.error, keys["v"]) == ("refused", None, (20, 0))
    assert operator(found).error == (
        "256 key groups read state saved with 128: 0 of 20 keys of 'v' are found"
    )


def test_only_open_uses_nothing(folder: Path) -> None:
    found = rehearsed(folder, "kryo_content", only_open=True)

    assert (found.verdict, operator(found).verdict) == ("incomplete", "opened_not_used")
    assert operator(found).records == 0
    assert any("--only-open" in sentence for sentence in found.unchecked)


def test_given_records_are_processed(folder: Path, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_text('{"operator": "keep", "record": "u3,5"}\n')
    command: list[str | Path] = [sys.executable, "-m", "explorer", "rehearse", "--json"]
    command += ["--records", records, "--config", "state.changelog.enabled=true"]
    case = folder / "text_that_is_parsed"
    target: list[str | Path] = ["--flink-lib", lib(VERSION), case / "savepoint", case / "new.jar"]
    done = subprocess.run([*command, *target], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    (keep,) = [one for one in answer["operators"] if one["uid"] == "keep"]
    assert (keep["verdict"], keep["records"], keep["checkpoint"]) == ("restored", 1, True)
    assert any("hashmap and its changelog" in sentence for sentence in answer["unchecked"])


def test_a_record_of_an_unknown_operator_is_named(folder: Path, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_text('{"operator": "kept", "record": 1}\n')

    with pytest.raises(RehearsalError, match=r"names the operator 'kept'.*'keep'"):
        rehearsed(folder, "source_same", records=records)
