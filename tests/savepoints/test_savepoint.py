"""The records of a savepoint: what they add up, name and say of moving it."""

import msgspec

from explorer import load_savepoint
from explorer.savepoints import Savepoint
from explorer.savepoints.savepoint import OperatorState, StateHandle, SubtaskState, joined
from tests.savepoints.headers import metadata, saved


def handle(
    size: int, *names: str, is_relocatable: bool = True, kind: str = "keyed", layout: str = "native"
) -> StateHandle:
    return StateHandle(
        kind=kind,
        format=layout,
        bytes=size,
        files=(f"f{size}",),
        is_relocatable=is_relocatable,
        names=names,
    )


def operator(*handles: StateHandle, coordinator: int | None = None) -> OperatorState:
    subtasks = tuple(SubtaskState(subtask=0, finished=False, handles=(one,)) for one in handles)
    return OperatorState(
        operator_id="1" * 32,
        name="count",
        uid=None,
        parallelism=2,
        max_parallelism=128,
        coordinator_bytes=coordinator,
        fully_finished=False,
        subtasks=subtasks,
    )


def savepoint(*operators: OperatorState) -> Savepoint:
    return Savepoint(version=4, checkpoint_id=1, operators=operators, master_states=(), path="")


def test_joined_handles_add_up_and_name_a_state_once() -> None:
    both = joined(
        [handle(1, "a", "b"), handle(2, "b", is_relocatable=False)], kind="keyed", layout="native"
    )

    assert (both.bytes, both.names, both.files, both.is_relocatable) == (
        3,
        ("a", "b"),
        ("f1", "f2"),
        False,
    )


def test_an_operator_has_the_state_of_its_subtasks_and_its_coordinator() -> None:
    one = operator(handle(1, "a"), handle(2, "a", kind="operator", layout=""), coordinator=10)

    assert (one.state_bytes, one.kinds, one.state_names) == (13, ("keyed", "operator"), ("a",))


def test_a_finished_subtask_is_no_state_and_an_empty_coordinator_is() -> None:
    finished = msgspec.structs.replace(
        operator(), subtasks=(SubtaskState(subtask=0, finished=True),)
    )

    assert [finished.has_state, operator(coordinator=0).has_state] == [False, True]


def test_timers_are_no_states_with_a_name() -> None:
    for case in saved():
        for one in load_savepoint(metadata(case)).operators:
            timers = {state.name for state in one.schema.states if state.kind == "TIMERS"}
            assert timers.isdisjoint(one.state_names)


def test_a_savepoint_names_every_format_of_its_keyed_state() -> None:
    raw = handle(3, kind="operator", layout="")

    assert savepoint(operator(raw)).format == "unknown"
    assert savepoint(operator(raw, handle(1), handle(1, layout="canonical"))).format == (
        "canonical and native"
    )


def test_a_savepoint_with_one_file_elsewhere_is_not_self_contained() -> None:
    contained, outside = (
        savepoint(operator(handle(1))),
        savepoint(operator(handle(1, is_relocatable=False))),
    )

    assert (contained.self_contained, contained.transfer) == (True, "self-contained")
    assert (outside.self_contained, outside.transfer) == (False, "names files by absolute paths")


def test_members_leave_out_a_name_that_is_not_there() -> None:
    (members,) = savepoint(operator(handle(5, "a"))).to_dict()["operators"]

    assert "uid" not in members
    assert (members["name"], members["state_bytes"], members["subtasks_with_state"]) == (
        "count",
        5,
        1,
    )
