"""Long work on rows asks whether to go on, and a run beyond its CPU time ends there."""

import time

import pyarrow as pa
import pytest

from explorer import compile_graph
from explorer.engine.preview.preview import preview_trial
from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.expressions.evaluator import evaluate
from explorer.engine.rows.expressions.parser import compile_expression
from explorer.engine.rows.pausing import pausing
from explorer.errors import TrialError
from explorer.model.row_type import parse_schema
from tests.many_cases import for_each

CALLS = (
    "regexp(w, 'a+b')",
    "regexp_count(w, 'a')",
    "regexp_replace(w, 'a+', 'x')",
    "regexp_extract(w, '(a+)(b?)', 2)",
    "regexp_substr(w, 'a+')",
)


class EndedError(Exception):
    """The run is to end."""


def ask_to_end(_: int) -> None:
    raise EndedError


@pytest.mark.parametrize("call", CALLS)
def test_pieces_have_the_values_of_the_whole(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = parse_schema("w STRING")
    words = ["aab" * (n % 7) if n % 5 else None for n in range(300)] + ["a" * 5_000, "", None]
    batch = from_rows(row, [(word,) for word in words])
    expression = compile_expression(call, row, "select")
    whole = evaluate(expression, batch)
    monkeypatch.setattr("explorer.engine.rows.expressions.patterns.PIECE", 50)

    pieces = evaluate(expression, batch)

    assert pa.array(pieces.to_pylist()).equals(pa.array(whole.to_pylist()))


@for_each("call", CALLS)
def test_a_pattern_asks_whether_to_go_on(call: str) -> None:
    row = parse_schema("w STRING")
    expression = compile_expression(call, row, "select")
    with pytest.raises(EndedError), pausing(ask_to_end):
        evaluate(expression, from_rows(row, [("aab",)]))


def previewed(length: int, count: int) -> None:
    """Match a pattern that reads the rest of a text at each of its letters."""
    rows = {"values": [["a" * length]] * count, "schema": "w STRING"}
    costly = {"w": "regexp_replace(w, '.*b|a', '')"}
    steps = [
        {"id": "s", "type": "source", "rows": rows},
        {"id": "r", "type": "map", "inputs": ["s"], "select": costly},
        {"id": "o", "type": "sink", "inputs": ["r"]},
    ]
    preview_trial(compile_graph({"transformations": steps}), seconds=0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("length", "count", "sentence"),
    [
        (8_000, 200, r"ended after 0\.5 s of work"),
        (16_385, 1, "in texts of at most 16,384 bytes, and one has 16,385"),
        (200_000, 1, "in texts of at most 16,384 bytes, and one has 200,000"),
    ],
)
def test_a_preview_of_a_costly_pattern_ends_at_its_limits(
    length: int, count: int, sentence: str
) -> None:
    begun = time.thread_time()
    with pytest.raises(TrialError, match=sentence):
        previewed(length, count)

    assert time.thread_time() - begun < 3.0
