"""Outputs of a task by edge: result type, distribution pattern, shared data sets.

Mirrors ``StreamingJobGraphGenerator.connect``, ``determineResultPartitionType``,
``createOrReuseOutput`` and what ``createChain`` marks as ``isOutputOnlyAfterEndOfStream``.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec

from explorer.errors import FlinkRefusalError
from explorer.flink.partitioners import BROADCAST, partitioner_class
from explorer.flink.regions import reachable_from
from explorer.flink.releases import Release
from explorer.model.chains import Chains, JobSettings, Output, Partitioner
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph

_BY_EDGE: Final = {
    "PIPELINED": "PIPELINED_BOUNDED",
    "BATCH": "BLOCKING",
    "HYBRID_FULL": "HYBRID_FULL",
    "HYBRID_SELECTIVE": "HYBRID_SELECTIVE",
}
_GLOBAL: Final = {
    "ALL_EDGES_BLOCKING": "BLOCKING",
    "ALL_EDGES_PIPELINED": "PIPELINED_BOUNDED",
    "ALL_EDGES_PIPELINED_APPROXIMATE": "PIPELINED_APPROXIMATE",
    "ALL_EDGES_HYBRID_FULL": "HYBRID_FULL",
    "ALL_EDGES_HYBRID_SELECTIVE": "HYBRID_SELECTIVE",
}
_BLOCKING: Final = frozenset({"BLOCKING", "BLOCKING_PERSISTENT"})
_HYBRID: Final = frozenset({"HYBRID_FULL", "HYBRID_SELECTIVE"})

DataSetKey = tuple[object, ...]


def plan_outputs(
    graph: StreamGraph,
    chains: Chains,
    partitioners: Mapping[int, Partitioner],
    sizes: Mapping[int, tuple[int, int]],
    settings: JobSettings,
    release: Release,
) -> tuple[Output, ...]:
    """An output for each edge that leaves a task, in the order in which Flink connects them.

    ``partitioners``: by edge, in that order: vertices as they were made, downstream first, and of
    each its transitive edges. ``sizes``: by chain, its parallelism and its maximum.

    Raises ``FlinkRefusalError`` where a blocking result meets a buffer timeout, and where a hybrid
    one meets a streaming job or a slot sharing group.
    """
    known: dict[DataSetKey, int] = {}
    outputs: list[Output] = []
    late = _nodes_that_emit_at_the_end(graph, chains, release)
    for position, partitioner in partitioners.items():
        edge = graph.edges[position]
        if edge.exchange_mode == "UNDEFINED" and edge.source in late:
            # The source asks for this exchange where the program asks for none.
            edge = msgspec.structs.replace(edge, exchange_mode="BATCH", buffer_timeout=-1)
        result_type = _result_type(edge, partitioner, settings, release)
        # ``StreamingJobGraphGenerator.checkBufferTimeout``: a blocking result is read when it is
        # complete, so a timeout that flushes it is refused and not ignored.
        timed = result_type in _BLOCKING and edge.buffer_timeout != -1
        if timed and release.checks_buffer_timeout:
            raise _timeout_refusal(graph, edge, partitioner.ship_strategy, release)
        key: DataSetKey = (position,)
        if _is_shared(result_type, release):
            size = sizes[chains.chain_of[edge.target]]
            key = _data_set_key(graph, position, partitioner, result_type, size)
        outputs.append(
            Output(
                edge=position,
                ship_strategy=partitioner.ship_strategy,
                partitioner_class=partitioner.class_name,
                distribution_pattern="POINTWISE" if partitioner.pointwise else "ALL_TO_ALL",
                result_type=result_type,
                dataset=known.setdefault(key, len(known)),
                buffer_timeout=edge.buffer_timeout,
            )
        )
    _check_hybrid(graph, chains, outputs, settings, release)
    readers = Counter(output.dataset for output in outputs)
    # ``checkAndReplaceReusableHybridPartitionType``: a hybrid result with several readers is
    # written out in full, since what HYBRID_SELECTIVE drops once read could not be read again.
    return tuple(
        msgspec.structs.replace(output, result_type="HYBRID_FULL")
        if output.result_type == "HYBRID_SELECTIVE" and readers[output.dataset] > 1
        else output
        for output in outputs
    )


def _is_shared(result_type: str, release: Release) -> bool:
    """Whether edges that ask for the same result read one data set."""
    if result_type in _HYBRID:
        return release.hybrid_results_shared
    return release.shared_data_sets and result_type in _BLOCKING


def _data_set_key(
    graph: StreamGraph,
    position: int,
    partitioner: Partitioner,
    result_type: str,
    size: tuple[int, int],
) -> DataSetKey:
    """Edges with equal keys read one data set; ``size``: their readers' parallelism and maximum.

    Flink asks whether the partitioners are equal, and those ask their key selectors and custom
    partitioners in turn. These are objects of the program, and Java considers such an object equal
    to itself alone: two ``keyBy`` calls share nothing, even by the same columns, while all that
    reads one of them shares.
    """
    edge = graph.edges[position]
    kind = "HYBRID" if result_type in _HYBRID else result_type
    calls = partitioner_class(partitioner.class_name).calls
    called = (edge.selector or position) if calls else None
    cached = edge.intermediate_data_set
    return (edge.source, kind, partitioner, called, size, edge.side_output, cached)


def _check_hybrid(
    graph: StreamGraph,
    chains: Chains,
    outputs: list[Output],
    settings: JobSettings,
    release: Release,
) -> None:
    """``validateHybridShuffleExecuteInBatchMode``, and what ``setSlotSharing`` asks."""
    hybrid = [graph.edges[o.edge].source for o in outputs if o.result_type in _HYBRID]
    if not hybrid:
        return
    if release.hybrid_needs_batch and not settings.batch:
        msg = (
            "hybrid shuffle mode only supports batch job, please set execution.runtime-mode to "
            "BATCH"
        )
        raise _hybrid_refusal(msg, graph, hybrid)
    heads = [chain.head for chain in chains.chains]
    if elsewhere := [id for id in heads if graph.by_id[id].slot_sharing_group != "default"]:
        msg = (
            "hybrid shuffle mode currently does not support setting non-default slot sharing group."
        )
        raise _hybrid_refusal(msg, graph, elsewhere)


def _hybrid_refusal(msg: str, graph: StreamGraph, nodes: Sequence[NodeId]) -> FlinkRefusalError:
    owner = [graph.by_id[id].handle for id in nodes]
    return FlinkRefusalError(msg, exception="IllegalStateException", transformations=owner)


def _result_type(
    edge: StreamEdge, partitioner: Partitioner, settings: JobSettings, release: Release
) -> str:
    asked = _asked_type(edge, partitioner, settings)
    # ``StreamingJobGraphGenerator.mayReuseNonChainedOutputs`` makes the result of a cache
    # persistent: a cluster drops a BLOCKING one with its job, and no later job could read it.
    if asked == "BLOCKING" and edge.intermediate_data_set is not None:
        return "BLOCKING_PERSISTENT"
    # ``mayReuseNonChainedOutputs``: a HYBRID_FULL result holds what is broadcast once, for all.
    broadcast = partitioner.class_name == BROADCAST and asked in _HYBRID
    return "HYBRID_FULL" if broadcast and release.hybrid_results_shared else asked


def _asked_type(edge: StreamEdge, partitioner: Partitioner, settings: JobSettings) -> str:
    # What the edge asks for comes before what the job does: ``determineResultPartitionType``.
    if edge.exchange_mode in _BY_EDGE:
        return _BY_EDGE[edge.exchange_mode]
    if settings.exchange_mode in _GLOBAL:
        return _GLOBAL[settings.exchange_mode]
    pipelined = partitioner.pointwise
    if settings.exchange_mode == "FORWARD_EDGES_PIPELINED":
        pipelined = partitioner_class(partitioner.class_name).forward
    return "PIPELINED_BOUNDED" if pipelined else "BLOCKING"


def _timeout_refusal(
    graph: StreamGraph, edge: StreamEdge, strategy: str, release: Release
) -> FlinkRefusalError:
    source, target = graph.by_id[edge.source], graph.by_id[edge.target]
    text = release.edge_text.format(
        selected="null" if edge.side_output else f"[{', '.join(edge.selected_names)}]",
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
    owner = [source.handle, target.handle]
    return FlinkRefusalError(msg, exception="UnsupportedOperationException", transformations=owner)


def _nodes_that_emit_at_the_end(
    graph: StreamGraph, chains: Chains, release: Release
) -> Collection[NodeId]:
    """The nodes that emit nothing before their input has ended.

    ``createChain`` marks an operator by ``StreamNode.isOutputOnlyAfterEndOfStream``, with the one
    that it calls and, up the chain, with all that call it; down the chain, a release marks the next
    operators only or all of them.
    """
    end_nodes = [node.id for node in graph.nodes if node.output_only_after_end_of_stream]
    if not end_nodes or release.end_of_input_marks == "nothing":
        return ()
    below = {
        node: [graph.edges[edge].target for edge in edges]
        for node, edges in chains.chained_outputs.items()
    }
    above = {target: [node] for node, targets in below.items() for target in targets}
    if release.end_of_input_marks == "the chain":
        late = reachable_from(end_nodes, lambda node: below.get(node, ()))
    else:
        late = {*end_nodes, *(target for node in end_nodes for target in below[node])}
    return reachable_from(late, lambda node: above.get(node, ()))
