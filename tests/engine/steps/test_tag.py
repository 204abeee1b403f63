"""``CoGroupedStreams.Input1Tagger``: a byte that names the input."""

import pytest

from explorer.engine.rows.batch import from_rows
from explorer.engine.steps.tag import Tag
from explorer.model.row_type import LONG, RowType

ROW = RowType.of(n=LONG)


@pytest.mark.parametrize("tag", [0, 1, 2])
def test_rows_have_the_tag_of_their_input(tag: int) -> None:
    emissions = Tag(tag=tag).process("in", from_rows(ROW, [[7]]))
    ((_, made),) = emissions

    assert made.row_type == ROW.tagged(tag)
    assert made.rows() == [[7]]
