"""A rehearsal reports what a real cluster did, and its operators show why."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.cli.main import main
from explorer.rehearsal import Rehearsal, RehearsalError, RehearsedOperator, rehearse
from tests.capture.flinks import lib
from tests.rehearsal.golden_cases import outcomes, rehearsed, unpacked

pytestmark = [pytest.mark.flink, pytest.mark.usefixtures("warm_java")]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked(tmp_path_factory.mktemp("rehearsals"))


def operator(found: Rehearsal, uid: str = "keep") -> RehearsedOperator:
    (one,) = [one for one in found.operators if one.uid == uid]
    return one


@pytest.mark.parametrize(
    ("name", "verdict", "state"),
    [
        ("pojo_field_type-1.20.5-hashmap-native", "refused", "v"),
        ("ttl_on-1.20.5-rocksdb-canonical", "refused", "v"),
        ("ttl_on-2.2.1-rocksdb-canonical", "restored", "v"),
    ],
)
def test_a_changed_state_type_is_answered_as_the_cluster_did(
    cases: Path, name: str, verdict: str, state: str
) -> None:
    found = rehearsed(cases, name)
    outcome = outcomes()[name]

    assert found.verdict == ("restored" if outcome["outcome"] == "restored" else "refused")
    assert operator(found).verdict == verdict
    assert {one.name: one.verdict for one in operator(found).states}[state] == verdict
    if outcome["exception"]:
        assert (operator(found).error or "").startswith(outcome["exception"])


def test_the_first_checkpoint_of_a_program_with_a_changelog_fails_unless_it_claims(
    cases: Path,
) -> None:
    options = {"state.changelog.enabled": "true", "execution.checkpointing.interval": "1s"}
    found = rehearsed(cases, "pojo_field_added-2.2.1-rocksdb-native", options)

    assert (found.verdict, operator(found).verdict) == ("refused", "refused")
    assert "does not support enforcing a full snapshot" in (operator(found).error or "")
    assert {one.name: one.verdict for one in operator(found).states}["v"] == "migrated"
    assert any("rocksdb and its changelog" in sentence for sentence in found.unchecked)


def test_a_changed_key_is_refused_with_flinks_own_sentence(cases: Path) -> None:
    found = rehearsed(cases, "key_string_long-2.2.1-rocksdb-canonical")

    assert found.verdict == "refused"
    assert found.error is None
    assert operator(found).verdict == "refused"
    assert "The new key serializer" in (operator(found).error or "")


def test_the_same_program_is_restored_and_the_savepoint_is_only_read(cases: Path) -> None:
    savepoint = cases / "same-1.20.5-hashmap-canonical" / "savepoint"
    before = {path: path.read_bytes() for path in savepoint.iterdir()}
    found = rehearsed(cases, "same-1.20.5-hashmap-canonical")

    assert (found.verdict, found.flink_version, found.backend) == ("restored", "1.20.5", "hashmap")
    assert {one.name: one.entries_read for one in operator(found).states}["v"] == 50
    assert [one.verdict for one in found.operators] == ["restored", "restored", "not_rehearsed"]
    assert any("'Source: Generated'" in sentence for sentence in found.unchecked)
    assert {path: path.read_bytes() for path in savepoint.iterdir()} == before


def test_restored_timers_do_not_fire(cases: Path, tmp_path: Path) -> None:
    found = rehearsed(cases, "union_side_timers-2.2.1-rocksdb-canonical", with_network=True)

    assert operator(found).verdict == "restored"
    timers = [one for one in operator(found).states if one.name.startswith("_timer_state/")]
    assert len(timers) == 2
    assert not Path("/var/flink/sp/fired").exists()


def test_a_program_that_cannot_open_leaves_the_verdict_on_its_state_open(cases: Path) -> None:
    found = rehearsed(cases, "open_fails-2.2.1-hashmap-canonical")

    assert operator(found).verdict == "could_not_open"
    assert (operator(found).error or "").startswith("java.net.ConnectException")
    assert any("Nothing is known of the state of 'Keep'" in one for one in found.unchecked)


def test_a_state_that_is_not_asked_for_leaves_the_shell_with_3(
    cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = cases / "state_renamed-1.20.5-rocksdb-native"
    options = ["--json", "--flink-lib", lib("1.20.5"), "--config", "state.backend.type=rocksdb"]
    command = ["rehearse", *options, case / "savepoint", case / "new.jar"]

    assert main([*map(str, command)]) == 3
    found = json.loads(capsys.readouterr().out)
    (keep,) = [one for one in found["operators"] if one["uid"] == "keep"]
    assert (found["verdict"], keep["verdict"]) == ("incomplete", "not_asked_for")
    assert [one["name"] for one in keep["states"] if one["verdict"] == "not_asked_for"] == ["v"]
    assert len(keep["new_states"]) == 1


WITHOUT_NAMESPACES = """
import sys
from pathlib import Path
for kind in ("mnt", "user"):
    Path(f"/proc/sys/user/max_{kind}_namespaces").write_text("0")
from explorer.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def test_without_namespaces_the_shell_asks_for_with_network(cases: Path) -> None:
    case = cases / "same-1.20.5-hashmap-canonical"
    alone: list[str | Path] = [
        "unshare",
        "--user",
        "--map-root-user",
        sys.executable,
        "-c",
        WITHOUT_NAMESPACES,
    ]
    asked: list[str | Path] = ["rehearse", "--flink-lib", lib("1.20.5")]
    asked += [case / "savepoint", case / "new.jar"]
    done = subprocess.run([*alone, *asked], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stdout == ""
    assert "this machine cannot keep the program from the network" in done.stderr
    assert "add --with-network to run the program unconfined" in done.stderr


def test_a_savepoint_without_its_files_has_missing_data(cases: Path) -> None:
    name = "same-1.20.5-hashmap-files"
    for file in (cases / name / "savepoint").iterdir():
        if file.name != "_metadata":
            file.unlink()
    found = rehearsed(cases, name)

    assert (found.verdict, operator(found).verdict) == ("refused", "data_missing")
    assert "is not there" in (operator(found).error or "")


def test_a_program_without_a_job_is_one_sentence(cases: Path, tmp_path: Path) -> None:
    script = tmp_path / "empty.sql"
    script.write_text("SELECT 1 +;")
    savepoint = cases / "same-1.20.5-hashmap-canonical" / "savepoint"

    with pytest.raises(RehearsalError, match="statement 1 in line 1"):
        rehearse(savepoint, script, flink_lib=lib("1.20.5"))
