"""``CoStreamMap``: a new row of each row of two inputs."""

from tests.engine.operators.few_rows import refusal, rows

BOTH = {"type": "co_map", "inputs": ["s", "t"]}


def test_each_input_has_a_select_of_its_own() -> None:
    found = rows({**BOTH, "select1": {"v": "n"}, "select2": {"v": "n * 10"}})

    assert sorted(found) == [(1,), (2,), (3,), (10,), (20,), (30,)]


def test_both_selects_must_give_the_same_columns() -> None:
    message = refusal({**BOTH, "select1": {"v": "n"}, "select2": {"v": "k"}})

    assert "select1 and select2 must give the same columns" in message
