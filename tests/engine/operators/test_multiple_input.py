"""``MultipleInputStreamOperator``: a new row of each row of many inputs."""

from tests.engine.operators.few_rows import refusal, rows

THREE = {"type": "multiple_input", "inputs": ["s", "t", "m"]}


MAP = {"id": "m", "type": "map", "inputs": ["s"]}


def test_each_input_has_a_select_of_its_own() -> None:
    selects = {"s": {"v": "n"}, "t": {"v": "n * 10"}, "m": {"v": "n * 100"}}

    found = rows(MAP, {**THREE, "selects": selects})

    assert sorted(found) == [(1,), (2,), (3,), (10,), (20,), (30,), (100,), (200,), (300,)]


def test_all_selects_must_give_the_same_columns() -> None:
    selects = {"s": {"v": "n"}, "t": {"v": "k"}, "m": {"v": "n"}}

    message = refusal(MAP, {**THREE, "selects": selects})

    assert "all inputs must give the same columns" in message
