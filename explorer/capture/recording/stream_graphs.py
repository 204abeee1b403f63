"""A program's ``StreamGraph`` as members: what a StreamGraph document holds.

Mirrors ``StreamGraph``, ``StreamNode`` and ``StreamEdge``; nothing is computed here, everything is
Flink's own answer.
"""

from typing import Any, Final

from py4j.protocol import Py4JJavaError

from explorer.capture.jvm.java_objects import JavaObjects
from explorer.capture.recording.captured_settings import job_settings
from explorer.capture.recording.event_times import event_time
from explorer.capture.recording.node_facts import (
    has_resources,
    memory_weight,
    operator_facts,
    resources,
)

_PLAIN: Final = frozenset(
    {
        "ForwardPartitioner",
        "ForwardForUnspecifiedPartitioner",
        "RebalancePartitioner",
        "RescalePartitioner",
        "ShufflePartitioner",
        "BroadcastPartitioner",
        "GlobalPartitioner",
    }
)
"""The partitioners that ask nothing of the program."""

_SELECTABLE: Final = "org.apache.flink.streaming.api.operators.InputSelectable"
_DATA_SET: Final = "getIntermediateDatasetIdToProduce"


def stream_graph_members(objects: JavaObjects, graph: Any, loader: Any) -> dict[str, Any]:
    """The members of ``stream_graph``.

    Args:
        objects: Access to the JVM.
        graph: The ``StreamGraph``, in a table.
        loader: The class loader of the program.
    """
    nodes = sorted(objects.each(graph.getStreamNodes()), key=lambda node: int(node.getId()))
    sinks = frozenset(objects.each(graph.getSinkIDs()))
    edges = [edge for node in nodes for edge in node.getOutEdges()]
    selectors: dict[int, int] = {}
    return {
        "chaining_enabled": graph.isChainingEnabled(),
        "nodes": [_node(objects, node, loader, sink=node.getId() in sinks) for node in nodes],
        "edges": [_edge(objects, edge, selectors) for edge in edges],
        "sources": sorted(objects.each(graph.getSourceIDs())),
        "settings": job_settings(objects, graph),
    }


def _node(objects: JavaObjects, node: Any, loader: Any, *, sink: bool) -> dict[str, Any]:
    factory = node.getOperatorFactory()
    name, described = (
        objects.call(node, "getOperatorName"),
        objects.call(node, "getOperatorDescription"),
    )
    yields = objects.is_a(factory, "YieldingOperatorFactory")
    members = {
        "id": objects.call(node, "getId"),
        "name": name,
        "description": None if described == name else described,
        "parallelism": objects.call(node, "getParallelism"),
        "max_parallelism": objects.field(node, "maxParallelism"),
        "slot_sharing_group": objects.call(node, "getSlotSharingGroup"),
        "co_location_group": objects.call(node, "getCoLocationGroup"),
        "uid": objects.call(node, "getTransformationUID"),
        "uid_hash": objects.call(node, "getUserHash"),
        "buffer_timeout": objects.call(node, "getBufferTimeout"),
        "chaining_strategy": None if factory is None else factory.getChainingStrategy().name(),
        "yielding": yields,
        "yields_to_mailbox": yields,
        "legacy_source": _legacy_source(objects, factory),
        "vertex_class": node.getJobVertexClass().getSimpleName(),
        "operator_memory_weight": memory_weight(objects, node),
        "parallelism_configured": objects.field(node, "parallelismConfigured", default=True),
        "resources": resources(objects, node.getMinResources())
        if has_resources(objects, node)
        else None,
        "sink": sink,
        "input_format": objects.class_name(node.getInputFormat()),
        "output_format": objects.class_name(node.getOutputFormat()),
        "input_selectable": _selectable(objects, factory, loader),
        "output_selectors": _output_selectors(objects, node),
        "output_only_after_end_of_stream": _emits_at_the_end(objects, node),
        "operator": operator_facts(objects, node),
        "in_order": objects.each(node.getInEdgeIndices()),
        "out_order": objects.each(node.getOutEdgeIndices()),
    }
    if times := event_time(objects, factory):
        members["event_time"] = times
    consumed = objects.call(node, "getConsumeClusterDatasetId")
    if consumed is not None:
        members["consumed_data_set"] = str(consumed)
    if objects.has(node, "isSupportsConcurrentExecutionAttempts"):
        members["supports_concurrent_attempts"] = objects.call(
            node, "isSupportsConcurrentExecutionAttempts"
        )
    return members


def _emits_at_the_end(objects: JavaObjects, node: Any) -> bool:
    """Whether the node outputs records only after its input has ended.

    Its factory's ``OperatorAttributes`` say so from 1.20 on, or a DataStream V2 function's
    ``Attribute`` from 2.0 on.
    """
    attribute = objects.call(node, "getAttribute")
    return bool(
        objects.call(node, "isOutputOnlyAfterEndOfStream", default=False)
        or objects.call(attribute, "isNoOutputUntilEndOfInput", default=False)
    )


def _legacy_source(objects: JavaObjects, factory: Any) -> bool:
    """Whether the factory is a ``SourceFunction``'s; up to 1.12 also that of a new source."""
    if factory is None:
        return False
    return bool(objects.call(factory, "isLegacySource", "isStreamSource", default=False))


def _selectable(objects: JavaObjects, factory: Any, loader: Any) -> bool:
    """Whether the operator chooses its inputs, which checkpoints do not allow."""
    if factory is None or not objects.has(factory, "getStreamOperatorClass"):
        return objects.is_a(objects.call(factory, "getOperator"), "InputSelectable")
    try:
        kind = factory.getStreamOperatorClass(loader)
    except Py4JJavaError:
        # An adaptive join of 2.0 on: it chooses its operator when the job runs.
        return False
    remembered = objects.remembered("input selectable")
    name = str(kind.getName())
    if name not in remembered:
        selecting = objects.java_class("java.lang.Class").forName(_SELECTABLE)
        remembered[name] = bool(selecting.isAssignableFrom(kind))
    return bool(remembered[name])


def _edge(objects: JavaObjects, edge: Any, selectors: dict[int, int]) -> dict[str, Any]:
    partitioner = edge.getPartitioner()
    tag = edge.getOutputTag()
    members = {
        "source": objects.call(edge, "getSourceId"),
        "target": objects.call(edge, "getTargetId"),
        "type_number": objects.call(edge, "getTypeNumber"),
        "partitioner": partitioner.toString(),
        "partitioner_class": objects.simple_name(partitioner),
        "exchange_mode": objects.call(edge, "getExchangeMode", "getShuffleMode").name(),
        "side_output": None if tag is None else tag.getId(),
        "selected_names": _selected_names(objects, edge),
        "unique_id": objects.field(edge, "uniqueId", default=0),
    }
    if objects.has(edge, "getBufferTimeout"):
        members["buffer_timeout"] = objects.call(edge, "getBufferTimeout")
    produced = objects.call(edge, _DATA_SET)
    if produced is not None:
        members["intermediate_data_set"] = str(produced)
    if not objects.call(edge, "supportsUnalignedCheckpoints", default=True):
        members["supports_unaligned_checkpoints"] = False
    if objects.has(partitioner, "isPointwise"):
        members["pointwise"] = partitioner.isPointwise()
    held_value = objects.field(partitioner, "hashPartitioner")
    if held_value is not None:
        members["hash_partitioner"] = held_value.toString()
    asking = partitioner if held_value is None else held_value
    if objects.simple_name(asking) not in _PLAIN:
        equal = asking.ask("equal", "")
        members["selector"] = str(selectors.setdefault(equal, len(selectors)))
    return members


def produced_data_sets(objects: JavaObjects, graph: Any) -> dict[str, Any]:
    """The cluster data sets that the job produces for ``DataStream.cache()``: by ID, Java's own."""
    if not objects.is_a(graph, "StreamGraph"):
        return {}
    nodes = objects.each(objects.tabled(graph).getStreamNodes())
    edges = (edge for node in nodes for edge in node.getOutEdges())
    values = (objects.call(edge, _DATA_SET) for edge in edges)
    return {str(value): value for value in values if value is not None}


def _output_selectors(objects: JavaObjects, node: Any) -> list[str]:
    """Return the classes of a node's ``OutputSelector``, up to 1.11, in the order of ``split``."""
    value = objects.call(node, "getOutputSelectors")
    if value is None:
        return []
    return [str(item.getClass().getSimpleName()) for item in objects.each(value)]


def _selected_names(objects: JavaObjects, edge: Any) -> list[str]:
    """Return the output names that select an edge; empty where it receives every record."""
    value = objects.call(edge, "getSelectedNames")
    return [] if value is None else [str(name) for name in objects.each(value)]
