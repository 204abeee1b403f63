"""How the edges that leave a task travel: result type, pattern, shared data sets.

Mirrors ``StreamingJobGraphGenerator.connect``, ``determineResultPartitionType`` and
``createOrReuseOutput``.
"""

from collections.abc import Mapping
from typing import Final

from explorer.errors import FlinkRefusalError
from explorer.model.chains import Chains, JobSettings, Output, Partitioner
from explorer.model.release import Release
from explorer.model.stream_graph import StreamEdge, StreamGraph

POINTWISE: Final = frozenset({"FORWARD", "RESCALE"})
"""The partitioners whose ``isPointwise`` is true."""

_BY_EDGE: Final = {
    "PIPELINED": "PIPELINED_BOUNDED",
    "BATCH": "BLOCKING",
    "HYBRID_FULL": "HYBRID_FULL",
    "HYBRID_SELECTIVE": "HYBRID_SELECTIVE",
}
_GLOBAL: Final = {
    "ALL_EDGES_BLOCKING": "BLOCKING",
    "ALL_EDGES_PIPELINED": "PIPELINED_BOUNDED",
    "ALL_EDGES_HYBRID_FULL": "HYBRID_FULL",
    "ALL_EDGES_HYBRID_SELECTIVE": "HYBRID_SELECTIVE",
}
_SHARED: Final = frozenset({"BLOCKING", "HYBRID_FULL", "HYBRID_SELECTIVE"})
"""The result types that can be read more than once."""

DataSetKey = tuple[object, ...]


def plan_outputs(
    graph: StreamGraph,
    chains: Chains,
    partitioners: Mapping[int, Partitioner],
    parallelism: Mapping[int, int],
    settings: JobSettings,
    release: Release,
) -> tuple[Output, ...]:
    """An output for each edge that leaves a task, in the order in which Flink connects them.

    ``partitioners``: by edge; ``parallelism``: by chain.

    Raises ``FlinkRefusalError`` where a blocking result meets a buffer timeout.
    """
    known: dict[DataSetKey, int] = {}
    outputs: list[Output] = []
    for chain in chains.chains:
        for position in chain.out_edges:
            edge = graph.edges[position]
            partitioner, strategy = partitioners[position]
            result_type = _result_type(edge, partitioner, settings)
            if release.checks_buffer_timeout:
                _check_timeout(graph, edge, strategy, result_type, release)
            if result_type == "HYBRID_SELECTIVE" and partitioner == "BroadcastPartitioner":
                result_type = "HYBRID_FULL"
            key: DataSetKey = (position,)
            if release.shared_data_sets and result_type in _SHARED:
                subtasks = parallelism[chains.chain_of[edge.target]]
                key = _data_set_key(graph, edge, partitioner, result_type, subtasks)
            outputs.append(
                Output(
                    edge=position,
                    ship_strategy=strategy,
                    distribution_pattern="POINTWISE" if strategy in POINTWISE else "ALL_TO_ALL",
                    result_type=result_type,
                    dataset=known.setdefault(key, len(known)),
                    buffer_timeout=edge.buffer_timeout,
                )
            )
    return tuple(outputs)


def _result_type(edge: StreamEdge, partitioner: str, settings: JobSettings) -> str:
    if edge.exchange_mode in _BY_EDGE:
        return _BY_EDGE[edge.exchange_mode]
    if settings.exchange_mode in _GLOBAL:
        return _GLOBAL[settings.exchange_mode]
    # FORWARD_EDGES_PIPELINED
    return "PIPELINED_BOUNDED" if partitioner.startswith("Forward") else "BLOCKING"


def _check_timeout(
    graph: StreamGraph, edge: StreamEdge, strategy: str, result_type: str, release: Release
) -> None:
    if result_type != "BLOCKING" or edge.buffer_timeout == -1:
        return
    source, target = graph.by_id[edge.source], graph.by_id[edge.target]
    text = release.edge_text.format(
        partitioner=strategy,
        mode=edge.exchange_mode,
        timeout=edge.buffer_timeout,
        tag=f"OutputTag(Row, {edge.side_output})" if edge.side_output else "null",
        unique=edge.unique_id,
    )
    ends = f"{source.name}-{source.id} -> {target.name}-{target.id}"
    msg = release.timeout_refusal.format(
        timeout=edge.buffer_timeout, edge=f"({ends}, typeNumber={edge.type_number}, {text})"
    )
    who = [end.transformation or end.name for end in (source, target)]
    raise FlinkRefusalError(msg, exception="UnsupportedOperationException", transformations=who)


def _data_set_key(
    graph: StreamGraph, edge: StreamEdge, partitioner: str, result_type: str, subtasks: int
) -> DataSetKey:
    """Edges with equal keys read one data set."""
    return (
        edge.source,
        result_type,
        partitioner,
        subtasks,
        graph.by_id[edge.target].max_parallelism,
        edge.side_output,
    )
