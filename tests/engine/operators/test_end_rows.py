"""Rows of partition windows have the order that real clusters of two releases gave them."""

from typing import Any

import numpy as np
import pytest

from explorer.engine.operators.end_rows import EndRows
from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.errors import ExpressionError
from explorer.engine.steps.step_work import MAX_WATERMARK, SubtaskContext
from explorer.model.row_type import parse_schema
from tests.engine.in_process import trial
from tests.golden_files import cases
from tests.many_cases import for_each

SCHEMA = "w STRING, n LONG, d STRING, b BOOLEAN, i LONG"
COLUMNS = {"w": "w", "n": "n", "d": "cast(d as DOUBLE)", "b": "b", "i": "i"}
"""A document's rows hold no NaN."""
CASES = {case["question"]: case for case in cases("partitions")}


def values(word: str, number: int) -> list[Any]:
    w, n, d, b = word.split("|")
    return [
        w or None,
        int(n) if n else None,
        d or None,
        b == "true" if b else None,
        number,
    ]


def emitted(key: str, rows: list[str], operator: dict[str, Any]) -> list[int]:
    """The numbers of the emitted rows, in their order, of a run of the document."""
    data = {"values": [values(row, at) for at, row in enumerate(rows)], "schema": SCHEMA}
    keyed = key != "none"
    operator = {**operator, "type": f"keyed_{operator['type']}"} if keyed else operator
    transformations: list[dict[str, Any]] = [
        {"id": "r", "type": "source", "rows": data},
        {"id": "s", "type": "map", "inputs": ["r"], "select": COLUMNS},
        {"id": "k", "type": "key_by", "inputs": ["s"], "keys": [key]},
        {"id": "x", "inputs": ["k" if keyed else "s"], **operator},
        {"id": "out", "type": "sink", "inputs": ["x"]},
    ]
    chosen = [one for one in transformations if keyed or one["id"] != "k"]
    found = trial({"flink": "2.2", "transformations": chosen})
    assert not any("unchanged" in one for one in found.warnings)
    return [row[-1] for row in found.sinks["out"].data or ()]


@for_each("question", [one for one in CASES if one.startswith("sort")])
def test_rows_are_sorted_as_a_cluster_sorts_them(question: str) -> None:
    _, key, column, order, *rows = question.split()
    operator = {"type": "sort_partition", "sort": {"column": column, "order": order}}

    assert emitted(key, rows, operator) == [row for row, _ in CASES[question]["rows"]]


@pytest.mark.parametrize("question", [one for one in CASES if one.startswith("map")])
def test_a_function_emits_a_row_for_each_row(question: str) -> None:
    _, key, *rows = question.split()
    operator = {"type": "map_partition", "select": {"twice": "n + n", "i": "i"}}
    # The function of the asking program adds a row with the count; keys come in no defined order.
    expected = [row for row, _ in CASES[question]["rows"] if row >= 0]

    found = emitted(key, rows, operator) if rows else []

    assert by_key(found, key, rows) == by_key(expected, key, rows)


def by_key(numbers: list[int], key: str, rows: list[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number in numbers:
        found.setdefault(rows[number].split("|")[0] if key == "w" else "", []).append(number)
    return found


@pytest.mark.parametrize(("asked", "keys"), [("map none b", ()), ("map w", (0,))])
def test_only_rows_of_a_key_have_the_timestamp_of_their_window(
    asked: str, keys: tuple[int, ...]
) -> None:
    row_type = parse_schema("w STRING, n LONG")
    question = next(one for one in CASES if one.startswith(asked))
    step = EndRows(keys=keys, row_type=row_type, in_window=bool(keys))
    work = step.work("x", row_type, SubtaskContext(0, 1, {}))
    rows = from_rows(row_type, [["a", 1], ["b", 2]]).with_timestamps(np.array([5, 6]))

    assert work.process(rows) == [] == work.advance(MAX_WATERMARK - 1)
    ((_, batch),) = work.advance(MAX_WATERMARK)

    times = {time for _, time in CASES[question]["rows"]}
    assert ({None} if batch.timestamps is None else set(batch.timestamps.tolist())) == times
    assert work.advance(MAX_WATERMARK) == []


def test_a_column_that_is_not_there_is_one_sentence() -> None:
    operator = {"type": "sort_partition", "sort": {"column": "m"}}

    with pytest.raises(ExpressionError, match=r"'x', sort.column.*there is no column 'm'"):
        emitted("none", ["a|1||"], operator)
