"""The JobGraph, assembled from the results of the other passes.

Mirrors ``StreamingJobGraphGenerator.createJobVertex`` and ``setOperatorConfig``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from explorer.errors import FlinkRefusalError
from explorer.flink.names import name_vertices
from explorer.flink.releases import Release
from explorer.model.chains import Chain, Chains, JobSettings, Wiring
from explorer.model.job_graph import (
    ChainedOperator,
    CheckpointSettings,
    Format,
    JobEdge,
    JobGraph,
    JobVertex,
)
from explorer.model.pipeline import Resources
from explorer.model.stream_graph import NodeId, StreamGraph, StreamNode

TASKS: Final = "org.apache.flink.streaming.runtime.tasks."
"""The package of the task classes."""


class VertexFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Results of single passes by vertex; vertices are positions in ``Chains.chains``."""

    sizes: Mapping[int, tuple[int, int]]
    """Parallelism and maximum parallelism."""
    slot_groups: Mapping[int, int]
    co_located: frozenset[int]
    memory: Mapping[NodeId, float | None]
    checkpointing: CheckpointSettings


def assemble(
    graph: StreamGraph,
    chains: Chains,
    wiring: Wiring,
    hashes: Mapping[NodeId, str],
    facts: VertexFacts,
    settings: JobSettings,
    release: Release,
) -> JobGraph:
    """Make the JobGraph from what the other passes found.

    Raises ``FlinkRefusalError`` where two vertices have one ID, or an operator an empty name.
    """
    if release.refuses_empty_texts:
        _check_texts(graph, chains)
    _check_ids(graph, chains, hashes)
    return JobGraph(
        job_type=release.batch_job_type if settings.batch else release.streaming_job_type,
        vertices=tuple(_vertices(graph, chains, wiring, hashes, facts, settings, release)),
        edges=_job_edges(graph, chains, wiring, hashes),
        checkpointing=facts.checkpointing,
        savepoint=settings.savepoint,
        artifacts=settings.artifacts,
        vertex_of={
            node: position
            for position, vertex in enumerate(wiring.order)
            for node in chains.chains[vertex].nodes
        },
    )


def _vertices(
    graph: StreamGraph,
    chains: Chains,
    wiring: Wiring,
    hashes: Mapping[NodeId, str],
    facts: VertexFacts,
    settings: JobSettings,
    release: Release,
) -> Iterator[JobVertex]:
    mode: Literal["TREE", "CASCADING"] | None = None
    if release.descriptions:
        mode = "CASCADING" if settings.cascading_descriptions else "TREE"
    targets = [edge.target for edge in graph.edges]
    below = {
        node: tuple(map(targets.__getitem__, edges))
        for node, edges in chains.chained_outputs.items()
    }
    names = name_vertices(graph, chains, below, release)
    for position, vertex in enumerate(wiring.order):
        chain = chains.chains[vertex]
        members = [graph.by_id[id] for id in chain.members]
        prefix = f"[vertex-{position}]" if settings.vertex_index_prefix else ""
        parallelism, max_parallelism = facts.sizes[vertex]
        yield JobVertex(
            id=hashes[chain.head],
            name=prefix + names[vertex],
            description_mode=mode,
            chained_sources=chain.sources,
            parallelism=parallelism,
            max_parallelism=max_parallelism,
            # ``createJobVertex`` reads the start node's class, and that node is the last of the
            # members.
            invokable=TASKS + members[-1].vertex_class,
            slot_sharing_group=facts.slot_groups[vertex],
            min_resources=merged_resources(members, release),
            operator_ids=tuple(map(hashes.__getitem__, chain.members)),
            # ``StreamGraphUserHashHasher`` decodes the digits, and ``AbstractID.toString`` prints
            # them in lower case: a hash set in capitals would not be found in a savepoint.
            user_defined_operator_ids=tuple(
                [node.uid_hash and node.uid_hash.lower() for node in members]
            )
            if release.lists_user_hash
            else (None,) * len(members),
            operators=_operators(graph, chains, chain, below, hashes, facts.memory),
            co_located=vertex in facts.co_located,
            formats=_formats(members, hashes),
        )


def _formats(members: Sequence[StreamNode], hashes: Mapping[NodeId, str]) -> tuple[Format, ...]:
    """The formats of the chain's operators, in the order in which Flink adds the operators."""
    formats: list[Format] = []
    for node in members:
        if node.input_format is not None:
            formats.append(_format(hashes[node.id], "input", node.input_format))
        if node.output_format is not None:
            formats.append(_format(hashes[node.id], "output", node.output_format))
    return tuple(formats)


def _format(operator_id: str, kind: Literal["input", "output"], class_name: str) -> Format:
    return Format(operator_id=operator_id, kind=kind, class_name=class_name)


def _check_texts(graph: StreamGraph, chains: Chains) -> None:
    """Refuse an operator with an empty name or uid, as ``OperatorIDPair`` does."""
    if all(node.name and node.uid != "" for node in graph.nodes):
        return
    for node in (graph.by_id[id] for chain in chains.chains for id in chain.members):
        for what, text in (("name", node.name), ("uid", node.uid)):
            if text == "":
                msg = f"Empty string operator {what} is not allowed"
                raise FlinkRefusalError(
                    msg, exception="IllegalArgumentException", transformations=[node.handle]
                )


def _check_ids(graph: StreamGraph, chains: Chains, hashes: Mapping[NodeId, str]) -> None:
    """Refuse a vertex with the ID of another, as ``JobGraph.addVertex`` does.

    The hasher looks for a collision only where there is a uid. A uid of four bytes that count the
    operators before it is hashed to what a later operator without one gets.
    """
    first: dict[str, NodeId] = {}
    for chain in chains.chains:
        other_node_id = first.setdefault(hashes[chain.head], chain.head)
        if other_node_id != chain.head:
            msg = "The JobGraph already contains a vertex with that id."
            ends = [graph.by_id[id].handle for id in (other_node_id, chain.head)]
            raise FlinkRefusalError(msg, exception="IllegalArgumentException", transformations=ends)


def _operators(
    graph: StreamGraph,
    chains: Chains,
    chain: Chain,
    below: Mapping[NodeId, tuple[NodeId, ...]],
    hashes: Mapping[NodeId, str],
    fractions: Mapping[NodeId, float | None],
) -> tuple[ChainedOperator, ...]:
    index, head, sources = chains.chain_index, chain.head, chain.sources
    return tuple(
        [
            ChainedOperator(
                node=id,
                chain_index=index[id],
                name=node.name,
                description=node.description,
                operator_id=hashes[id],
                chain_start=id == head,
                # ``createChain`` calls ``StreamConfig.setChainEnd`` and never sees a chained
                # source; a flag there would count the source's records as records that leave the
                # task.
                chain_end=not below[id] and id not in sources,
                managed_memory_fraction=fractions[id],
                chained_outputs=below[id],
            )
            for id in sorted(chain.nodes)
            for node in (graph.by_id[id],)
        ]
    )


def _job_edges(
    graph: StreamGraph, chains: Chains, wiring: Wiring, hashes: Mapping[NodeId, str]
) -> tuple[JobEdge, ...]:
    return tuple(
        JobEdge(
            source=hashes[chains.chains[wiring.producer[output.dataset]].head],
            target=hashes[chains.chains[vertex].head],
            input=number,
            ship_strategy=output.ship_strategy,
            partitioner_class=output.partitioner_class,
            distribution_pattern=output.distribution_pattern,
            result_type=output.result_type,
            dataset_index=wiring.dataset_index[output.dataset],
            stream_edge=output.edge,
        )
        for vertex in wiring.order
        for number, output in enumerate(wiring.inputs.get(vertex, ()))
    )


def merged_resources(members: Sequence[StreamNode], release: Release) -> Resources | None:
    """The sum of the chain's resources; None where one operator's are unknown.

    Flink leaves out the sources that run in the head's task.
    """
    resources = [node.resources for node in members if node.resources is not None]
    if len(resources) < len(members):
        return None
    # ``ResourceSpec.merge`` of 1.9 used the larger number of cores, though it added the memory.
    cores = [part.cpu for part in resources]
    return Resources(
        cpu=sum(cores) if release.resources_add_up else max(cores),
        heap_mb=sum(part.heap_mb for part in resources),
    )
