"""State shape ``pause``: a key's last row after a pause."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.errors import RowError
from explorer.engine.steps.after_pause import AfterPause
from explorer.engine.steps.step_work import MAX_WATERMARK, SubtaskContext
from tests.engine.operators.steps import BATCHES, MORE, ROW, Given, emitted


@given(BATCHES, st.integers(1, 6))
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
    assert sorted(map(repr, emitted(step, given))) == sorted(map(repr, wanted))


def test_a_pause_wants_timestamps() -> None:
    step = AfterPause(keys=(0,), gap=5, row_type=MORE)
    waiting = step.work("quiet", ROW, SubtaskContext(0, 1, {}))
    with pytest.raises(RowError, match="the record has no timestamp"):
        waiting.process(from_rows(ROW, [("a", 1)]))
