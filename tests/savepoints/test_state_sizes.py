"""Bytes of an operator's state in two savepoints."""

from msgspec.structs import replace

from explorer.savepoints.saved_states import SavedState, StateSchema
from explorer.savepoints.savepoint import OperatorState
from explorer.savepoints.state_sizes import state_sizes
from tests.savepoints.test_savepoint import handle, operator


def with_states(saved: OperatorState, *names: str) -> OperatorState:
    states = [SavedState(name=name, backend="keyed", kind="VALUE") for name in names]
    timers = SavedState(name="_timer_state/event", backend="keyed", kind="TIMERS")
    return replace(saved, schema=StateSchema(states=(*states, timers)))


def test_bytes_are_compared_by_kind_of_state() -> None:
    old = operator(handle(10), handle(20), handle(7, kind="operator", layout=""), coordinator=3)
    new = operator(handle(50), handle(5, kind="input channel", layout=""), coordinator=3)

    sizes = {size.kind: (size.change, size.before, size.after) for size in state_sizes(old, new)}

    assert sizes == {
        "coordinator": ("same", 3, 3),
        "keyed": ("grown", 30, 50),
        "operator": ("gone", 7, None),
        "input channel": ("new", None, 5),
    }


def test_new_and_gone_states_are_named() -> None:
    old = with_states(operator(handle(30)), "count", "last")
    new = with_states(operator(handle(12)), "count", "seen")

    (size,) = state_sizes(old, new)

    assert (size.new_states, size.gone_states) == (("seen",), ("last",))
    assert size.sentence == ("keyed state shrunk, 30 -> 12 bytes (-18); new: seen; gone: last")


def test_names_that_could_not_be_read_are_neither_new_nor_gone() -> None:
    (size,) = state_sizes(operator(handle(30)), with_states(operator(handle(30)), "count"))

    assert (size.change, size.new_states, size.gone_states) == ("same", (), ())


def test_an_operator_of_one_savepoint_is_new_or_gone() -> None:
    saved = with_states(operator(handle(30)), "count")

    (new,), (gone,) = state_sizes(None, saved), state_sizes(saved, None)

    assert (new.change, new.new_states) == ("new", ("count",))
    assert (gone.change, gone.gone_states) == ("gone", ("count",))
    assert state_sizes(None, None) == ()
