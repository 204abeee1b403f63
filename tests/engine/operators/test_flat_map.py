"""``StreamFlatMap``: the parts of a text, a row each."""

from typing import Any

from tests.engine.operators.few_rows import refusal, rows

WORDS: dict[str, Any] = {"type": "flat_map", "split": {"value": "k", "pattern": " ", "as": "word"}}


def test_each_part_that_is_not_empty_becomes_a_row() -> None:
    values = [["to  be", 1, 0], [" ", 2, 0], ["or", 3, 0]]

    found = rows(WORDS, values=values)

    assert found == [("to",), ("be",), ("or",)]


def test_without_a_split_rows_pass() -> None:
    assert len(rows({"type": "flat_map"})) == 3


def test_only_texts_are_split() -> None:
    assert "STRING" in refusal({"type": "flat_map", "split": {**WORDS["split"], "value": "n"}})
