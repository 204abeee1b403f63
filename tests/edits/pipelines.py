"""Pipelines that the tests of edits change, and what an edit wired."""

from typing import Any

from explorer import compile_graph
from explorer.documents import load_document
from explorer.model.pipeline import Pipeline


def pipeline(*transformations: dict[str, Any]) -> Pipeline:
    document = load_document(
        {"environment": {"parallelism": 2}, "transformations": list(transformations)}
    )
    assert isinstance(document, Pipeline)
    return document


def wiring(document: Pipeline) -> list[tuple[str, str, str]]:
    graph = compile_graph(document, "1.20").stream_graph
    names = {node.id: str(node.transformation) for node in graph.nodes}
    return sorted((names[e.source], names[e.target], e.partitioner) for e in graph.edges)


def shared_partition() -> Pipeline:
    """A rebalance that two sinks read, and a union of it with another source."""
    return pipeline(
        {"id": "a", "type": "legacy_source"},
        {"id": "b", "type": "legacy_source"},
        {"id": "r", "type": "rebalance", "inputs": ["a"]},
        {"id": "x", "type": "sink", "inputs": ["r"]},
        {"id": "y", "type": "sink", "inputs": ["r"]},
        {"id": "u", "type": "union", "inputs": ["r", "b"]},
        {"id": "z", "type": "sink", "inputs": ["u"]},
    )
