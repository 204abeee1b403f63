"""``ProcessOperator``: rows to side outputs by condition."""

from typing import Any

from tests.engine.operators.few_rows import rows

ROUTED = {"id": "p", "type": "process", "side_outputs": {"odd": "n % 2 = 1", "large": "n > 2"}}


def side(tag: str) -> list[tuple[Any, ...]]:
    return rows(ROUTED, {"id": "x", "type": "side_output", "inputs": ["p"], "tag": tag})


def test_a_row_goes_to_every_side_output_of_its_conditions() -> None:
    assert side("odd") == [("a", 1, 5), ("a", 3, 9)]
    assert side("large") == [("a", 3, 9)]


def test_other_rows_go_to_the_main_output() -> None:
    assert rows(ROUTED) == [("b", 2, 7)]


def test_without_side_outputs_rows_pass() -> None:
    assert len(rows({"type": "process"})) == 3
