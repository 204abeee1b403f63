"""Keyed state gives what a function over one record at a time would, however batches are cut."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.operators.after_pause import AfterPause
from explorer.engine.operators.aggregates import Aggregate
from explorer.engine.operators.first_only import FirstOnly
from explorer.engine.operators.greatest import Greatest
from explorer.engine.operators.previous_value import PreviousValue
from explorer.engine.operators.running_column import RunningColumn
from explorer.engine.operators.step import Step
from explorer.engine.operators.step_work import MAX_WATERMARK, Rise, Share
from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.errors import RowError
from explorer.model.row_type import LONG, STRING, RowType

ROW = RowType.of(k=STRING, n=LONG)
MORE = RowType.of(k=STRING, n=LONG, made=LONG)
SUM = Aggregate(name="made", function="sum", column=1)
COUNT = Aggregate(name="made", function="count", column=None)

RECORDS = st.tuples(st.sampled_from("ab"), st.none() | st.integers(-4, 4), st.integers(0, 40))
BATCHES = st.lists(st.lists(RECORDS, min_size=1, max_size=6) | st.integers(0, 60), max_size=8)
Record = tuple[str, int | None, int]
Given = Sequence[list[Record] | int]


def made(step: Step, given: Given) -> list[list[Any]]:
    """What a step hands on of batches and watermarks, with the timestamps."""
    made = step.work("state", ROW, Share(0, 1, {}))
    rows: list[list[Any]] = []
    for one in (*given, MAX_WATERMARK):
        if isinstance(one, int):
            emissions = made.advance(one)
        else:
            times = np.array([time for _, _, time in one])
            batch = from_rows(ROW, [record[:2] for record in one]).with_timestamps(times)
            emissions = [out for out in made.process(batch) if not isinstance(out, Rise)]
        for _, batch in emissions:
            assert batch.timestamps is not None
            rows += [
                [*row, t] for row, t in zip(batch.rows(), batch.timestamps.tolist(), strict=True)
            ]
    return rows


def records(given: Given) -> Iterator[Record]:
    for one in given:
        if not isinstance(one, int):
            yield from one


@given(BATCHES)
def test_running_columns_go_up_record_by_record(given: Given) -> None:
    counts: dict[str, int] = {}
    sums: dict[str, int | None] = {}
    wanted: dict[str, list[list[Any]]] = {"count": [], "sum": []}
    for k, n, time in records(given):
        counts[k] = counts.get(k, 0) + 1
        before = sums.get(k)
        sums[k] = before if n is None else n + (before or 0)
        wanted["count"].append([k, n, counts[k], time])
        wanted["sum"].append([k, n, sums[k], time])

    for aggregate in (COUNT, SUM):
        step = RunningColumn(keys=(0,), aggregate=aggregate, row_type=MORE)
        assert made(step, given) == wanted[aggregate.function]


@given(BATCHES)
def test_the_value_before_is_that_of_the_keys_row_before(given: Given) -> None:
    last: dict[str, int | None] = {}
    wanted = []
    for k, n, time in records(given):
        wanted.append([k, n, last.get(k), time])
        last[k] = n

    assert made(PreviousValue(keys=(0,), column=1, row_type=MORE), given) == wanted


@given(BATCHES)
def test_the_first_of_its_like_goes_on(given: Given) -> None:
    seen: set[Any] = set()
    wanted = []
    for k, n, time in records(given):
        if (k, n) not in seen:
            wanted.append([k, n, time])
        seen.add((k, n))

    assert made(FirstOnly(columns=(0, 1)), given) == wanted


@given(BATCHES, st.integers(1, 3))
def test_the_greatest_so_far_go_on_with_their_rank(given: Given, size: int) -> None:
    kept: dict[str, list[int]] = {}
    wanted = []
    for k, n, time in records(given):
        mine = kept.setdefault(k, [])
        rank = len(mine) if n is None else sum(one >= n for one in mine)
        if n is not None and rank < size:
            mine.insert(rank, n)
            del mine[size:]
            wanted.append([k, n, rank + 1, time])

    assert made(Greatest(keys=(0,), column=1, size=size, row_type=MORE), given) == wanted


@given(BATCHES, st.integers(1, 20))
def test_a_timer_fires_when_a_key_has_been_quiet(given: Given, gap: int) -> None:
    state: dict[str, tuple[int, list[Any], int]] = {}
    wanted: list[list[Any]] = []
    for one in (*given, MAX_WATERMARK):
        if isinstance(one, int):
            due = [(end, k) for k, (end, _, _) in state.items() if end <= one]
            wanted += [[*state[k][1], state[k][2], end] for end, k in sorted(due)]
            for _, k in due:
                del state[k]
            continue
        for k, n, time in one:
            end, _, count = state.get(k, (time + gap, [], 0))
            state[k] = max(end, time + gap), [k, n], count + 1

    step = AfterPause(keys=(0,), gap=gap, row_type=MORE)
    # Which of two keys comes first at one time Flink leaves to its heap.
    assert sorted(map(repr, made(step, given))) == sorted(map(repr, wanted))


def test_a_pause_wants_timestamps() -> None:
    step = AfterPause(keys=(0,), gap=5, row_type=MORE)
    waiting = step.work("quiet", ROW, Share(0, 1, {}))
    with pytest.raises(RowError, match="the record has no timestamp"):
        waiting.process(from_rows(ROW, [("a", 1)]))
