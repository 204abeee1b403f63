"""Savepoints of real clusters: what Flink reads in them, and what it says of a restore."""

import base64
import struct
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import ExplorerError, Restore, check_restore, load_document, load_savepoint
from explorer.analysis.saved_state import origins
from explorer.savepoints import Savepoint, SavepointError
from explorer.savepoints.data_input import DataInput, modified_utf8
from explorer.savepoints.loading import MAX_METADATA, MOST_OPERATORS
from tests.golden_files import cases

MAGIC = 0x4960672D
JAVA_OBJECT = b"\xac\xed\x00\x05"
"""Behind the operators stands a Java object, which is not read."""


@cache
def restores() -> tuple[dict[str, Any], ...]:
    return tuple(cases("restores"))


def metadata(outcome: dict[str, Any]) -> bytes:
    return base64.b64decode(outcome["metadata"])


def saved() -> bytes:
    return metadata(restores()[0]["flink"][0])


def outcome_of(case: dict[str, Any], version: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in case["flink"] if one["version"] == version)
    return found


def restored(case: dict[str, Any], version: str, *, allow: bool) -> Restore:
    content = metadata(outcome_of(case, version))
    return check_restore(content, case["new"], flink_version=version, allow_non_restored=allow)


@pytest.mark.parametrize("version", ["1.20", "2.2"])
def test_operators_are_those_that_flink_reads(version: str) -> None:
    wrong = []
    for case in restores():
        outcome = outcome_of(case, version)
        read = load_savepoint(metadata(outcome)).to_dict()["operators"]
        found = {one["operator_id"]: one for one in read}
        assert len(found) == len(outcome["savepoint"])
        for wanted in outcome["savepoint"]:
            mine = found[wanted["operator_id"]]
            if {name: mine.get(name) for name in wanted} != wanted:
                wrong.append((case["name"], wanted, mine))
            assert mine.keys() & {"name", "uid"} == wanted.keys() & {"name", "uid"}

    assert wrong == []


@pytest.mark.law
@pytest.mark.parametrize("allowed", ["strict", "allow_non_restored"])
@pytest.mark.parametrize("version", ["1.20", "2.2"])
def test_the_verdict_is_the_clusters(version: str, allowed: str) -> None:
    wrong = []
    for case in restores():
        verdict = restored(case, version, allow=allowed != "strict")
        said = (verdict.error or "restored").replace("point _metadata.", "point SAVEPOINT.")
        wanted = outcome_of(case, version)[allowed].strip()
        if said != wanted:
            wrong.append((case["name"], case["changes"], wanted, said))

    assert wrong == []


@pytest.mark.law
def test_what_is_lost_is_what_a_strict_restore_refuses() -> None:
    for case in restores():
        for version in ("1.20", "2.2"):
            strict, lax = (restored(case, version, allow=allow) for allow in (False, True))
            if strict.error is None or "Cannot map checkpoint" not in strict.error:
                assert strict.error or not strict.lost
            else:
                assert str(strict.lost[0].operator_id) in strict.error
            assert strict.operators == lax.operators


def test_keyed_and_operator_states_have_their_names() -> None:
    names = {
        (node["name"].split(" ")[0], *node["state_names"])
        for case in restores()
        for node in load_savepoint(metadata(outcome_of(case, "2.2"))).to_dict()["operators"]
        if node["state_names"]
    }

    assert ("Keyed", "_op_state") in names
    assert ("KeyedProcess", "seen") in names
    assert ("Source:", "SourceReaderState") in names


def test_a_savepoint_says_whose_state_it_holds() -> None:
    document = load_document({**restores()[0]["old"], "flink": "1.20"})

    found = origins(load_savepoint(saved()), document)

    assert {one.operator for one in found} >= {"Source: src0", "Keyed Reduce", "async 2"}
    assert {one.found_by for one in found} == {"generated ID"}


def test_an_id_of_nobody_is_guessed_from_its_state() -> None:
    source = {"id": "a", "type": "source", "uid": "a"}
    sink = {"id": "b", "type": "sink", "inputs": ["a"], "uid": "b"}

    found = origins(load_savepoint(saved()), load_document({"transformations": [source, sink]}))

    said = {one.state.operator_id: one.sentence for one in found}
    assert "most likely a keyed reduce" in said["0f059a5c7899bfb760eef84d65cf4d49"]
    assert not any(one.operator for one in found)


def test_a_folder_its_file_and_its_bytes_are_the_same_savepoint(tmp_path: Path) -> None:
    (tmp_path / "_metadata").write_bytes(saved())

    ways = (tmp_path, str(tmp_path / "_metadata"), saved())

    assert len({str(load_savepoint(way).to_dict()) for way in ways}) == 1


def test_an_older_release_does_not_read_newer_metadata() -> None:
    case = next(one for one in restores() if outcome_of(one, "2.2")["strict"] == "restored")

    verdict = check_restore(metadata(outcome_of(case, "2.2")), case["new"], flink_version="1.20")

    assert verdict.error == "Unrecognized checkpoint version number: 6"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "this is no savepoint's metadata"),
        (b"transformations: []", "this is no savepoint's metadata"),
        (struct.pack(">Ii", MAGIC, 1), "the metadata is of version 1"),
        (struct.pack(">Ii", MAGIC, 99), "the metadata is of version 99"),
        (struct.pack(">Iiq", MAGIC, 4, -5), "invalid checkpoint ID: -5"),
        (struct.pack(">Iiqii", MAGIC, 4, 1, 0, 2**31 - 1), "which it cannot hold"),
        (bytes(MAX_METADATA + 1), "larger than 20 MB"),
    ],
)
def test_what_is_no_savepoint_gets_a_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(SavepointError, match=sentence):
        load_savepoint(content)


def test_a_path_that_is_not_there_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SavepointError, match="no such file"):
        load_savepoint(tmp_path / "nowhere")


@given(st.integers(0, 6_000))
def test_a_truncated_savepoint_gets_a_sentence(cut: int) -> None:
    if cut >= saved().find(JAVA_OBJECT):
        assert isinstance(load_savepoint(saved()[:cut]), Savepoint)
        return
    with pytest.raises(SavepointError):
        load_savepoint(saved()[:cut])


@given(st.data())
def test_hostile_bytes_are_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(saved())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(8, len(content) - 4))
        content[place : place + 4] = data.draw(st.binary(min_size=4, max_size=4))

    try:
        said = str(load_savepoint(bytes(content)).to_dict())
    except ExplorerError as error:
        said = str(error)
    assert "\n" not in said.replace("\\n", "")


def one_operator(keyed: bytes) -> bytes:
    """Metadata of one operator with one subtask that has this keyed state."""
    subtask = struct.pack(">iii", 0, 0, 0) + keyed + b"\0" + struct.pack(">ii", 0, 0)
    operator = b"\1" * 16 + struct.pack(">ii", 1, 1) + b"\0" + struct.pack(">i", 1) + subtask
    return struct.pack(">Iiqii", MAGIC, 3, 1, 0, 1) + operator


KEYED = b"\3" + struct.pack(">ii", 0, 0)
"""``KeyGroupsStateHandle`` without key groups; a stream follows."""


@given(st.integers(0, 2_000), st.booleans())
def test_nested_streams_are_read_or_refused(depth: int, is_null: bool) -> None:  # noqa: FBT001
    stream = (b"\3" + struct.pack(">ii", 0, 0)) * depth + (b"\0" if is_null else b"\x10")
    content = one_operator(KEYED + stream)
    if depth < 8:
        assert load_savepoint(content).operators[0].has_state
        return
    with pytest.raises(SavepointError, match="nests stream handles deeper than 8"):
        load_savepoint(content)


def test_as_many_operators_are_read_as_a_document_may_have() -> None:
    operator = b"\1" * 16 + struct.pack(">ii", 1, 1) + b"\0" + struct.pack(">i", 0)

    def of(operators: int) -> bytes:
        return struct.pack(">Iiqii", MAGIC, 3, 1, 0, operators) + operator * operators

    assert len(load_savepoint(of(MOST_OPERATORS)).operators) == MOST_OPERATORS
    with pytest.raises(SavepointError, match="20,001 operators; at most 20,000 are read"):
        load_savepoint(of(MOST_OPERATORS + 1))


@given(st.text())
def test_java_texts_come_back(text: str) -> None:
    units = text.encode("utf-16-be")
    pairs = (units[at : at + 2] for at in range(0, len(units), 2))
    letters = [pair.decode("utf-16-be", "surrogatepass") for pair in pairs]
    java = b"".join(
        b"\xc0\x80" if letter == "\0" else letter.encode("utf-8", "surrogatepass")
        for letter in letters
    )

    assert modified_utf8(java) == text


def test_a_count_is_looked_at_before_anything_is_made_of_it() -> None:
    with pytest.raises(SavepointError, match="which it cannot hold"):
        DataInput(struct.pack(">i", 2**30)).read_count("things", 1)
