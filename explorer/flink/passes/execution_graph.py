"""The pass that expands the vertices of a JobGraph into subtasks.

Mirrors ``DefaultExecutionGraph.attachJobGraph``, ``ExecutionJobVertex`` and the parallelism stores
of ``SchedulerBase`` and ``AdaptiveBatchScheduler``. Where the adaptive batch scheduler decides a
parallelism from the bytes that its inputs hold, it is unknown before the job runs.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from explorer.errors import FlinkRefusalError
from explorer.flink.execution_graph import (
    ExecutionEdges,
    ExecutionGraph,
    ExecutionJobVertex,
    IntermediateResult,
)
from explorer.flink.key_groups import default_max_parallelism
from explorer.flink.option_values import OVERRIDES
from explorer.flink.partitioners import BROADCAST, partitioner_class
from explorer.flink.releases import Release
from explorer.model.chains import JobSettings
from explorer.model.job_graph import JobGraph, JobVertex
from explorer.model.stream_graph import StreamGraph


def expand(
    job_graph: JobGraph,
    stream_graph: StreamGraph,
    settings: JobSettings,
    release: Release,
    scheduled: Mapping[str, int] | None = None,
) -> ExecutionGraph:
    """Cut the vertices into subtasks; raises ``FlinkRefusalError`` where they are too many.

    ``scheduled``: by ID, the parallelism that the adaptive scheduler gives vertices in place of
    their own. Their maximum is still derived from their own.
    """
    environment = settings.parallelism
    maximum = [
        _max_parallelism(job_vertex, stream_graph, environment) for job_vertex in job_graph.vertices
    ]
    if scheduled:
        vertices = (
            msgspec.structs.replace(
                job_vertex, parallelism=scheduled.get(job_vertex.id, job_vertex.parallelism)
            )
            for job_vertex in job_graph.vertices
        )
        job_graph = msgspec.structs.replace(job_graph, vertices=tuple(vertices))
    edges = tuple(_edges(job_graph, maximum, settings, release))
    results = tuple(_results(job_graph, edges))
    return ExecutionGraph(
        vertices=_vertices(job_graph, maximum, results, edges), results=results, edges=edges
    )


def _edges(
    job_graph: JobGraph, maximum: Sequence[int], settings: JobSettings, release: Release
) -> Iterator[ExecutionEdges]:
    """In the order of the JobGraph's; results are numbered as they are first read."""
    position = {vertex.id: number for number, vertex in enumerate(job_graph.vertices)}
    results: dict[tuple[int, int], int] = {}
    for number, edge in enumerate(job_graph.edges):
        source, target = position[edge.source], position[edge.target]
        parallelism = job_graph.vertices[target].parallelism
        yield ExecutionEdges(
            job_edge=number,
            source=source,
            target=target,
            input=edge.input,
            result=results.setdefault((source, edge.dataset_index), len(results)),
            producers=job_graph.vertices[source].parallelism,
            consumers=parallelism,
            most_consumers=parallelism if parallelism > 0 else maximum[target],
            pointwise=edge.distribution_pattern == "POINTWISE",
            broadcast=edge.partitioner_class == BROADCAST,
            forward=partitioner_class(edge.partitioner_class).forward,
            dynamic=settings.dynamic,
            floats=release.pointwise_in_floats,
        )


def _results(job_graph: JobGraph, edges: Sequence[ExecutionEdges]) -> Iterator[IntermediateResult]:
    read: defaultdict[int, list[ExecutionEdges]] = defaultdict(list)
    for edge in edges:
        read[edge.result].append(edge)
    for first, *other_execution_edges in read.values():
        job_edge = job_graph.edges[first.job_edge]
        yield IntermediateResult(
            producer=first.source,
            number=job_edge.dataset_index,
            result_type=job_edge.result_type,
            partitions=first.producers,
            consumers=(
                first.job_edge,
                *(other_edges.job_edge for other_edges in other_execution_edges),
            ),
        )


def _vertices(
    job_graph: JobGraph,
    maximum: Sequence[int],
    results: Sequence[IntermediateResult],
    edges: Sequence[ExecutionEdges],
) -> tuple[ExecutionJobVertex, ...]:
    read: defaultdict[int, list[int]] = defaultdict(list)
    result: defaultdict[int, list[int]] = defaultdict(list)
    for number, edge in enumerate(edges):
        read[edge.target].append(number)
    # The constructor of ``ExecutionJobVertex`` makes the results in the order of
    # ``JobVertex.getProducedDataSets``, not as they are first read: a task opens its writers so.
    for number in sorted(range(len(results)), key=lambda number: results[number].number):
        result[results[number].producer].append(number)
    return tuple(
        ExecutionJobVertex(
            id=vertex.id,
            name=vertex.name,
            parallelism=vertex.parallelism,
            max_parallelism=maximum[number],
            max_parallelism_derived=vertex.max_parallelism <= 0,
            inputs=tuple(read[number]),
            results=tuple(result[number]),
        )
        for number, vertex in enumerate(job_graph.vertices)
    )


def _max_parallelism(vertex: JobVertex, graph: StreamGraph, environment: int | None) -> int:
    """The vertex's maximum parallelism; if unset, the one that Flink derives.

    Where the parallelism is undecided the adaptive batch scheduler uses the environment's. Where
    that is unknown, it is the node's for which the program sets none.
    """
    head = graph.by_id[vertex.head]
    if vertex.max_parallelism <= 0:
        if vertex.parallelism <= 0:
            # ``AdaptiveBatchScheduler.computeMaxParallelism`` gives an undecided vertex the job's
            # default as its maximum; a maximum derived from -1 would be 128 for every job.
            return environment or head.parallelism
        return default_max_parallelism(vertex.parallelism)
    if vertex.parallelism > vertex.max_parallelism:
        msg = (
            f"Vertex {vertex.name}'s parallelism ({vertex.parallelism}) is higher than the max "
            f"parallelism ({vertex.max_parallelism}). Please lower the parallelism or increase the "
            "max parallelism."
        )
        raise FlinkRefusalError(
            msg,
            exception="JobException",
            transformations=[head.handle],
            hint=_override_hint(vertex),
        )
    return vertex.max_parallelism


def _override_hint(vertex: JobVertex) -> str:
    if vertex.declared_parallelism is None:
        return ""
    return (
        f"{OVERRIDES} sets its parallelism to {vertex.parallelism}; the program sets "
        f"{vertex.declared_parallelism}."
    )
