"""Headers of state in the files of a savepoint."""

from pathlib import Path

import msgspec

from explorer import load_savepoint
from explorer.savepoints import Savepoint
from explorer.savepoints.savepoint import StateHandle, StateHeader
from explorer.savepoints.state_files import MOST_HEADERS, with_schemas
from tests.savepoints.headers import LONG, keyed_header, only_schema, snapshot, with_file


def with_handles(folder: Path, handle: StateHandle, operators: int = 1) -> Savepoint:
    """The schemas of operators with this handle in their only subtask."""
    bare = load_savepoint(with_file(b"data-1"))
    (one,) = bare.operators
    subtask = msgspec.structs.replace(one.subtasks[0], handles=(handle,))
    same = msgspec.structs.replace(one, subtasks=(subtask,))
    whole = msgspec.structs.replace(bare, operators=(same,) * operators, path=str(folder))
    return with_schemas(whole)


def test_a_data_file_next_to_the_metadata_is_read(tmp_path: Path) -> None:
    (tmp_path / "_metadata").write_bytes(with_file(b"data-1"))
    (tmp_path / "data-1").write_bytes(keyed_header(snapshot(LONG, 3)))

    savepoint = load_savepoint(tmp_path)

    assert only_schema(savepoint).problems == ()
    assert [state.words for state in only_schema(savepoint).states] == ["value state of Long"]
    assert savepoint.operators[0].state_names == ("s0",)


def test_a_moved_savepoint_finds_its_files(tmp_path: Path) -> None:
    (tmp_path / "chk-1").mkdir()
    (tmp_path / "shared").mkdir()
    (tmp_path / "chk-1" / "_metadata").write_bytes(with_file(b"hdfs://gone/shared/data-1"))
    (tmp_path / "shared" / "data-1").write_bytes(keyed_header(snapshot(LONG, 3)))

    assert only_schema(load_savepoint(tmp_path / "chk-1")).states[0].name == "s0"


def test_a_missing_data_file_is_missing_data(tmp_path: Path) -> None:
    (tmp_path / "_metadata").write_bytes(with_file(b"data-1"))

    beside, alone = load_savepoint(tmp_path), load_savepoint(with_file(b"data-1"))

    assert "data missing" in only_schema(beside).problems[0]
    assert "did not come with the metadata" in only_schema(alone).problems[0]


def test_bytes_never_open_a_file(tmp_path: Path) -> None:
    place = tmp_path / "data-1"
    place.write_bytes(keyed_header(snapshot(LONG, 3)))

    assert only_schema(load_savepoint(with_file(str(place).encode()))).states == ()


def test_a_state_in_the_middle_of_a_shared_file_is_read_from_its_place(tmp_path: Path) -> None:
    header = keyed_header(snapshot(LONG, 3))
    (tmp_path / "merged").write_bytes(b"x" * 100 + header)
    handle = StateHandle(
        kind="keyed",
        format="native",
        bytes=len(header),
        files=("merged",),
        is_relocatable=True,
        headers=(StateHeader(backend="keyed", file="merged", offset=100),),
    )
    savepoint = with_handles(tmp_path, handle)

    assert [state.words for state in only_schema(savepoint).states] == ["value state of Long"]
    assert only_schema(savepoint).problems == ()


def test_headers_are_dropped_once_they_are_read(tmp_path: Path) -> None:
    header = StateHeader(backend="keyed", content=keyed_header(snapshot(LONG, 3)))
    handle = StateHandle(
        kind="keyed", format="native", bytes=1, files=(), is_relocatable=True, headers=(header,)
    )
    savepoint = with_handles(tmp_path, handle)

    assert [one.headers for one in savepoint.operators[0].handles] == [()]
    assert only_schema(savepoint).states[0].name == "s0"


def test_no_more_headers_than_the_limit_are_read(tmp_path: Path) -> None:
    header = StateHeader(backend="keyed", content=keyed_header(snapshot(LONG, 3)))
    handle = StateHandle(
        kind="keyed", format="native", bytes=1, files=(), is_relocatable=True, headers=(header,) * 8
    )
    savepoint = with_handles(tmp_path, handle, operators=MOST_HEADERS // 8 + 1)

    problems = [one.schema.problems for one in savepoint.operators]
    assert problems[-2:] == [(), ("only the first 4,000 headers of a savepoint's state are read",)]


def test_a_folder_in_place_of_a_file_is_missing_data(tmp_path: Path) -> None:
    (tmp_path / "_metadata").write_bytes(with_file(b"data-1"))
    (tmp_path / "data-1").mkdir()

    assert "data missing" in only_schema(load_savepoint(tmp_path)).problems[0]
