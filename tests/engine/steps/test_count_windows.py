"""Windows of so many records give what a loop over records would."""

from collections import defaultdict
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import from_rows
from explorer.engine.steps.count_windows import CountWindows, CountWindowsWork
from explorer.model.row_type import LONG, STRING, RowType
from tests.engine.operators.windows import RECORDS, ROW, window_plan


@given(
    st.lists(st.lists(RECORDS, min_size=1, max_size=9), max_size=5),
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_count_windows_are_a_loop_over_records(steps: list[Any], size: int, slide: int) -> None:
    done = window_plan("tumbling", 1, 1)
    row_type = RowType.of(k=STRING, c=LONG, s=LONG, m=LONG)
    step = CountWindowsWork(
        CountWindows(
            keys=(0,), aggregates=done.aggregates, size=size, slide=slide, row_type=row_type
        ),
        ROW,
    )
    kept: dict[str, list[int]] = defaultdict(list)
    for move in steps:
        wanted = []
        for key, value, _ in move:
            kept[key].append(value)
            if len(kept[key]) % slide == 0:
                last = kept[key][-size:]
                wanted.append([key, len(last), sum(last), max(last)])
        found = step.process(from_rows(ROW, [(key, value) for key, value, _ in move]))
        assert [row for _, batch in found for row in batch.rows()] == wanted
