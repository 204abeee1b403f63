"""Job vertices with the parallelism that an option sets by their IDs.

Mirrors ``Dispatcher.applyParallelismOverrides``: it comes after the translation, so partitioners,
chains and maximum parallelisms remain those of the program.
"""

from collections.abc import Mapping

import msgspec

from explorer.model.job_graph import JobGraph, JobVertex


def override_parallelism(job_graph: JobGraph, overrides: Mapping[str, int]) -> JobGraph:
    """Set the parallelism of vertices by ID; the program's holds where no override names one.

    Overrides of an earlier call do not hold any more. IDs of no vertex are ignored, as by Flink.
    """
    vertices = tuple(_overridden(vertex, overrides.get(vertex.id)) for vertex in job_graph.vertices)
    if vertices == job_graph.vertices:
        return job_graph
    return msgspec.structs.replace(job_graph, vertices=vertices)


def _overridden(vertex: JobVertex, parallelism: int | None) -> JobVertex:
    declared = declared_parallelism(vertex)
    if parallelism is None and vertex.declared_parallelism is None:
        return vertex
    if parallelism in {None, declared}:
        return msgspec.structs.replace(vertex, parallelism=declared, declared_parallelism=None)
    return msgspec.structs.replace(vertex, parallelism=parallelism, declared_parallelism=declared)


def declared_parallelism(vertex: JobVertex) -> int:
    """The parallelism that the program sets, whatever overrides it."""
    declared = vertex.declared_parallelism
    return vertex.parallelism if declared is None else declared
