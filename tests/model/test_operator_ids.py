"""Operator IDs that a running job does not reveal: marks that no lookup finds."""

from explorer.model.operator_ids import UNKNOWN, is_same_id, is_unknown, known_id, unknown_id
from explorer.model.stream_graph import NodeId


def test_marks_differ_by_operator() -> None:
    marks = {unknown_id(NodeId(number)) for number in range(3)}
    assert len(marks) == 3
    assert all(map(is_unknown, marks))


def test_a_mark_is_no_id() -> None:
    mark, id = unknown_id(NodeId(7)), "cbc357ccb763df2852fee8c4fc7d55f2"

    assert mark.startswith(UNKNOWN)
    assert (known_id(mark), known_id(id)) == (None, id)
    assert not is_unknown(id)
    assert not is_unknown(None)


def test_a_mark_is_the_same_id_as_none() -> None:
    mark, id = unknown_id(NodeId(7)), "cbc357ccb763df2852fee8c4fc7d55f2"

    assert is_same_id(id, id)
    assert not is_same_id(id, id[::-1])
    assert not is_same_id(mark, mark)
