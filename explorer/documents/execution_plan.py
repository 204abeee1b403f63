"""What ``env.getExecutionPlan()`` prints; mirrors Flink's ``JSONGenerator``."""

from typing import Any

from explorer.model.release import Release
from explorer.model.stream_graph import StreamGraph, StreamNode


def execution_plan(graph: StreamGraph, release: Release) -> dict[str, Any]:
    """The plan: sinks last, each kind in the order of its ids.

    Flink always calls the side of an input ``second``: it looks at the list after adding to it.
    """
    ordered = sorted(graph.nodes, key=lambda node: (node.sink, node.id))
    return {"nodes": [_plan_node(graph, node, release) for node in ordered]}


def _plan_node(graph: StreamGraph, node: StreamNode, release: Release) -> dict[str, Any]:
    described = node.description if release.descriptions else None
    source = node.id in graph.sources
    members: dict[str, Any] = {
        "id": node.id,
        "type": node.name,
        "pact": "Data Source" if source else "Data Sink" if node.sink else "Operator",
        "contents": described or node.name,
        "parallelism": node.parallelism,
    }
    if graph.in_edges[node.id]:
        members["predecessors"] = [
            {
                "id": graph.edges[i].source,
                "ship_strategy": graph.edges[i].partitioner,
                "side": "second",
            }
            for i in graph.in_edges[node.id]
        ]
    return members
