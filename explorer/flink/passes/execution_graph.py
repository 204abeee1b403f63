"""What becomes of a JobGraph when its vertices are cut into subtasks.

Mirrors ``DefaultExecutionGraph.attachJobGraph``, ``ExecutionJobVertex`` and the parallelism stores
of ``SchedulerBase`` and ``AdaptiveBatchScheduler``. Where the adaptive batch scheduler decides a
parallelism from the bytes that its inputs hold, nobody knows it before the job runs.
"""

from collections import defaultdict

from explorer.errors import FlinkRefusalError
from explorer.flink.execution_graph import (
    ExecutionEdges,
    ExecutionGraph,
    ExecutionJobVertex,
    IntermediateResult,
)
from explorer.flink.key_groups import default_max_parallelism
from explorer.flink.partitioners import BROADCAST, partitioner_class
from explorer.flink.releases import Release
from explorer.model.chains import JobSettings
from explorer.model.job_graph import JobGraph, JobVertex
from explorer.model.stream_graph import StreamGraph


def expand(
    job_graph: JobGraph, stream_graph: StreamGraph, settings: JobSettings, release: Release
) -> ExecutionGraph:
    """Cut the vertices into subtasks; raises ``FlinkRefusalError`` where they are too many."""
    position = {vertex.id: number for number, vertex in enumerate(job_graph.vertices)}
    environment = settings.parallelism
    most = [_max_parallelism(one, stream_graph, environment) for one in job_graph.vertices]
    results: dict[tuple[int, int], int] = {}
    consumers: defaultdict[int, list[int]] = defaultdict(list)
    edges: list[ExecutionEdges] = []
    for number, edge in enumerate(job_graph.edges):
        source, target = position[edge.source], position[edge.target]
        result = results.setdefault((source, edge.dataset_index), len(results))
        consumers[result].append(number)
        parallelism = job_graph.vertices[target].parallelism
        edges.append(
            ExecutionEdges(
                job_edge=number,
                source=source,
                target=target,
                input=edge.input,
                result=result,
                producers=job_graph.vertices[source].parallelism,
                consumers=parallelism,
                most_consumers=parallelism if parallelism > 0 else most[target],
                pointwise=edge.distribution_pattern == "POINTWISE",
                broadcast=edge.partitioner_class == BROADCAST,
                forward=partitioner_class(edge.partitioner_class).forward,
                dynamic=settings.dynamic,
                floats=release.pointwise_in_floats,
            )
        )
    return ExecutionGraph(
        vertices=_vertices(job_graph, most, results, edges),
        results=tuple(
            IntermediateResult(
                producer=source,
                number=index,
                result_type=job_graph.edges[consumers[result][0]].result_type,
                partitions=job_graph.vertices[source].parallelism,
                consumers=tuple(consumers[result]),
            )
            for (source, index), result in results.items()
        ),
        edges=tuple(edges),
    )


def _vertices(
    job_graph: JobGraph,
    most: list[int],
    results: dict[tuple[int, int], int],
    edges: list[ExecutionEdges],
) -> tuple[ExecutionJobVertex, ...]:
    read: defaultdict[int, list[int]] = defaultdict(list)
    made: defaultdict[int, list[int]] = defaultdict(list)
    for number, edge in enumerate(edges):
        read[edge.target].append(number)
    for (source, _), result in sorted(results.items()):
        made[source].append(result)
    return tuple(
        ExecutionJobVertex(
            id=vertex.id,
            name=vertex.name,
            parallelism=vertex.parallelism,
            max_parallelism=most[number],
            max_parallelism_derived=vertex.max_parallelism <= 0,
            inputs=tuple(read[number]),
            results=tuple(made[number]),
        )
        for number, vertex in enumerate(job_graph.vertices)
    )


def _max_parallelism(vertex: JobVertex, graph: StreamGraph, environment: int | None) -> int:
    """Its own; else one that Flink derives from the parallelism.

    Where the parallelism is undecided the adaptive batch scheduler takes the environment's. Where
    nothing tells that, it is the node's for which the program sets none.
    """
    head = graph.by_id[next(o.node for o in vertex.operators if o.chain_start)]
    if vertex.max_parallelism <= 0:
        if vertex.parallelism <= 0:
            return environment or head.parallelism
        return default_max_parallelism(vertex.parallelism)
    if vertex.parallelism > vertex.max_parallelism:
        msg = (
            f"Vertex {vertex.name}'s parallelism ({vertex.parallelism}) is higher than the max "
            f"parallelism ({vertex.max_parallelism}). Please lower the parallelism or increase the "
            "max parallelism."
        )
        raise FlinkRefusalError(
            msg, exception="JobException", transformations=[head.transformation or head.name]
        )
    return vertex.max_parallelism
