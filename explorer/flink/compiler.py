"""The passes from a program to its JobGraph, in order.

Mirrors ``StreamingJobGraphGenerator.createJobGraph``. Each pass is a function of the results of
earlier passes; ``Compilation`` holds all results.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, Final

import msgspec

from explorer.collector import collector_paused
from explorer.errors import ExplorerError
from explorer.flink import releases
from explorer.flink.edge_limit import MOST_EDGES, edge_limit
from explorer.flink.execution_graph import ExecutionGraph, ExecutionJobVertex
from explorer.flink.invariants import check
from explorer.flink.json_members import (
    adaptive_members,
    execution_plan,
    job_graph_members,
    stream_graph_members,
)
from explorer.flink.operator_state import NO_STATE, HeldState, registered_states
from explorer.flink.option_values import OVERRIDES, parallelism_overrides
from explorer.flink.passes.chaining import (
    Ask,
    chained_as_input,
    chained_for_hashing,
    decide,
    judge_again,
    judge_edges,
    questions,
)
from explorer.flink.passes.chains import build_chains
from explorer.flink.passes.checkpoints import checkpoint_settings, pre_validate
from explorer.flink.passes.execution_graph import expand
from explorer.flink.passes.generation import Generated, check_edges, generate, regenerate
from explorer.flink.passes.hashing import Hasher, assign_hashes, reassign_hashes
from explorer.flink.passes.job_graph import VertexFacts, assemble
from explorer.flink.passes.outputs import plan_outputs
from explorer.flink.passes.overrides import override_parallelism
from explorer.flink.passes.parallelism import convert_partitioners, vertex_sizes
from explorer.flink.passes.progressive import (
    SchedulingOrder,
    decided_at_run_time,
    order_as_made,
    order_as_reported,
    steps_as_made,
)
from explorer.flink.passes.slots import co_located_vertices, memory_fractions, slot_sharing_groups
from explorer.flink.passes.wiring import connect_as_made, connect_chains
from explorer.flink.releases import Release
from explorer.flink.rules import ChainingQuestion
from explorer.model.chains import Chains, Decision, JobSettings, Output, Wiring
from explorer.model.data_set import DataSetPlan
from explorer.model.document import DataSetDocument, Document, JobGraphDocument, StreamGraphDocument
from explorer.model.frozen import FrozenRecord
from explorer.model.job_graph import JobGraph
from explorer.model.pipeline import Pipeline
from explorer.model.steps import Step
from explorer.model.stream_graph import NodeId, StreamGraph, StreamNode


class NoStreamGraphError(ExplorerError):
    """A DataSet program has no StreamGraph, so it lacks what was requested."""


class JobTranslation(FrozenRecord, frozen=True, kw_only=True):
    """The job vertices of a StreamGraph, and the passes' results that lead to them."""

    hashes: Mapping[NodeId, str]
    """By node, its operator ID, in the order in which Flink hashes them."""
    chains: Chains
    outputs: tuple[Output, ...]
    wiring: Wiring
    job_graph: JobGraph
    steps: tuple[Step, ...] = ()
    """The hashing and chaining steps, in Flink's order; empty unless asked for."""


class Compilation(JobTranslation, frozen=True, kw_only=True, dict=True):
    """A program with its StreamGraph and the selected translation into a JobGraph.

    A BATCH job has two translations from 2.0 on; ``is_adaptive``: which one is selected.
    """

    release: Release
    version: str | None = None
    """The version with its patch level, where the caller or the document names it."""
    pipeline: Pipeline | None
    """None where the program came as a StreamGraph document."""
    settings: JobSettings
    stream_graph: StreamGraph
    verdicts: tuple[int, ...]
    """By edge, a bit for each chaining rule that does not hold; 0: the edge chains."""
    warnings: tuple[str, ...] = ()
    data_set: DataSetPlan | None = None
    """Of a DataSet program, what Flink's optimizer and ``JobGraphGenerator`` made of it.

    Its StreamGraph only draws the tasks: no chaining condition decided them.
    """
    alternative: JobTranslation | None = None
    """Of a BATCH job from 2.0 on, the translation that the configuration does not select: the
    client's if ``is_adaptive``, else the adaptive batch scheduler's."""

    @property
    def is_adaptive(self) -> bool:
        """Whether the adaptive batch scheduler makes the job vertices while the job runs."""
        return self.alternative is not None and made_late(self.settings, self.release)

    @property
    def client(self) -> JobTranslation:
        """The translation that the client or the job manager makes in one pass."""
        return self.alternative if self.is_adaptive and self.alternative else self

    @property
    def scheduled(self) -> JobTranslation | None:
        """The translation of the adaptive batch scheduler; None for other jobs and before 2.0."""
        return self if self.is_adaptive else self.alternative

    @cached_property
    def decided_at_run_time(self) -> Mapping[NodeId, tuple[int, int]]:
        """The operators with an ID that depends on which of two job vertices finishes first.

        By node, the positions of these vertices in ``job_graph.vertices``; empty unless
        ``is_adaptive``.
        """
        return decided_at_run_time(self.stream_graph, self.chains) if self.is_adaptive else {}

    @cached_property
    def registered_states(self) -> Mapping[NodeId, HeldState]:
        """By operator, the state that it registers as it runs, in the graph's order."""
        return registered_states(self.stream_graph, self.pipeline, self.release)

    @cached_property
    def held_states(self) -> Mapping[NodeId, HeldState]:
        """By operator, the state that a savepoint holds of it, in the graph's order.

        A BATCH job has none, its checkpoints are disabled.
        """
        states = self.registered_states
        return dict.fromkeys(states, NO_STATE) if self.settings.batch else states

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """By edge of ``stream_graph.edges``, every condition with its verdict and values."""
        return tuple(self.decision(edge) for edge in range(len(self.verdicts)))

    def refuse_data_set(self, request: str) -> None:
        """Raise ``NoStreamGraphError`` for a request about a DataSet program."""
        if self.data_set is not None:
            msg = (
                f"{request} follows the rules of the DataStream API. Flink's optimizer and "
                "JobGraphGenerator made the tasks of this DataSet program: `explain` lists them."
            )
            raise NoStreamGraphError(msg)

    def decision(self, edge: int) -> Decision:
        """Every condition of the edge at this position."""
        return decide(self._ask, edge, self.verdicts[edge])

    def question(self, edge: int) -> ChainingQuestion:
        """What the rules were asked about the edge at this position."""
        return self._ask(edge)

    @cached_property
    def _ask(self) -> Ask:
        return questions(self.stream_graph, self.settings, self.release)

    @property
    def chained(self) -> tuple[bool, ...]:
        """By edge of ``stream_graph.edges``, whether its ends are chained."""
        return tuple(not bits for bits in self.verdicts)

    @cached_property
    def slot_sharing_groups(self) -> Mapping[int, str]:
        """By a group's number in the JobGraph, its name; ``#2`` is the second of one name.

        A group may be split: in BATCH mode each pipelined region has one of its own.
        """
        names: dict[int, str] = {}
        visited: Counter[str] = Counter()
        for vertex in self.job_graph.vertices:
            if vertex.slot_sharing_group not in names:
                name = self.stream_graph.node(vertex.head).slot_sharing_group or "default"
                visited[name] += 1
                # ``setSlotSharing`` makes a group for each region where all vertices are not in one
                # by default; the regions of a BATCH job then share a name, and no slot.
                again = f" #{visited[name]}" if visited[name] > 1 else ""
                names[vertex.slot_sharing_group] = name + again
        return names

    @cached_property
    def execution_graph(self) -> ExecutionGraph:
        """The vertices cut into subtasks; raises where they are more than a maximum allows."""
        return self.scheduled_graph({})

    def scheduled_graph(self, scheduled: Mapping[str, int]) -> ExecutionGraph:
        """The execution graph with the parallelism that a scheduler gives vertices, by ID."""
        graph = expand(self.job_graph, self.stream_graph, self.settings, self.release, scheduled)
        check("expand", graph)
        return graph

    def execution_vertex(self, node: NodeId) -> ExecutionJobVertex:
        """The execution graph's vertex of an operator's task; raises as ``execution_graph``."""
        return self.execution_graph.vertices[self.job_graph.vertex_of[node]]

    def to_dict(self) -> dict[str, Any]:
        """The compilation as JSON-ready members."""
        graph, release = self.stream_graph, self.release
        return {
            "flink": release.version,
            "flink_version": release.version,
            "stream_graph": stream_graph_members(graph, self.settings, release),
            "hashes": {str(node.id): self.client.hashes[node.id] for node in graph.nodes},
            "job_graph": job_graph_members(self.client.job_graph),
            "adaptive_job_graph": adaptive_members(self.scheduled.job_graph)
            if self.scheduled
            else None,
            "selected": "adaptive_job_graph" if self.is_adaptive else "job_graph",
            "execution_plan": execution_plan(graph, release),
            "warnings": list(self.warnings),
        }


@collector_paused()
def compile_program(
    document: Document,
    flink_version: str | None = None,
    *,
    trace: bool = False,
    iterations_before: int = 0,
    previous: Compilation | None = None,
    most_edges: int = MOST_EDGES,
) -> Compilation:
    """Translate a document as the given Flink release does.

    ``flink_version``, a release or a patch level of it, wins over the document's own ``flink``;
    without either the newest supported release is used. ``trace`` fills in ``Compilation.steps``.
    ``iterations_before``: how many iterations were numbered before, which Flink counts in a static
    field of its JVM. ``previous``: the compilation of a similar document within the same
    ``most_edges``; passes with unchanged input are not run again, and the edit of one operator or
    partition is applied to its graph. ``most_edges``: how large a graph may be, within
    ``edge_limit``; edges are counted before they are made. Raises ``ExplorerError``: a release that
    is not supported, a pipeline that Flink refuses or that is too large.
    """
    named = flink_version or document.flink or releases.LATEST
    release = releases.release(named)
    pipeline = document.pipeline
    if trace or (previous is not None and previous.release != release):
        previous = None
    most_edges = min(most_edges, edge_limit())
    generated = _regenerate(pipeline, previous, most_edges) or STREAM_GRAPHS[document.kind](
        document, release, iterations_before=iterations_before, most_edges=most_edges
    )
    if (
        previous
        and previous.stream_graph == generated.stream_graph
        and previous.settings == generated.settings
    ):
        compilation = msgspec.structs.replace(
            previous, pipeline=pipeline, warnings=generated.warnings
        )
    else:
        compilation = _translate(generated, pipeline, release, [] if trace else None, previous)
    if isinstance(document, DataSetDocument):
        compilation = msgspec.structs.replace(compilation, data_set=document.data_set)
    compilation = with_overrides(compilation, document.options)
    version = named if releases.is_patch_level(named) else None
    return (
        compilation
        if compilation.version == version
        else msgspec.structs.replace(compilation, version=version)
    )


def with_overrides(compilation: Compilation, options: Mapping[str, object]) -> Compilation:
    """The job with the parallelism overrides among ``options``, and no others.

    From 2.0 on Flink ignores them. Raises ``FlinkRefusalError`` where they cannot be read.
    """
    applied = compilation.release.applies_parallelism_overrides and OVERRIDES in options
    # ``Dispatcher.applyParallelismOverrides`` changes a JobGraph; from 2.0 on the client submits a
    # StreamGraph, to which nothing is applied.
    overrides = parallelism_overrides(options[OVERRIDES]) if applied else {}
    job_graph = override_parallelism(compilation.job_graph, overrides)
    if job_graph is compilation.job_graph:
        return compilation
    check("assemble", compilation.stream_graph, job_graph)
    return msgspec.structs.replace(compilation, job_graph=job_graph)


def _regenerate(
    pipeline: Pipeline | None, old_compilation: Compilation | None, most_edges: int
) -> Generated | None:
    """Replace the one node of ``old_compilation`` that an edit changed; None for other edits."""
    if pipeline is None or old_compilation is None or old_compilation.pipeline is None:
        return None
    graph = old_compilation.stream_graph
    # Without unions, which ``regenerate`` leaves alone where it adds a stream, what a program reads
    # is no more than its edges and its transformations: within ``GraphSize``, which is not asked.
    if max(len(graph.edges), len(pipeline.transformations)) > most_edges:
        return None
    return regenerate(
        pipeline, old_compilation.release, old_compilation.pipeline, graph, old_compilation.settings
    )


def _checked_stream_graph(
    document: StreamGraphDocument, _: Release, *, most_edges: int, iterations_before: int
) -> StreamGraphDocument:
    check_edges(len(document.stream_graph.edges), most_edges)
    return document


STREAM_GRAPHS: Final[Mapping[str, Callable[..., Generated | StreamGraphDocument]]] = {
    Pipeline.kind: generate,
    StreamGraphDocument.kind: _checked_stream_graph,
    JobGraphDocument.kind: _checked_stream_graph,
    DataSetDocument.kind: _checked_stream_graph,
}
"""By kind of document, how it becomes a StreamGraph with its settings and warnings."""


def made_late(settings: JobSettings, release: Release) -> bool:
    """Whether job vertices are made while the job runs, as the configuration selects it.

    With batch job recovery the adaptive batch scheduler schedules the whole JobGraph at once.
    """
    # ``AdaptiveExecutionHandlerFactory.create``: only what is submitted as a StreamGraph can be
    # made vertex by vertex, and other schedulers translate it at once.
    late = settings.batch and settings.dynamic and release.batch_vertices_made_late
    return late and not settings.batch_job_recovery


def _translate(
    generated: Generated | StreamGraphDocument,
    pipeline: Pipeline | None,
    release: Release,
    steps: list[Step] | None,
    old_compilation: Compilation | None,
) -> Compilation:
    # In the order of ``StreamingJobGraphGenerator.createJobGraph``: of two faults of a program, the
    # one that is met first is Flink's refusal.
    graph, settings = generated.stream_graph, generated.settings
    check("generate", graph)
    pre_validate(graph, settings, release)
    if old_compilation is not None and old_compilation.settings == settings:
        old = old_compilation.stream_graph
        verdicts = judge_again(graph, settings, release, old, old_compilation.verdicts)
    else:
        verdicts = judge_edges(graph, settings, release)
    check("judge_edges", graph, verdicts)
    hashes = _hashes(graph, verdicts, release, steps, old_compilation)
    check("assign_hashes", graph, hashes)
    chains = _chains(graph, verdicts, release, steps, old_compilation)
    check("build_chains", graph, verdicts, chains)
    selected = _job_vertices(generated, release, verdicts, hashes, chains, connect_chains, steps)
    alternative = None
    if settings.batch and release.batch_vertices_made_late:
        alternative = _as_made(generated, release, verdicts, chains, steps)
        if made_late(settings, release):
            selected, alternative = alternative, selected
    return Compilation(
        release=release,
        pipeline=pipeline,
        settings=settings,
        stream_graph=graph,
        verdicts=verdicts,
        warnings=generated.warnings,
        alternative=alternative,
        **msgspec.structs.asdict(selected),
    )


def as_reported(compilation: Compilation, ids: Collection[str]) -> Compilation | None:
    """The compilation of a job with vertices that finished in another order than is assumed.

    ``ids``: those of the job's vertices. None where no order of finishing gives them, and for jobs
    with vertices that are all created before the job runs.
    """
    if not compilation.is_adaptive or not compilation.decided_at_run_time:
        return None
    graph, chained = (
        compilation.stream_graph,
        chained_for_hashing(compilation.verdicts, compilation.release),
    )
    hasher = Hasher(graph, chained)
    progress = order_as_reported(
        graph, compilation.chains, lambda head: hasher.id_now(head) in ids, hasher.hash_in
    )
    if progress is None:
        return None
    job_translation = _as_made(
        compilation, compilation.release, compilation.verdicts, compilation.chains, None, progress
    )
    return msgspec.structs.replace(compilation, **msgspec.structs.asdict(job_translation))


def _as_made(
    generated: Generated | StreamGraphDocument | Compilation,
    release: Release,
    verdicts: tuple[int, ...],
    chains: Chains,
    traced: list[Step] | None,
    progress: SchedulingOrder | None = None,
) -> JobTranslation:
    """The translation of the adaptive batch scheduler; ``traced``: the client's steps."""
    graph = generated.stream_graph
    progress = progress or order_as_made(graph, chains)
    check("build_chains", graph, verdicts, progress.chains)
    steps: list[Step] | None = None if traced is None else []
    chained = chained_for_hashing(verdicts, release)
    hashes = assign_hashes(graph, chained, order=progress.nodes, steps=steps)
    check("assign_hashes", graph, hashes)
    if steps is not None:
        steps += steps_as_made(traced or (), progress.chains)
    return _job_vertices(
        generated, release, verdicts, hashes, progress.chains, connect_as_made, steps
    )


def _job_vertices(
    generated: Generated | StreamGraphDocument | Compilation,
    release: Release,
    verdicts: tuple[int, ...],
    hashes: Mapping[NodeId, str],
    chains: Chains,
    connect: Callable[[StreamGraph, Chains, Sequence[Output]], Wiring],
    steps: Sequence[Step] | None,
) -> JobTranslation:
    graph, settings = generated.stream_graph, generated.settings
    partitioners = convert_partitioners(graph, chains, settings)
    sizes = vertex_sizes(graph, chains, partitioners, settings)
    check("vertex_parallelism", chains, {vertex: size for vertex, (size, _) in sizes.items()})
    outputs = plan_outputs(graph, chains, partitioners, sizes, settings, release)
    check("plan_outputs", graph, verdicts, chains, outputs)
    wiring = connect(graph, chains, outputs)
    check("connect", chains, outputs, wiring)
    facts = _vertex_facts(generated, release, hashes, chains, sizes, wiring)
    job_graph = assemble(graph, chains, wiring, hashes, facts, settings, release)
    check("assemble", graph, job_graph)
    return JobTranslation(
        hashes=hashes,
        chains=chains,
        outputs=outputs,
        wiring=wiring,
        job_graph=job_graph,
        steps=tuple(steps or ()),
    )


def _vertex_facts(
    generated: Generated | StreamGraphDocument | Compilation,
    release: Release,
    hashes: Mapping[NodeId, str],
    chains: Chains,
    sizes: dict[int, tuple[int, int]],
    wiring: Wiring,
) -> VertexFacts:
    graph, settings = generated.stream_graph, generated.settings
    groups = slot_sharing_groups(graph, chains, wiring, settings)
    check("slot_sharing_groups", wiring, groups)
    group_of = {node: groups[vertex] for node, vertex in chains.chain_of.items()}
    memory = memory_fractions(graph.nodes, group_of, release)
    check("memory_fractions", graph, memory)
    if not release.fractions_in_job_graph:
        memory = dict.fromkeys(memory)
    return VertexFacts(
        sizes=sizes,
        slot_groups=groups,
        co_located=co_located_vertices(graph, chains, wiring, groups),
        memory=memory,
        checkpointing=checkpoint_settings(chains, wiring, hashes, settings, release),
    )


def _hashes(
    graph: StreamGraph,
    verdicts: tuple[int, ...],
    release: Release,
    steps: list[Step] | None,
    old_compilation: Compilation | None,
) -> Mapping[NodeId, str]:
    chained = chained_for_hashing(verdicts, release)
    if old_compilation is None or not _alike(graph, old_compilation.stream_graph, _HASHED):
        return assign_hashes(graph, chained, steps=steps)
    old_chained = chained_for_hashing(old_compilation.verdicts, release)
    old_hashes = old_compilation.client.hashes
    if chained == old_chained:
        return old_hashes
    return reassign_hashes(graph, chained, old_chained, old_hashes)


def with_hashing_steps(program: Compilation) -> Compilation:
    """Add the steps that gave the operators their IDs, for a job with one translation."""
    steps: list[Step] = []
    _hashes(program.stream_graph, program.verdicts, program.release, steps, None)
    return msgspec.structs.replace(program, steps=tuple(steps))


def _chains(
    graph: StreamGraph,
    verdicts: tuple[int, ...],
    release: Release,
    steps: list[Step] | None,
    old_compilation: Compilation | None,
) -> Chains:
    if (
        old_compilation is not None
        and verdicts == old_compilation.verdicts
        and _alike(graph, old_compilation.stream_graph, _CHAINED)
    ):
        return old_compilation.client.chains
    chained = [not bits for bits in verdicts]
    return build_chains(graph, chained, chained_as_input(verdicts), release, steps=steps)


_HASHED: Final = attrgetter("uid", "operator_id")
"""Fields of a node that decide about its operator ID."""
_CHAINED: Final = attrgetter("chaining_strategy", "vertex_class")
"""Fields of a node that decide about its chain."""


def _alike(
    graph: StreamGraph, old_graph: StreamGraph, facts: Callable[[StreamNode], object]
) -> bool:
    """Whether both graphs connect nodes with equal facts by the same edges."""
    return graph.connects_as(old_graph) and all(
        node is old_node or facts(node) == facts(old_node)
        for node, old_node in zip(graph.nodes, old_graph.nodes, strict=True)
    )
