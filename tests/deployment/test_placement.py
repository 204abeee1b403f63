"""Where subtasks run, and which of their channels are local: formulas against plain counting."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.deployment import resources
from explorer.deployment.buffers import BLOCKING
from explorer.deployment.placement import bytes_of_edges, bytes_over_network
from explorer.deployment.slot_sharing import PlacedSubtask
from explorer.documents import load_document
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.model.pipeline import Pipeline
from tests.strategies import pipelines


@given(pipelines(), st.integers(1, 5))
def test_channels_and_buffers_are_those_that_counting_gives(pipeline: Pipeline, slots: int) -> None:
    options = {"taskmanager.numberOfTaskSlots": slots}
    try:
        found = resources(pipeline, options)
    except ExplorerError:
        return
    if found.placement is None:  # A parallelism is decided later.
        assert found.network is None
        return

    graph = compile_program(pipeline).execution_graph
    where = found.placement.task_manager_of
    for edge, channels in zip(graph.edges, found.channels, strict=True):
        ends = [
            (where[PlacedSubtask(edge.source, a)], where[PlacedSubtask(edge.target, b)])
            for a, b in edge.pairs()
        ]
        assert channels.local == sum(a == b for a, b in ends)
        assert channels.remote == sum(a != b for a, b in ends)
    assert found.network is not None
    assert [len(one) <= slots for one in found.placement.task_managers] == [
        True
    ] * found.task_managers
    streams = not any(result.result_type in BLOCKING for result in graph.results)
    required = sum(task.required for task in found.network.tasks)
    asked_for = sum(one.required for one in found.network.task_managers)
    assert asked_for == required if streams else asked_for <= required


def test_bytes_cross_the_network_as_channels_do() -> None:
    document = {
        "environment": {"parallelism": 4},
        "transformations": [
            {"id": "s", "type": "source"},
            {"id": "k", "type": "rebalance", "inputs": ["s"]},
            {"id": "o", "type": "sink", "inputs": ["k"]},
        ],
    }
    found = resources(document, {"taskmanager.numberOfTaskSlots": 2})

    assert [(one.local, one.remote) for one in found.channels] == [(8, 8)]
    assert bytes_over_network(found.channels, {0: 1000}) == {0: 500.0}
    job_graph = compile_program(load_document(document)).job_graph
    source = job_graph.edges[0].source
    assert bytes_of_edges(job_graph, found.channels, {source: 640}) == {0: 640.0}
    assert bytes_of_edges(job_graph, found.channels, {"elsewhere": 640}) == {}
    assert found.placement is not None
    assert [len(one) for one in found.placement.task_managers] == [2, 2]


def test_readers_of_a_blocking_result_need_no_buffers_while_it_is_written() -> None:
    document = {
        "environment": {"parallelism": 2, "runtime_mode": "BATCH"},
        "transformations": [
            {"id": "s", "type": "source"},
            {"id": "k", "type": "rebalance", "inputs": ["s"]},
            {"id": "o", "type": "sink", "inputs": ["k"]},
        ],
    }
    found = resources(document, {"taskmanager.numberOfTaskSlots": 4}, flink_version="1.15")

    assert found.network is not None
    (one,) = found.network.task_managers
    assert [task.required for task in found.network.tasks] == [512, 512, 1, 1]
    assert one.required == 1024
