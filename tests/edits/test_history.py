"""The states that can be undone and redone."""

from explorer.edits.history import DEPTH, History


def test_undo_and_redo_return_the_states_around_the_current_one() -> None:
    history: History[str] = History[str]().changed("a").changed("b")
    undone, history = history.undo("c")
    first, history = history.undo(undone)

    assert (undone, first) == ("b", "a")
    assert (history.past, history.future) == ((), ("b", "c"))
    redone, history = history.redo(first)
    assert (redone, history.past, history.future) == ("b", ("a",), ("c",))
    assert history.changed("b").future == ()


def test_the_earliest_states_are_dropped() -> None:
    history: History[int] = History()
    for number in range(DEPTH + 3):
        history = history.changed(number)

    assert (len(history.past), history.past[0]) == (DEPTH, 3)
