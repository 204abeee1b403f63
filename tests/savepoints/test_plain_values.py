"""A savepoint as plain values, as a document holds it."""

from typing import Any

import msgspec
import pytest

from explorer import load_savepoint
from explorer.savepoints import Savepoint, SavepointError, savepoint_from_values, savepoint_values
from explorer.savepoints.savepoint import SubtaskState
from tests.many_cases import for_each
from tests.savepoints.headers import metadata, saved


def test_members_hold_the_types_and_a_baseline_stores_them() -> None:
    case = next(one for one in saved() if one["case"] == "pojo_field_added")
    savepoint = load_savepoint(metadata(case))

    kept = savepoint_from_values(savepoint_values(savepoint))

    operator = next(
        one for one in savepoint.to_dict()["operators"] if one["states"][0]["name"] == "v"
    )
    assert operator["key"]["type"] == "String"
    assert operator["states"][0]["value"]["class_name"] == "prog.Program$Order"
    assert [field["name"] for field in operator["states"][0]["value"]["fields"]] == ["amount", "id"]
    assert [one.schema for one in kept.operators] == [one.schema for one in savepoint.operators]


def any_values() -> tuple[Savepoint, dict[str, Any]]:
    savepoint = load_savepoint(metadata(saved()[0]))
    return savepoint, savepoint_values(savepoint)


def test_subtasks_are_joined_and_their_files_left_out() -> None:
    savepoint, values = any_values()
    again = savepoint_from_values(values)

    for one, other in zip(savepoint.operators, again.operators, strict=True):
        assert (one.state_bytes, one.kinds, one.state_names) == (
            other.state_bytes,
            other.kinds,
            other.state_names,
        )
        assert len(other.subtasks) == min(1, len(one.subtasks))
        assert not any(handle.files for handle in other.handles)


def test_a_finished_subtask_is_listed_with_a_running_one() -> None:
    savepoint, _ = any_values()
    first = next(one for one in savepoint.operators if one.subtasks)
    finished = [SubtaskState(subtask=turn, finished=True) for turn in (1, 2)]
    both = msgspec.structs.replace(first, subtasks=(*first.subtasks, *finished))
    values = savepoint_values(msgspec.structs.replace(savepoint, operators=(both,)))

    (again,) = savepoint_from_values(values).operators
    assert [one.finished for one in again.subtasks] == [False, True]


@for_each(
    ("member", "value", "sentence"),
    [
        ("operator_id", "nobody", "has no operator ID in 'nobody'"),
        ("parallelism", 0, "a parallelism of 0 of at most"),
        ("max_parallelism", 2**15 + 1, "1 to 32,768 are allowed"),
        ("parallelism", "two", "cannot be read: "),
    ],
)
def test_values_that_spell_no_savepoint_are_refused(
    member: str, value: object, sentence: str
) -> None:
    _, values = any_values()
    values["operators"][0][member] = value

    with pytest.raises(SavepointError, match=sentence):
        savepoint_from_values(values)


@pytest.mark.parametrize("most", [1, 2**15])
def test_the_least_and_the_largest_maximum_are_read(most: int) -> None:
    _, values = any_values()
    values["operators"][0].update(parallelism=1, max_parallelism=most)

    operator = savepoint_from_values(values).operators[0]
    assert (operator.parallelism, operator.max_parallelism) == (1, most)


def test_a_version_that_flink_never_wrote_is_refused() -> None:
    _, values = any_values()

    with pytest.raises(SavepointError, match="has the version 7, none of Flink's"):
        savepoint_from_values({**values, "version": 7})
