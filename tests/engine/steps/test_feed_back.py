"""``StreamIterationTail``: rows wait for the head of the iteration."""

from explorer.engine.rows.batch import from_rows
from explorer.engine.steps.feed_back import FeedBack
from explorer.engine.steps.step_work import SubtaskContext
from explorer.model.row_type import LONG, RowType

ROW = RowType.of(n=LONG)


def test_rows_wait_until_the_head_reads_them() -> None:
    work = FeedBack().work("tail", ROW, SubtaskContext(0, 1, {}))

    assert work.process(from_rows(ROW, [[1]])) == []
    assert work.process(from_rows(ROW, [[2]])) == []
    assert [batch.rows() for batch in work.drain()] == [[[1]], [[2]]]
    assert work.drain() == []
