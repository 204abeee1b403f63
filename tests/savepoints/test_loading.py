"""A savepoint from a folder, a file or bytes: what Flink reads in it, and what is refused."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import ExplorerError, load_savepoint
from explorer.savepoints import Savepoint, SavepointError
from explorer.savepoints.loading import MAX_METADATA, MOST_OPERATORS, metadata_version
from tests.many_cases import for_each
from tests.savepoints.clusters import MAGIC, any_savepoint, metadata_of, outcome_of, restores

JAVA_OBJECT = b"\xac\xed\x00\x05"
"""Behind the operators stands a Java object, which is not read."""


@pytest.mark.parametrize("version", ["1.20", "2.2"])
def test_operators_are_those_that_flink_reads(version: str) -> None:
    wrong = []
    for case in restores():
        outcome = outcome_of(case, version)
        read = load_savepoint(metadata_of(outcome)).to_dict()["operators"]
        found = {one["operator_id"]: one for one in read}
        assert len(found) == len(outcome["savepoint"])
        for wanted in outcome["savepoint"]:
            mine = found[wanted["operator_id"]]
            if {name: mine.get(name) for name in wanted} != wanted:
                wrong.append((case["name"], wanted, mine))
            assert mine.keys() & {"name", "uid"} == wanted.keys() & {"name", "uid"}

    assert wrong == []


def test_keyed_and_operator_states_have_their_names() -> None:
    names = {
        (node["name"].split(" ")[0], *node["state_names"])
        for case in restores()
        for node in load_savepoint(metadata_of(outcome_of(case, "2.2"))).to_dict()["operators"]
        if node["state_names"]
    }

    assert ("Keyed", "_op_state") in names
    assert ("KeyedProcess", "seen") in names
    assert ("Source:", "SourceReaderState") in names


def test_a_folder_its_file_and_its_bytes_are_the_same_savepoint(tmp_path: Path) -> None:
    (tmp_path / "_metadata").write_bytes(any_savepoint())

    ways = (tmp_path, str(tmp_path / "_metadata"), any_savepoint())

    assert len({str(load_savepoint(way).to_dict()) for way in ways}) == 1
    assert {metadata_version(way) for way in ways} == {load_savepoint(tmp_path).version}


def test_a_version_is_read_from_the_first_bytes() -> None:
    assert metadata_version(any_savepoint()[:8]) == load_savepoint(any_savepoint()).version
    for content in (b"", struct.pack(">Ii", MAGIC, 99)):
        with pytest.raises(SavepointError):
            metadata_version(content)


@for_each(
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
def test_a_file_that_is_no_savepoint_gets_a_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(SavepointError, match=sentence):
        load_savepoint(content)


def test_a_path_that_is_not_there_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SavepointError, match="no such file"):
        load_savepoint(tmp_path / "nowhere")


@given(st.integers(0, 6_000))
def test_a_truncated_savepoint_gets_a_sentence(cut: int) -> None:
    if cut >= any_savepoint().find(JAVA_OBJECT):
        assert isinstance(load_savepoint(any_savepoint()[:cut]), Savepoint)
        return
    with pytest.raises(SavepointError):
        load_savepoint(any_savepoint()[:cut])


@given(st.data())
def test_hostile_bytes_are_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(any_savepoint())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(8, len(content) - 4))
        content[place : place + 4] = data.draw(st.binary(min_size=4, max_size=4))

    try:
        said = str(load_savepoint(bytes(content)).to_dict())
    except ExplorerError as error:
        said = str(error)
    assert "\n" not in said.replace("\\n", "")


@pytest.mark.slow
def test_as_many_operators_are_read_as_a_document_may_have() -> None:
    operator = b"\1" * 16 + struct.pack(">ii", 1, 1) + b"\0" + struct.pack(">i", 0)

    def of(operators: int) -> bytes:
        return struct.pack(">Iiqii", MAGIC, 3, 1, 0, operators) + operator * operators

    assert len(load_savepoint(of(MOST_OPERATORS)).operators) == MOST_OPERATORS
    with pytest.raises(SavepointError, match="20,001 operators; at most 20,000 are read"):
        load_savepoint(of(MOST_OPERATORS + 1))


def test_a_path_that_is_no_savepoint_is_named(tmp_path: Path) -> None:
    with pytest.raises(SavepointError, match=r"the folder '.*' is no savepoint: it has no file _m"):
        load_savepoint(tmp_path)
    with pytest.raises(SavepointError, match=r"cannot read the savepoint '.*/gone': no such file"):
        load_savepoint(tmp_path / "gone")
    (tmp_path / "_metadata").write_bytes(b"rubbish")
    with pytest.raises(SavepointError) as refused:
        load_savepoint(tmp_path)
    assert str(refused.value).startswith(f"cannot read the savepoint '{tmp_path}': this is no sav")


def test_a_folder_of_savepoints_lists_them(tmp_path: Path) -> None:
    for name in ("savepoint-1", "job/chk-2"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "_metadata").write_bytes(b"")
    with pytest.raises(
        SavepointError, match="is a folder of 2 savepoints; name one of them: "
    ) as raised:
        load_savepoint(tmp_path)

    assert str(tmp_path / "savepoint-1") in str(raised.value)
    assert str(tmp_path / "job" / "chk-2") in str(raised.value)
