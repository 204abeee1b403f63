"""Execution graphs in rows: counted and never built."""

from typing import Any

from explorer import compile_graph
from explorer.documents import load_document, samples
from explorer.flink.execution_graph import ExecutionGraph
from explorer.flink.operator_state import registered_states
from explorer.flink.partitioners import KEYED
from explorer.model.stream_graph import StreamNode
from explorer.running.execution import (
    LATER,
    ends_text,
    key_groups_text,
    keyed_tasks,
    reads_text,
    size,
    subtask_rows,
)


def graph(
    source: int, second: int, *, partitioner: str | None = None, **more: Any
) -> ExecutionGraph:
    """A source and a map, with a partitioner between them where one is named."""
    transformations: list[dict[str, Any]] = [
        {"id": "a", "name": "A", "type": "source", "parallelism": source}
    ]
    if partitioner:
        transformations.append({"id": "p", "type": partitioner, "inputs": ["a"]})
    transformations.append(
        {"id": "b", "name": "B", "type": "map", "parallelism": second}
        | {"inputs": ["p" if partitioner else "a"]}
        | more
    )
    return compile_graph({"transformations": transformations}, "1.20").execution_graph


def test_a_hundred_million_edges_are_a_number() -> None:
    made = graph(10_000, 10_000, partitioner="rebalance")
    (edge,) = made.edges

    assert size(made) == "20,000 subtasks · 10,000 result partitions · 100,000,000 edges"
    assert edge.count == 100_000_000
    assert (edge.pointwise, reads_text(edge)) == (False, "all 10,000 partitions")
    assert ends_text(edge) == "10,000 → 10,000"


def test_a_derived_maximum_is_distinguished_from_one_that_is_set() -> None:
    source, second = graph(3, 200, max_parallelism=720).vertices

    assert (source.max_parallelism, source.max_parallelism_derived) == (128, True)
    assert (second.max_parallelism, second.max_parallelism_derived) == (720, False)


def test_few_ranges_are_listed_one_by_one_and_many_from_both_ends() -> None:
    source, second = map(key_groups_text, graph(3, 200, max_parallelism=720).vertices)

    assert source == "0 to 42 · 43 to 85 · 86 to 127"
    assert second == "0 to 3 · 4 to 7 · … · 717 to 719"


def test_a_point_wise_edge_reports_how_many_partitions_a_subtask_reads() -> None:
    for ends, reads in (
        ((4, 2), "2 partitions each"),
        ((5, 2), "2 or 3 partitions each"),
        ((2, 5), "1 partition each"),
    ):
        (edge,) = graph(*ends, partitioner="rescale").edges
        assert (edge.pointwise, reads_text(edge), edge.count) == (True, reads, max(ends))


def test_a_subtask_names_those_whose_partitions_it_reads() -> None:
    made = graph(5, 2, partitioner="rescale")
    rows = list(subtask_rows(made, [made.vertices[1].id], most=10))

    name = made.vertices[1].name
    assert [one.name for _, one, _ in rows] == [f"{name} ({n}/2)" for n in (1, 2)]
    assert [one.key_groups for _, one, _ in rows] == [(0, 63), (64, 127)]
    assert [reads for _, _, reads in rows] == ["Source: A: 1 to 2", "Source: A: 3 to 5"]


def test_a_window_of_subtasks_is_made_and_no_more() -> None:
    made = graph(30_000, 2, partitioner="rebalance")
    rows = list(subtask_rows(made, [made.vertices[0].id], first=29_990, most=100))

    assert [one.subtask for _, one, _ in rows] == list(range(29_990, 30_000))


def test_later_decisions_of_the_scheduler_are_reported_as_undecided() -> None:
    document = {
        "environment": {"runtime_mode": "BATCH"},
        "transformations": [
            {"id": "a", "type": "source"},
            {"id": "k", "type": "key_by", "inputs": ["a"]},
            {"id": "r", "type": "reduce", "inputs": ["k"]},
        ],
    }
    made = compile_graph(document, "1.20").execution_graph

    assert key_groups_text(made.vertices[-1]) == LATER
    assert "decided while the job runs" in size(made)
    assert [(edge.count, reads_text(edge)) for edge in made.edges] == [(None, LATER)]
    assert list(subtask_rows(made, [made.vertices[-1].id], most=5)) == []


def test_key_groups_are_of_tasks_that_read_a_stream_by_key() -> None:
    """A source, a map and a sink have a range too, which is not looked up."""
    done = compile_graph(
        {
            "transformations": [
                {"id": "a", "type": "source"},
                {"id": "m", "type": "map", "parallelism": 2, "inputs": ["a"]},
                {"id": "k", "type": "key_by", "inputs": ["m"]},
                {"id": "r", "type": "reduce", "parallelism": 2, "inputs": ["k"]},
                {"id": "o", "type": "sink", "parallelism": 1, "inputs": ["r"]},
            ]
        },
        "1.20",
    )

    named = {vertex.name for vertex in done.job_graph.vertices if vertex.id in keyed_tasks(done)}
    assert named == {"Keyed Reduce"}


def _declares_key(node: StreamNode) -> bool:
    declared = None if node.operator is None else node.operator.declared
    return declared is not None and declared.key is not None


def test_keyed_state_is_reported_only_of_readers_of_a_keyed_stream() -> None:
    for sample in samples():
        done = compile_graph(load_document(sample.path))
        held = registered_states(done.stream_graph, done.pipeline, done.release)
        edges = done.stream_graph.edges
        reading = {edge.target for edge in edges if edge.partitioner_class == KEYED}
        # SQL keys a stream without key columns by an empty row, and sends it to one subtask.
        reading |= {one.id for one in done.stream_graph.nodes if _declares_key(one)}
        assert {node for node, state in held.items() if "keyed" in state.what} <= reading
