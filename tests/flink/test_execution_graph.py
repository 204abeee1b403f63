"""Records of the execution graph: subtasks, their names and ranges, and the counts."""

import pytest

from explorer import compile_graph
from explorer.flink.execution_graph import ExecutionGraph, ExecutionJobVertex
from explorer.flink.subtask_wiring import UndecidedParallelismError
from tests.comparison.small_jobs import COUNT, program


def graph(**environment: object) -> ExecutionGraph:
    return compile_graph(program(COUNT, flink="1.20", **environment)).execution_graph


def vertex(parallelism: int = 3) -> ExecutionJobVertex:
    return ExecutionJobVertex(
        id="0" * 32,
        name="Map",
        parallelism=parallelism,
        max_parallelism=128,
        max_parallelism_derived=True,
        inputs=(),
        results=(),
    )


def test_a_subtask_is_named_as_a_task_manager_shows_it() -> None:
    assert [(one.subtask, one.name, one.key_groups) for one in vertex().subtasks()] == [
        (0, "Map (1/3)", (0, 42)),
        (1, "Map (2/3)", (43, 85)),
        (2, "Map (3/3)", (86, 127)),
    ]


@pytest.mark.parametrize("number", [-1, 3])
def test_a_subtask_that_is_not_there_is_refused(number: int) -> None:
    with pytest.raises(IndexError, match=f"'Map' has subtasks 0 to 2, not {number}"):
        vertex().subtask(number)


def test_an_undecided_vertex_has_no_subtasks_yet() -> None:
    undecided = vertex(-1)

    assert not undecided.decided
    for ask in (undecided.subtasks, lambda: undecided.subtask(0)):
        with pytest.raises(UndecidedParallelismError, match="'Map'"):
            ask()


def test_counts_are_sums_of_what_is_decided() -> None:
    streaming, batch = graph(parallelism=3), graph(parallelism=3, runtime_mode="BATCH")

    assert streaming.counts == (6, 3, 9, 9, 0, 0)
    assert graph(parallelism=1).counts == (2, 1, 1, 1, 0, 0)
    assert batch.counts.undecided_vertices == sum(not one.decided for one in batch.vertices) > 0
    assert batch.counts.undecided_edges == sum(one.count is None for one in batch.edges)
    assert batch.counts.subtasks == sum(one.parallelism for one in batch.vertices if one.decided)


def test_a_result_has_a_partition_for_each_subtask_of_its_producer() -> None:
    found = graph(parallelism=3)

    (result,) = found.results
    assert (result.producer, result.partitions, result.consumers) == (0, 3, (0,))
    (edge,) = found.edges
    assert (edge.source, edge.target, edge.result) == (0, 1, 0)
