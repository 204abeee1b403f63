"""The state backend that reads a savepoint, from options and from the savepoint's format."""

from explorer.restore.state_backends import named_backend, reading_backend
from explorer.savepoints import OperatorState, Savepoint
from explorer.savepoints.savepoint import StateHandle, SubtaskState
from tests.many_cases import for_each


def savepoint(layout: str) -> Savepoint:
    handle = StateHandle(kind="keyed", format=layout, bytes=1, files=(), is_relocatable=True)
    state = OperatorState(
        operator_id="0" * 32,
        name=None,
        uid=None,
        parallelism=1,
        max_parallelism=1,
        coordinator_bytes=None,
        fully_finished=False,
        subtasks=(SubtaskState(subtask=0, finished=False, handles=(handle,)),),
    )
    return Savepoint(version=4, checkpoint_id=1, operators=(state,), master_states=(), path="")


@for_each(
    ("options", "layout", "expected"),
    [
        ({}, "canonical", None),
        ({}, "native", "hashmap"),
        ({}, "incremental", "rocksdb"),
        ({"state.backend": "filesystem"}, "canonical", "hashmap"),
        ({"state.backend.type": "RocksDB", "state.backend": "hashmap"}, "native", "rocksdb"),
        ({"state.backend.type": "org.x.EmbeddedRocksDBStateBackendFactory"}, "native", "rocksdb"),
        ({"state.backend.type": "forst"}, "incremental", "forst"),
        ({"state.backend.type": "com.example.My"}, "incremental", "com.example.my"),
    ],
)
def test_options_name_the_backend_else_the_format(
    options: dict[str, str], layout: str, expected: str | None
) -> None:
    assert reading_backend(options, savepoint(layout)) == expected


def test_the_newer_option_wins() -> None:
    assert named_backend({"state.backend": "a", "state.backend.type": "B"}) == "b"
    assert named_backend({}) is None
