"""A sink counts rows and retains some of them."""

import pytest

from explorer.engine.operators.collect import Collect
from explorer.engine.rows.batch import from_rows
from explorer.engine.steps.step_work import SubtaskContext
from explorer.model.row_type import LONG, RowType

ROW = RowType.of(n=LONG)


@pytest.mark.parametrize(("limit", "retained"), [(None, 5), (4, 4), (0, 0)])
def test_all_rows_are_counted_and_some_are_retained(limit: int | None, retained: int) -> None:
    work = Collect(row_type=0, limit=limit).work("out", ROW, SubtaskContext(0, 1, {}))
    for batch in ([[1], [2], [3]], [[4], [5]]):
        assert work.process(from_rows(ROW, batch)) == []

    assert work.rows == 5
    assert sum(map(len, work.drain())) == retained
    assert work.drain() == []
    assert work.close() is None  # it writes no file
