"""Tasks: operators by their nodes, and the outputs that a record goes through."""

import pytest

from explorer.model.stream_graph import NodeId
from explorer.model.task_chain import TaskChain, TaskOperator, TaskOutput

NETWORK = TaskOutput(class_name="RecordWriterOutput", network=0)
CALL = TaskOutput(class_name="ChainingOutput", operator=NodeId(2))
BROADCAST = TaskOutput(class_name="BroadcastingOutput", outputs=(CALL, NETWORK))
COUNTING = TaskOutput(class_name="CountingOutput", outputs=(BROADCAST,))


def test_leaves_are_the_outputs_that_call_or_write_in_their_order() -> None:
    assert list(COUNTING.leaves()) == [CALL, NETWORK]
    assert list(NETWORK.leaves()) == [NETWORK]
    assert list(TaskOutput(class_name="CountingOutput").leaves()) == []


def test_a_route_names_the_classes_up_to_its_leaf() -> None:
    assert [through for through, _ in COUNTING.routes()] == [
        ("CountingOutput", "BroadcastingOutput", "ChainingOutput"),
        ("CountingOutput", "BroadcastingOutput", "RecordWriterOutput"),
    ]


def test_an_operator_is_found_by_its_node() -> None:
    operators = tuple(
        TaskOperator(node=NodeId(id), name=f"n{id}", output=COUNTING) for id in (1, 2)
    )
    task = TaskChain(
        vertex="0" * 32,
        name="task",
        invokable="OneInputStreamTask",
        chain="RegularOperatorChain",
        wrapper="StreamOperatorWrapper",
        object_reuse=False,
        operators=operators,
        built=(NodeId(2), NodeId(1)),
        head=NodeId(1),
        network=(),
        reads=None,
    )

    assert task.operator(NodeId(2)) is operators[1]
    with pytest.raises(KeyError):
        task.operator(NodeId(3))
