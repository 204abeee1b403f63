"""``WindowOperator`` over time windows gives what a loop over records would."""

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import NO_TIMESTAMP, Batch, from_rows
from explorer.engine.rows.errors import RowError
from explorer.engine.steps.step_work import MAX_WATERMARK
from explorer.engine.steps.window_aggregate import WindowAggregateWork
from tests.engine.operators.windows import KINDS, ROW, Assigner, WindowLoop, walk, window_plan
from tests.examples import examples


@pytest.mark.parametrize("lateness", [0, 3])
@pytest.mark.parametrize("kind", KINDS)
@examples(3)
@given(st.integers(0, 1 << 32))
def test_windows_are_a_loop_over_records(
    kind: tuple[Assigner, int, int], lateness: int, seed: int
) -> None:
    made = msgspec.structs.replace(window_plan(*kind, lateness), late_output="late")
    step, loop = WindowAggregateWork("w", made, ROW), WindowLoop(*kind, lateness)
    for move in walk(seed):
        if isinstance(move, list):
            batch = from_rows(ROW, [(key, value) for key, value, _ in move])
            emissions = step.process(batch.with_timestamps(np.array([time for _, _, time in move])))
            wanted = [row for record in move for row in loop.add(*record)]
        else:
            emissions, wanted = step.advance(move), loop.advance(move)
        late = [batch for tag, batch in emissions if tag == "late"]
        emitted = [batch for tag, batch in emissions if tag is None]
        found = [row for batch in emitted for row in batch.rows()]

        assert sorted(found) == sorted(wanted)
        assert sorted(_timed(late)) == sorted(loop.late)
        loop.late.clear()
        assert all(
            batch.timestamps is not None
            and batch.timestamps.tolist() == [row[2] - 1 for row in batch.rows()]
            for batch in emitted
        )


def _timed(batches: list[Batch]) -> list[list[Any]]:
    """The rows, each with its timestamp behind it."""
    return [
        [*row, time]
        for batch in batches
        if batch.timestamps is not None
        for row, time in zip(batch.rows(), batch.timestamps.tolist(), strict=True)
    ]


def test_windows_go_on_earliest_first() -> None:
    step = WindowAggregateWork("w", window_plan("tumbling", 10, 10), ROW)
    batch = from_rows(ROW, [("b", 1), ("a", 2), ("b", 3)])
    step.process(batch.with_timestamps(np.array([25, 5, 3])))
    ((_, found),) = step.advance(MAX_WATERMARK)

    assert [row[:3] for row in found.rows()] == [["b", 0, 10], ["a", 0, 10], ["b", 20, 30]]


@pytest.mark.parametrize("times", [None, np.array([5, NO_TIMESTAMP])])
def test_a_record_without_a_timestamp_is_refused(times: Any) -> None:
    step = WindowAggregateWork("my window", window_plan("tumbling", 10, 10), ROW)
    with pytest.raises(RowError, match="operator 'my window', window: the record has no timestamp"):
        step.process(from_rows(ROW, [("a", 1), ("b", 2)]).with_timestamps(times))
