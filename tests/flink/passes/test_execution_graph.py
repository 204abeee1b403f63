"""Subtasks, partitions and who reads what: Flink's own figures, and laws for all others."""

import gzip
import json
from itertools import islice
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import Compilation, compile_graph
from explorer.errors import FlinkRefusalError
from explorer.flink.execution_graph import ExecutionEdges, ExecutionGraph
from explorer.flink.json_members import execution_graph_members
from explorer.flink.key_groups import default_max_parallelism
from explorer.flink.releases import VERSIONS, release
from explorer.flink.subtask_wiring import UndecidedParallelismError
from explorer.model.document import StreamGraphDocument
from explorer.model.pipeline import Pipeline
from tests.golden_files import GOLDEN
from tests.strategies import pipelines


def facts(name: str) -> list[dict[str, Any]]:
    with gzip.open(GOLDEN / "facts.json.gz", "rt", encoding="utf-8") as text:
        found: list[dict[str, Any]] = json.load(text)[name]
    return found


def one_edge(
    type_: str, producers: int, consumers: int, version: str = "1.20", **environment: Any
) -> Compilation:
    """A source and a sink with a partition between them."""
    document = {
        "environment": environment,
        "transformations": [
            {"id": "in", "type": "source", "parallelism": producers},
            {"id": "by", "type": type_, "inputs": ["in"]},
            {"id": "out", "type": "sink", "inputs": ["by"], "parallelism": consumers},
        ],
    }
    return compile_graph(document, version)


def edges_between(producers: int, consumers: int, *, floats: bool = False) -> ExecutionEdges:
    return ExecutionEdges(
        job_edge=0,
        source=0,
        target=1,
        input=0,
        result=0,
        producers=producers,
        consumers=consumers,
        most_consumers=consumers,
        pointwise=True,
        broadcast=False,
        forward=False,
        dynamic=False,
        floats=floats,
    )


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.12", "1.13", "1.20", "2.3"])
def test_every_consumer_of_a_pointwise_edge_reads_the_partitions_that_flink_names(
    version: str,
) -> None:
    for fact in facts("pointwise"):
        done = one_edge("rescale", fact["upstream"], fact["downstream"], version)
        (edge,) = done.execution_graph.edges

        found = [edge.consumed(i).partitions for i in range(fact["downstream"])]

        assert [[part[0], part[-1]] for part in found] == fact["consumed_partitions"]


def test_the_rule_goes_with_the_release() -> None:
    partitions = {
        version: list(one_edge("rescale", 14, 16, version).execution_graph.edges[0].consumed(8)[0])
        for version in VERSIONS[3:]
    }

    assert partitions == {version: [6] if version == "1.12" else [7] for version in VERSIONS[3:]}
    assert [version for version in VERSIONS if release(version).pointwise_in_floats] == [
        "1.9",
        "1.10",
        "1.11",
        "1.12",
    ]


def test_the_derived_maximum_parallelism_is_flinks() -> None:
    for fact in facts("default_max_parallelism"):
        assert default_max_parallelism(fact["parallelism"]) == fact["max_parallelism"]
        document = {
            "transformations": [
                {"id": "in", "type": "source", "parallelism": fact["parallelism"]},
                {"id": "out", "type": "sink", "inputs": ["in"], "max_parallelism": 9},
            ]
        }
        source = compile_graph(document, "1.20").execution_graph.vertices[0]

        assert source.max_parallelism == fact["max_parallelism"]
        assert source.max_parallelism_derived


@pytest.mark.slow
def test_a_keys_group_lies_in_the_range_of_the_subtask_that_owns_it() -> None:
    for fact in facts("key_groups"):
        most, parallelism = fact["max_parallelism"], fact["parallelism"]
        if parallelism > most:
            continue
        done = one_edge("rebalance", 1, parallelism, max_parallelism=most)
        first, last = done.execution_graph.vertices[1].subtask(fact["operator_index"]).key_groups

        assert first <= fact["key_group"] <= last


@given(producers=st.integers(1, 300), consumers=st.integers(1, 300), floats=st.booleans())
def test_partitions_and_consumers_are_two_views_of_the_same_pairs(
    *, producers: int, consumers: int, floats: bool
) -> None:
    edges = edges_between(producers, consumers, floats=floats)
    pairs = list(edges.pairs())

    assert len(pairs) == len(set(pairs)) == edges.count
    assert sorted(pairs) == [(p, c) for p in range(producers) for c in edges.consumers_of(p)]


@given(producers=st.integers(1, 300), consumers=st.integers(1, 300), floats=st.booleans())
def test_every_subpartition_is_read_by_one_consumer(
    *, producers: int, consumers: int, floats: bool
) -> None:
    edges = edges_between(producers, consumers, floats=floats)
    read = sorted(
        (partition, subpartition)
        for consumer in range(consumers)
        for partition in edges.consumed(consumer).partitions
        for subpartition in edges.consumed(consumer).subpartitions
    )

    assert read == [(p, s) for p in range(producers) for s in range(edges.subpartitions(p) or 0)]
    assert len(read) == edges.all_subpartitions


@given(producers=st.integers(1, 200), consumers=st.integers(1, 200), pointwise=st.booleans())
def test_in_a_dynamic_graph_the_consumers_share_out_all_subpartitions(
    *, producers: int, consumers: int, pointwise: bool
) -> None:
    kind = "rescale" if pointwise else "rebalance"
    edge = one_edge(kind, producers, consumers, "1.20", runtime_mode="BATCH").execution_graph.edges[
        0
    ]
    assert edge.dynamic
    for partition in {0, producers // 2, producers - 1}:
        cut = edge.subpartitions(partition) or 0
        read = [s for c in edge.consumers_of(partition) for s in edge.consumed(c).subpartitions]

        assert sorted(read) == list(range(cut))


def test_a_broadcast_in_a_dynamic_graph_writes_one_subpartition_for_all() -> None:
    (edge,) = one_edge("broadcast", 4, 6, "1.20", runtime_mode="BATCH").execution_graph.edges

    assert edge.subpartitions(0) == 1
    assert edge.all_subpartitions == 4
    assert {edge.consumed(i) for i in range(6)} == {(range(4), range(1))}


def test_a_single_consumer_in_a_dynamic_graph_has_one_subpartition() -> None:
    (edge,) = one_edge("rebalance", 4, 1, "1.20", runtime_mode="BATCH").execution_graph.edges

    assert (edge.most_consumers, edge.subpartitions(0)) == (1, 1)


def test_a_forwarded_result_has_one_subpartition_whatever_its_readers_maximum_is() -> None:
    done = one_edge("forward", 2, 2, "1.20", runtime_mode="BATCH", chaining=False)
    (edge,) = done.execution_graph.edges
    open_edge = msgspec.structs.replace(edge, consumers=-1, most_consumers=128)

    assert (edge.forward, edge.subpartitions(0)) == (True, 1)
    assert open_edge.settled(2, 2).subpartitions(0) == 1
    assert [open_edge.settled(2, 2).readers(one) for one in range(2)] == [((0,),), ((1,),)]


@given(
    kind=st.sampled_from(["rescale", "rebalance", "broadcast"]),
    mode=st.sampled_from(["STREAMING", "BATCH"]),
    ends=st.tuples(st.integers(1, 90), st.integers(1, 90)),
    version=st.sampled_from(["1.12", "1.20"]),
)
def test_who_reads_a_subpartition_is_reported_alike_from_both_sides(
    kind: str, mode: str, ends: tuple[int, int], version: str
) -> None:
    (edge,) = one_edge(kind, *ends, version, runtime_mode=mode).execution_graph.edges
    read = {
        (partition, subpartition, consumer)
        for consumer in range(ends[1])
        for partition in edge.consumed(consumer).partitions
        for subpartition in edge.consumed(consumer).subpartitions
    }
    written = {
        (partition, subpartition, consumer)
        for partition in range(ends[0])
        for subpartition, readers in enumerate(edge.readers(partition))
        for consumer in readers
    }

    assert read == written


def test_a_hundred_million_edges_are_counted_and_not_made() -> None:
    graph = one_edge("rebalance", 10_000, 10_000).execution_graph

    assert graph.counts.edges == graph.counts.subpartitions == 10**8
    assert graph.counts.subtasks == 20_000
    assert list(islice(graph.edges[0].pairs(), 3)) == [(0, 0), (1, 0), (2, 0)]
    assert graph.edges[0].consumed(9_999) == (range(10_000), range(9_999, 10_000))
    members = execution_graph_members(graph)
    assert members["listed"] is False
    assert len(json.dumps(members)) < 2_000


def test_a_vertex_whose_parallelism_the_scheduler_decides_is_reported_as_such() -> None:
    document = {
        "environment": {"parallelism": 6, "runtime_mode": "BATCH"},
        "transformations": [
            {"id": "in", "type": "source", "parallelism": 4},
            {"id": "by", "type": "key_by", "inputs": ["in"]},
            {"id": "sum", "type": "reduce", "inputs": ["by"], "name": "Sum"},
            {"id": "out", "type": "sink", "inputs": ["sum"]},
        ],
    }
    graph = compile_graph(document, "1.20").execution_graph
    source, target = graph.vertices

    assert (source.decided, target.decided) == (True, False)
    assert (target.parallelism, target.max_parallelism) == (-1, 6)
    assert graph.counts == (4, 4, 24, 0, 1, 1)
    assert graph.edges[0].count is None
    for ask in (
        lambda: target.subtask(0),
        lambda: graph.edges[0].consumed(0),
        target.subtasks,
    ):
        with pytest.raises(UndecidedParallelismError, match="decided while the job runs"):
            ask()
    members = execution_graph_members(graph)
    assert "subtasks" not in members["vertices"][1]
    assert members["edges"][0]["count"] is None


def test_an_undecided_vertex_is_cut_for_the_environment_whatever_it_inherits() -> None:
    document = {
        "environment": {"parallelism": 2, "runtime_mode": "BATCH"},
        "transformations": [
            {"id": "in", "type": "source", "parallelism": 1},
            {"id": "ts", "type": "timestamps", "inputs": ["in"], "chaining_strategy": "NEVER"},
            {"id": "out", "type": "sink", "inputs": ["ts"], "parallelism": 1},
        ],
    }
    compiled = compile_graph(document, "1.20")
    graph = compiled.execution_graph

    assert [node.parallelism for node in compiled.stream_graph.nodes] == [1, 1, 1]
    assert (graph.vertices[1].parallelism, graph.vertices[1].max_parallelism) == (-1, 2)
    assert graph.edges[0].subpartitions(0) == 2


def test_one_result_may_have_several_consumers() -> None:
    document = {
        "environment": {"runtime_mode": "BATCH", "parallelism": 2},
        "transformations": [
            {"id": "in", "type": "source", "parallelism": 2},
            {"id": "by", "type": "rebalance", "inputs": ["in"]},
            {"id": "a", "type": "map", "inputs": ["by"], "parallelism": 3},
            {"id": "b", "type": "map", "inputs": ["by"], "parallelism": 3},
            {"id": "c", "type": "map", "inputs": ["by"], "parallelism": 4},
            *({"id": f"{x}!", "type": "sink", "inputs": [x], "parallelism": 1} for x in "abc"),
        ],
    }
    graph = compile_graph(document, "1.20").execution_graph
    source = graph.vertices[0]

    assert [len(graph.results[result].consumers) for result in source.results] == [2, 1]
    assert [graph.results[result].number for result in source.results] == [0, 1]


def test_more_subtasks_than_key_groups_are_refused() -> None:
    done = one_edge("rebalance", 1, 4)
    nodes = tuple(
        msgspec.structs.replace(node, max_parallelism=3) for node in done.stream_graph.nodes
    )
    graph = done.stream_graph.of(nodes, done.stream_graph.edges, done.stream_graph.sources)
    again = compile_graph(StreamGraphDocument(stream_graph=graph), "1.20")

    with pytest.raises(FlinkRefusalError, match=r"parallelism \(4\) is higher than the max"):
        _ = again.execution_graph


@given(pipelines())
def test_counts_equal_what_is_made(pipeline: Pipeline) -> None:
    graph: ExecutionGraph = compile_graph(pipeline).execution_graph
    decided = [vertex for vertex in graph.vertices if vertex.decided]
    known = [edge for edge in graph.edges if edge.decided]

    assert graph.counts.subtasks == sum(len(list(vertex.subtasks())) for vertex in decided)
    assert graph.counts.edges == sum(len(list(edge.pairs())) for edge in known)
    assert graph.counts.undecided_vertices == len(graph.vertices) - len(decided)
    for vertex in decided:
        ranges = [subtask.key_groups for subtask in vertex.subtasks()]
        owned = [group for first, last in ranges for group in range(first, last + 1)]
        assert owned == list(range(vertex.max_parallelism))
    json.dumps(execution_graph_members(graph))
