"""A rolling reduce is what a loop over records would give, however records are cut."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.operators.reduce import Reduce, ReduceWork
from explorer.engine.rows.batch import Batch, from_rows
from explorer.engine.state.aggregates import Aggregate
from explorer.engine.steps.step_work import MAX_WATERMARK
from explorer.model.row_type import DOUBLE, LONG, STRING, RowType
from tests.engine.task.batches import DOUBLES, LONGS, TEXTS, shown

ROW = RowType.of(k=STRING, d=DOUBLE, n=LONG, x=DOUBLE, w=STRING, kept=LONG)
FUNCTIONS = {"n": ("sum", "min", "max"), "x": ("sum", "min", "max"), "w": ("min", "max")}

KEYS = st.tuples(
    st.sampled_from(("a", "b", "線")), st.sampled_from((0.0, -0.0, float("nan"), None))
)
ROWS = st.lists(
    st.tuples(
        KEYS, st.none() | LONGS, st.none() | DOUBLES, st.none() | TEXTS, st.integers(0, 9)
    ).map(lambda row: [*row[0], *row[1:]]),
    max_size=60,
)
CHOICES = st.fixed_dictionaries({name: st.sampled_from(FUNCTIONS[name]) for name in FUNCTIONS})


def _plan(keys: tuple[int, ...], functions: dict[str, str], *, final: bool = False) -> Reduce:
    aggregates: list[Any] = [
        Aggregate(name=name, function=function, column=ROW.index(name))  # type: ignore[arg-type]
        for name, function in functions.items()
    ]
    return Reduce(keys=keys, aggregates=tuple(aggregates), row_type=ROW, final_only=final)


def _order(value: Any) -> Any:
    """A DOUBLE's place among all others, as ``Double.compareTo`` has it."""
    if not isinstance(value, float):
        return value
    return (math.isnan(value), 0.0 if math.isnan(value) else value, math.copysign(1, value))


def _folded(function: str, kept: Any, value: Any) -> Any:
    """What Java's ``+`` gives, and Flink's ``min`` and ``max``; NULL is left out."""
    if kept is None or value is None:
        return value if kept is None else kept
    if function == "sum":
        total = kept + value
        return total if isinstance(total, float) else (total + 2**63) % 2**64 - 2**63
    return (min if function == "min" else max)(kept, value, key=_order)


def _looped(rows: list[list[Any]], keys: tuple[int, ...], functions: dict[str, str]) -> list[Any]:
    state: dict[str, list[Any]] = {}
    out = []
    for row in rows:
        key = repr([row[at] for at in keys])
        kept = state.setdefault(
            key, [None if name in functions else v for name, v in zip(ROW.names, row, strict=True)]
        )
        for name, function in functions.items():
            at = ROW.index(name)
            kept[at] = _folded(function, kept[at], row[at])
        out.append(list(kept))
    return out


def _run(step: ReduceWork, rows: list[list[Any]], size: int) -> list[Batch]:
    cut = [rows[start : start + size] for start in range(0, len(rows), size)]
    return [batch for part in cut for _, batch in step.process(from_rows(ROW, part))]


def _same(row: list[Any], other: list[Any]) -> bool:
    """Equal as they are printed: -0.0 is not 0.0, and a NaN is a NaN."""
    return repr(row) == repr(other)


@given(ROWS, st.sampled_from(((0,), (0, 1), (1, 0))), CHOICES, st.integers(1, 60))
def test_a_rolling_reduce_is_a_loop_over_records(
    rows: list[list[Any]], keys: tuple[int, ...], functions: dict[str, str], size: int
) -> None:
    found = [
        row
        for batch in _run(ReduceWork(_plan(keys, functions)), rows, size)
        for row in batch.rows()
    ]
    wanted = _looped(rows, keys, functions)

    assert len(found) == len(wanted)
    assert all(_same(one, other) for one, other in zip(found, wanted, strict=True))


@given(st.lists(st.floats(-1e9, 1e9), min_size=200, max_size=300), st.integers(1, 300))
def test_long_runs_are_summed_strictly_from_the_left(numbers: list[float], size: int) -> None:
    rows = [["a", 0.0, 0, x, "", 0] for x in numbers]
    found = [
        row[3]
        for batch in _run(ReduceWork(_plan((0,), {"x": "sum"})), rows, size)
        for row in batch.rows()
    ]
    total, wanted = -0.0, []
    for x in numbers:
        total += x
        wanted.append(total)

    assert found == wanted


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_sum_that_is_too_large_is_infinity_as_in_java(size: int) -> None:
    rows = [["a", 0.0, 0, x, "", 0] for x in (1e308, 1e308, -math.inf, 1.0)]
    batches = _run(ReduceWork(_plan((0,), {"x": "sum"})), rows, size)

    found = [row[3] for batch in batches for row in batch.rows()]
    assert list(map(repr, found)) == ["1e+308", "inf", "nan", "nan"]


@given(ROWS, CHOICES, st.integers(1, 60))
def test_in_batch_mode_the_last_row_of_each_key_goes_on_at_the_end(
    rows: list[list[Any]], functions: dict[str, str], size: int
) -> None:
    step = ReduceWork(_plan((0, 1), functions, final=True))
    before = _run(step, rows, size) + [batch for _, batch in step.advance(5)]
    at_end = [batch for _, batch in step.advance(MAX_WATERMARK)]
    last = {repr(row[:2]): row for row in _looped(rows, (0, 1), functions)}
    found = {repr(row[:2]): row for batch in at_end for row in batch.rows()}

    assert before == []
    assert found.keys() == last.keys()
    assert all(_same(found[key], last[key]) for key in last)
    assert all(one.endswith(f"@ {MAX_WATERMARK}") for batch in at_end for one in shown(batch))


@pytest.mark.parametrize("function", ["sum", "min", "max"])
def test_a_column_of_nulls_stays_null(function: str) -> None:
    step = ReduceWork(_plan((0,), {"n": function}))
    rows = [["a", 0.0, None, 0.0, "", 1], ["a", 0.0, None, 0.0, "", 2], ["a", 0.0, 5, 0.0, "", 3]]
    found = [row for batch in _run(step, rows, 2) for row in batch.rows()]

    assert [row[2] for row in found] == [None, None, 5]
    assert [row[5] for row in found] == [1, 1, 1]


def test_least_and_greatest_doubles_are_those_of_java() -> None:
    numbers = [0.0, -0.0, 0.0, float("nan"), 1.5]
    rows = [["a", 0.0, 0, number, "", 0] for number in numbers]
    found = {
        function: [
            repr(row[3])
            for batch in _run(ReduceWork(_plan((0,), {"x": function})), rows, 2)
            for row in batch.rows()
        ]
        for function in ("min", "max")
    }

    assert found["min"] == ["0.0", "-0.0", "-0.0", "-0.0", "-0.0"]
    assert found["max"] == ["0.0", "0.0", "0.0", "nan", "nan"]


def test_a_key_is_the_same_with_a_null_and_without_one() -> None:
    rows = [["a", number, 1, 0.0, "", 0] for number in (0.0, None, 0.0)]
    found = [
        row[2]
        for batch in _run(ReduceWork(_plan((0, 1), {"n": "sum"})), rows, 2)
        for row in batch.rows()
    ]

    assert found == [1, 1, 2]
