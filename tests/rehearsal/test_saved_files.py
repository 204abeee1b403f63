"""Whether the files that a savepoint's metadata names are there."""

from pathlib import Path

from explorer.rehearsal.saved_files import lost_data
from explorer.savepoints import OperatorState, Savepoint
from explorer.savepoints.savepoint import StateHandle, SubtaskState

ID = "b9306f835fc194e9fd24bb7e9c29e111"


def savepoint(*files: str) -> Savepoint:
    handle = StateHandle(kind="keyed", format="native", bytes=9, files=files, is_relocatable=False)
    state = OperatorState(
        operator_id=ID,
        name=None,
        uid=None,
        parallelism=1,
        max_parallelism=128,
        coordinator_bytes=None,
        fully_finished=False,
        subtasks=(SubtaskState(subtask=0, finished=False, handles=(handle,)),),
    )
    return Savepoint(version=4, checkpoint_id=1, operators=(state,), master_states=(), path="sp")


def test_files_that_are_there_or_elsewhere_are_not_missing(tmp_path: Path) -> None:
    (tmp_path / "a b").touch()
    there = savepoint((tmp_path / "a b").as_uri(), "a b", "s3://bucket/c")

    assert lost_data(there, tmp_path) == {}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    found = lost_data(savepoint(f"file:{tmp_path}/gone"), tmp_path)

    assert found == {ID: f"the file '{tmp_path}/gone' is not there"}


def test_a_moved_savepoint_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    found = lost_data(savepoint("file:/old/place/data"), tmp_path)

    assert "the savepoint was moved" in found[ID]
    assert "/old/place/data" in found[ID]
