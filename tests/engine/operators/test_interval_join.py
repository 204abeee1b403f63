"""An interval join gives what Flink's operator gives, a record at a time, with its late rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.engine.operators import interval_join
from explorer.engine.operators.interval_join import IntervalJoin
from explorer.engine.rows.batch import Batch, from_rows
from explorer.engine.rows.errors import RowError
from explorer.engine.rows.sizes import BatchTooLargeError
from explorer.engine.steps.step_work import MIN_WATERMARK, SubtaskContext
from explorer.model.row_type import LONG, STRING, RowType
from tests.engine.operators.few_rows import refusal, report

ROW = RowType.of(k=STRING, n=LONG)
BOTH = RowType.of(k=STRING, n=LONG, k0=STRING, n0=LONG)

RECORDS = st.tuples(st.sampled_from("ab"), st.integers(-4, 4), st.integers(0, 9))
BATCHES = st.tuples(st.integers(0, 1), st.lists(RECORDS, min_size=1, max_size=6))
Given = Sequence[tuple[int, list[tuple[str, int, int]]] | int]


def sides(lower: int, upper: int) -> list[Any]:
    join = IntervalJoin(
        side=0, keys=((0,), (0,)), lower=lower, upper=upper, joined=BOTH, columns=(), row_type=BOTH
    )
    share = SubtaskContext(0, 1, {})
    return [replace(join, side=side).work("join", ROW, share) for side in (0, 1)]


def timed(records: list[tuple[str, int, int]]) -> Batch:
    times = np.array([time for _, _, time in records])
    return from_rows(ROW, [record[:2] for record in records]).with_timestamps(times)


class Loop:
    """``IntervalJoinOperator``, with a timer for each row."""

    def __init__(self, lower: int, upper: int) -> None:
        self.bounds = ((lower, upper), (-upper, -lower))
        self.kept: tuple[list[Any], list[Any]] = ([], [])
        self.watermark = MIN_WATERMARK

    def add(self, side: int, k: str, n: int, time: int) -> list[list[Any]]:
        if time < self.watermark:
            return []
        lower, upper = self.bounds[side]
        found = []
        for other in self.kept[1 - side]:
            if other[0] == k and time + lower <= other[2] <= time + upper:
                pair = [[k, n], list(other[:2])]
                first, second = pair if side == 0 else pair[::-1]
                found.append([*first, *second, max(time, other[2])])
        self.kept[side].append((k, n, time))
        return found

    def advance(self, watermark: int) -> None:
        self.watermark = max(self.watermark, watermark)
        for side in (0, 1):
            later = max(self.bounds[side][1], 0)
            self.kept[side][:] = [o for o in self.kept[side] if o[2] + later > self.watermark]


@given(st.lists(BATCHES | st.integers(0, 12), max_size=10), st.integers(-4, 4), st.integers(0, 4))
def test_pairs_are_those_of_a_loop(given: Given, lower: int, width: int) -> None:
    steps, loop = sides(lower, lower + width), Loop(lower, lower + width)
    for one in given:
        if isinstance(one, int):
            loop.advance(one)
            assert [step.advance(one) for step in steps] == [[], []]
            continue
        side, records = one
        wanted = [pair for record in records for pair in loop.add(side, *record)]
        found = []
        for _, batch in steps[side].process(timed(records)):
            assert batch.timestamps is not None
            found += [[*r, t] for r, t in zip(batch.rows(), batch.timestamps.tolist(), strict=True)]
        assert sorted(map(repr, found)) == sorted(map(repr, wanted))


def test_too_many_pairs_at_once_are_refused_and_nothing_is_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(interval_join, "_PAIRS_AT_ONCE", 3)
    first, second = sides(0, 0)
    first.process(timed([("a", 1, 5), ("a", 2, 5)]))
    with pytest.raises(BatchTooLargeError):
        second.process(timed([("a", 3, 5), ("a", 4, 5)]))
    ((_, pairs),) = second.process(timed([("a", 3, 5)]))
    assert len(pairs) == 2


def test_a_join_wants_timestamps() -> None:
    with pytest.raises(RowError, match="the record has no timestamp"):
        sides(0, 0)[0].process(from_rows(ROW, [("a", 1)]))


def test_a_column_name_of_both_inputs_gets_a_number() -> None:
    near = {"type": "interval_join", "inputs": ["b", "b"], "between": {"lower": 0, "upper": 9}}
    found = report(near).sinks["o"]

    assert [name for name, _ in found.columns] == ["k", "n", "t", "k0", "n0", "t0"]
    assert ("a", 1, 5, "a", 3, 9) in (found.data or ())
    assert "there is no column 'y'" in refusal({**near, "select": {"x": "y"}})
