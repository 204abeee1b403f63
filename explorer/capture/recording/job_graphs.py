"""Flink's own JobGraph as members: what ``flink_job_graph`` of a captured document holds.

Spelled as the JobGraph of a compilation is, so that the two can be compared.
"""

from collections.abc import Sequence
from typing import Any, Final

from explorer.capture.jvm.java_objects import JavaObjects
from explorer.capture.recording.node_facts import has_resources, resources
from explorer.flink import releases

_STREAM_CONFIG: Final = "org.apache.flink.streaming.api.graph.StreamConfig"
_OPTIONS: Final = "org.apache.flink.configuration.ConfigOptions"
_FRACTION: Final = "managedMemFraction.OPERATOR"
"""The key of ``StreamConfig`` for an operator's share of managed memory."""


def record_job_graph(
    objects: JavaObjects, job_graph: Any, loader: Any, release: str
) -> dict[str, Any]:
    """The members of ``flink_job_graph``.

    Args:
        objects: Access to the JVM.
        job_graph: The ``JobGraph``, in a table.
        loader: The class loader of the program.
        release: The release of Flink, as ``2.2``.
    """
    vertices = list(job_graph.getVerticesSortedTopologicallyFromSources())
    groups: dict[int, int] = {}
    rules = releases.release(release)

    def whole(vertex: Any) -> dict[str, Any]:
        ids = _operator_ids(vertex, paired=rules.lists_user_hash)
        operators = _operators(objects, vertex, loader, memory=rules.fractions_in_job_graph)
        return _vertex(objects, vertex, groups) | ids | {"operators": operators}

    return {
        "job_type": objects.call(job_graph, "getJobType", "getScheduleMode").name(),
        "vertices": [whole(vertex) for vertex in vertices],
        "edges": _edges(objects, vertices),
    }


def _vertex(objects: JavaObjects, vertex: Any, groups: dict[int, int]) -> dict[str, Any]:
    group = vertex.getSlotSharingGroup().row
    return {
        "id": str(vertex.getID()),
        "name": objects.call(vertex, "getName"),
        "description": objects.call(vertex, "getOperatorPrettyName"),
        "parallelism": objects.call(vertex, "getParallelism"),
        "max_parallelism": objects.call(vertex, "getMaxParallelism"),
        "invokable": objects.call(vertex, "getInvokableClassName"),
        "slot_sharing_group": groups.setdefault(group, len(groups)),
        "min_resources": resources(objects, vertex.getMinResources())
        if has_resources(objects, vertex)
        else None,
        "co_located": vertex.getCoLocationGroup() is not None,
    }


def _operator_ids(vertex: Any, *, paired: bool) -> dict[str, Any]:
    """Return ``OperatorIDPair`` members; ``paired``: whether an ID comes with its uid hash."""
    listed = list(vertex.getOperatorIDs())
    if not paired:
        # Up to 1.10 uid hashes stand in a list of their own, which a JobGraph's JSON does not name.
        ids = [value.toString() for value in listed]
        return {"operator_ids": ids, "user_defined_operator_ids": [None] * len(ids)}
    values = [pair.getUserDefinedOperatorID() for pair in listed]
    return {
        "operator_ids": [pair.getGeneratedOperatorID().toString() for pair in listed],
        "user_defined_operator_ids": [
            item.get().toString() if item.isPresent() else None for item in values
        ],
    }


def _operators(
    objects: JavaObjects, vertex: Any, loader: Any, *, memory: bool
) -> list[dict[str, Any]]:
    """Return the operators of the vertex's chain, in the order of their nodes.

    ``memory``: whether the release shares out managed memory.
    """
    head = objects.made_of(vertex.getConfiguration(), _STREAM_CONFIG)
    chained = head.getTransitiveChainedTaskConfigs(loader)
    configs = {head.getVertexID(): head, **dict(objects.entries(chained))}
    return [
        {
            "node": node,
            "chain_index": config.getChainIndex(),
            "name": config.getOperatorName(),
            "operator_id": config.getOperatorID().toString(),
            "chain_start": config.isChainStart(),
            "chain_end": config.isChainEnd(),
            "chained_outputs": [edge.getTargetId() for edge in config.getChainedOutputs(loader)],
            "managed_memory_fraction": _fraction(objects, config) if memory else None,
        }
        for node, config in sorted(configs.items())
    ]


def _fraction(objects: JavaObjects, config: Any) -> float:
    """Return the share of the slot's managed memory; by use case from 1.12 on."""
    if objects.has(config, "getManagedMemoryFraction"):
        return float(config.getManagedMemoryFraction())
    key = objects.java_class(_OPTIONS).key
    option = objects.constant(_FRACTION, lambda: key(_FRACTION).doubleType().defaultValue(0.0))
    return float(config.getConfiguration().get(option))


def _edges(objects: JavaObjects, vertices: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the ``JobEdge`` members, by target vertex and input."""
    places = [
        (str(vertex.getID()), position, edge)
        for vertex in vertices
        for position, edge in enumerate(vertex.getInputs())
    ]
    edges = [edge for _, _, edge in places]
    data_sets = [edge.getSource() for edge in edges]
    producers = [data_set.getProducer() for data_set in data_sets]
    produced: dict[str, list[str]] = {}
    members = []
    for (target, position, edge), data_set, producer in zip(
        places, data_sets, producers, strict=True
    ):
        source = str(producer.getID())
        if source not in produced:
            sets = list(producer.getProducedDataSets())
            produced[source] = [str(set_.getId().toString()) for set_ in sets]
        members.append(
            {
                "source": source,
                "target": target,
                "input": position,
                "ship_strategy": objects.call(edge, "getShipStrategyName"),
                "distribution_pattern": str(edge.getDistributionPattern()),
                "result_type": str(data_set.getResultType()),
                "dataset_index": produced[source].index(str(data_set.getId())),
            }
        )
    return members
