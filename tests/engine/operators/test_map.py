"""``StreamMap``: a new row of each row."""

from tests.engine.operators.few_rows import refusal, report, rows

DOUBLED = {"type": "map", "select": {"k": "k", "twice": "n * 2"}}


def test_each_row_becomes_a_row_of_the_selected_columns() -> None:
    found = report(DOUBLED)

    assert [name for name, _ in found.sinks["o"].columns] == ["k", "twice"]
    assert rows(DOUBLED) == [("a", 2), ("b", 4), ("a", 6)]


def test_a_map_without_a_select_passes_rows_on() -> None:
    assert rows({"type": "map"})[0] == ("a", 1, 5)


def test_a_bare_null_is_refused() -> None:
    assert "a bare NULL has no type" in refusal({"type": "map", "select": {"n": "null"}})


def test_a_map_that_changes_the_row_object_must_not_change_its_columns() -> None:
    message = refusal({"type": "map", "mutates": True, "select": {"other": "n"}})

    assert "select must give its columns" in message
