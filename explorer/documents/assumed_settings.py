"""The settings of a StreamGraph document that names none, read off its edges and its JobGraph.

Only a batch job leaves traces there: partitioners that no stream has, none of whose edges flushes
by time, Flink's word for its type, and vertices whose parallelism is still to be decided.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from explorer.flink.partitioners import (
    BINARY_HASH,
    FORWARD_CONSECUTIVE_HASH,
    FORWARD_UNSPECIFIED,
)
from explorer.flink.releases import VERSIONS, release
from explorer.model.chains import JobSettings
from explorer.model.stream_graph import StreamEdge, StreamNode

_JOB_GRAPHS: Final = ("job_graph", "flink_job_graph")
_DYNAMIC: Final = frozenset({FORWARD_UNSPECIFIED, FORWARD_CONSECUTIVE_HASH})
"""The partitioners that Flink chooses only while the parallelism is open."""


def assumed_settings(document: Mapping[str, Any], edges: Sequence[StreamEdge]) -> JobSettings:
    """Those of a batch job where something tells one, else the defaults."""
    job_graphs = [document[name] for name in _JOB_GRAPHS if isinstance(document.get(name), Mapping)]
    flushed = any(edge.buffer_timeout != -1 for edge in edges)
    classes = set() if flushed else {edge.partitioner_class for edge in edges}
    dynamic = not classes.isdisjoint(_DYNAMIC) or any(map(_is_undecided, job_graphs))
    batch = [release(version).batch_job_type for version in VERSIONS]
    told = any(job_graph.get("job_type") in batch for job_graph in job_graphs)
    if not (dynamic or told or BINARY_HASH in classes):
        return JobSettings()
    return JobSettings(
        batch=True, dynamic=dynamic, exchange_mode="ALL_EDGES_BLOCKING", slot_groups_by_region=True
    )


def _is_undecided(job_graph: Mapping[str, Any]) -> bool:
    vertices = job_graph.get("vertices")
    return isinstance(vertices, list | tuple) and any(
        isinstance(vertex, Mapping) and vertex.get("parallelism") == -1 for vertex in vertices
    )


def with_parallelism(
    nodes: Sequence[StreamNode], given: Sequence[object], settings: JobSettings
) -> tuple[StreamNode, ...]:
    """Nodes that know whether the program gave them their parallelism.

    ``given``: the nodes as the document spells them. Where none of them says so and the scheduler
    decides the others, those with the environment's parallelism are left to it.
    """
    if not settings.dynamic or any(_says_parallelism(node) for node in given):
        return tuple(nodes)
    common = settings.parallelism or _most_common(node.parallelism for node in nodes)
    return tuple(
        msgspec.structs.replace(node, parallelism_configured=node.parallelism != common)
        for node in nodes
    )


def _says_parallelism(node: object) -> bool:
    return isinstance(node, Mapping) and "parallelism_configured" in node


def _most_common(numbers: Iterator[int]) -> int | None:
    return next((number for number, _ in Counter(numbers).most_common(1)), None)
