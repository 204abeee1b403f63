"""Plans the job that a trial runs from a compilation: tasks, operators and edges.

Mirrors the content of a task's ``StreamConfig``, and ``TaskDeploymentDescriptorFactory``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from explorer.engine import plan
from explorer.engine.planning.flow import Flow, Sink
from explorer.engine.planning.lifecycles import Routes, lifecycle_in_run
from explorer.engine.planning.loops import Loops
from explorer.engine.planning.outputs import SinkFolder, refuse_own_inputs
from explorer.engine.planning.parallelism import parallelisms, undecided_warnings
from explorer.engine.rows.storage import FilePath, file_path
from explorer.engine.steps.planned import OutputFolder, PlanningContext
from explorer.errors import TrialError
from explorer.flink.compiler import Compilation
from explorer.flink.key_groups import default_max_parallelism
from explorer.flink.partitioners import partitioner_class
from explorer.flink.releases import Release
from explorer.flink.subtask_wiring import channels
from explorer.flink.tasks.task_chain import check_side_outputs
from explorer.locations import is_url
from explorer.model.job_graph import JobEdge, JobVertex
from explorer.model.stream_graph import NodeId
from explorer.wording import quoted

MAX_SUBTASKS: Final = 2000
"""A trial of more subtasks would spend minutes on Spark's bookkeeping alone."""
MAX_CHANNELS: Final = 1_000_000
"""Each channel transfers at least one frame; as between two tasks of 1,000 subtasks."""


class TrialPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A job, and the names that its report needs."""

    job: plan.Job
    sinks: tuple[Sink, ...]
    warnings: tuple[str, ...]
    outputs: tuple[SinkFolder, ...] = ()
    """The folders that sinks write."""
    paths: Mapping[str, str] = {}
    """Files and folders that every worker must see; maps a path to its description."""


def plan_trial(
    compilation: Compilation,
    *,
    data_dir: str | FilePath | None = None,
    limit: int | None = None,
    output: OutputFolder | None = None,
    urls: bool = False,
) -> TrialPlan:
    """Plan a trial; raises ``ExplorerError`` where an expression, a column or a file is wrong.

    ``limit``: how many rows of each sink are retained; None: all. ``output``: the folder for the
    files of sinks; None: no files. ``urls``: whether sources and sinks may name URLs.
    """
    loops = Loops(compilation)
    subtasks = parallelisms(compilation, loops.order)
    _check_size(compilation, subtasks)
    for vertex in compilation.job_graph.vertices:
        chain = compilation.chains.chains[compilation.chains.chain_of[vertex.head]]
        check_side_outputs(compilation, chain, vertex.name)
    setting = PlanningContext(
        batch=compilation.settings.batch, limit=limit, output=output, urls=urls
    )
    flow = Flow(compilation, None if data_dir is None else file_path(data_dir), setting)
    refuse_own_inputs(flow.outputs.values(), flow.sources.values())
    tasks = _Tasks(compilation, flow, loops, subtasks).all()
    name = compilation.pipeline.name if compilation.pipeline else "stream graph"
    return TrialPlan(
        job=plan.Job(name=name, tasks=tasks),
        sinks=tuple(flow.sinks.values()),
        warnings=(*flow.warnings, *loops.warnings(flow.outcomes), *undecided_warnings(compilation)),
        outputs=tuple(flow.outputs.values()),
        paths=_paths(flow),
    )


def _paths(flow: Flow) -> dict[str, str]:
    files = {
        file.path: f"file {quoted(file.name)}"
        for source in flow.sources.values()
        for file in source.files
        if not is_url(file.path)
    }
    folders = [
        sink_folder
        for sink_folder in flow.outputs.values()
        if isinstance(sink_folder.staging, Path)
    ]
    return files | {str(output.staging): output.who for output in folders}


def _check_size(compilation: Compilation, subtasks: Mapping[str, int]) -> None:
    """Raise ``TrialError`` for a job without operators, or beyond a limit."""
    total = sum(subtasks.values())
    if not subtasks:
        msg = "this pipeline has no operators, so there is nothing to run"
        raise TrialError(msg)
    if total > MAX_SUBTASKS:
        msg = (
            f"this job has {total:,} subtasks, and a trial runs at most {MAX_SUBTASKS:,}; "
            "lower the parallelism for the trial"
        )
        raise TrialError(msg)
    between = sum(
        channels(edge.distribution_pattern, subtasks[edge.source], subtasks[edge.target])
        for edge in compilation.job_graph.edges
    )
    if between > MAX_CHANNELS:
        msg = (
            f"the edges of this job have {between:,} channels between subtasks, and a trial runs "
            f"at most {MAX_CHANNELS:,}; lower the parallelism for the trial, or join fewer streams"
        )
        raise TrialError(msg)


def _has_internal_watermarks(partitioner: str, release: Release) -> bool:
    """Whether a task of a dynamic graph names the subpartition in a watermark along an edge.

    ``RecordWriter.isSubpartitionDerivable``: a consumer that reads a producer's only subpartition
    knows which it is.
    """
    if partitioner == "BROADCAST":
        return False
    if partitioner == "FORWARD" and release.forward_fills_one_subpartition:
        return False
    return release.internal_watermarks


class _Tasks:
    def __init__(
        self,
        compilation: Compilation,
        flow: Flow,
        loops: Loops,
        subtasks: Mapping[str, int],
    ) -> None:
        """``subtasks``: the parallelism of each vertex ID, producers first."""
        self._compilation = compilation
        self._flow, self._subtasks = flow, subtasks
        self._loops = loops
        self._execution_edges = compilation.execution_graph.edges
        self._graph, self._job_graph = compilation.stream_graph, compilation.job_graph
        self._vertices = {vertex.id: vertex for vertex in self._job_graph.vertices}
        self._number = {id: number for number, id in enumerate(subtasks)}
        self._edges: dict[int, plan.Edge] = {}
        """Edges between two tasks, by the position of their StreamEdge."""
        counted: set[tuple[str, int]] = set()
        for number, edge in enumerate(self._job_graph.edges):
            data_set = (edge.source, edge.dataset_index)
            self._edges[edge.stream_edge] = self._edge(number, edge, first=data_set not in counted)
            counted.add(data_set)
        self._inputs: dict[int, list[plan.Edge]] = {}
        for planned in self._edges.values():
            self._inputs.setdefault(planned.target, []).append(planned)

    def all(self) -> tuple[plan.Task, ...]:
        return tuple(self._task(self._vertices[id]) for id in self._subtasks)

    def _edge(self, number: int, job_edge: JobEdge, *, first: bool) -> plan.Edge:
        """Plan an edge; ``first``: whether it is the first edge that reads its data set."""
        source, target = self._vertices[job_edge.source], self._vertices[job_edge.target]
        consumers, limit = self._subtasks[target.id], target.max_parallelism
        edge = self._graph.edges[job_edge.stream_edge]
        partitioner = partitioner_class(job_edge.partitioner_class).routing
        dynamic = self._compilation.settings.dynamic
        return plan.Edge(
            number=number,
            source=self._number[source.id],
            target=self._number[target.id],
            wiring=self._execution_edges[number].settled(self._subtasks[source.id], consumers),
            max_parallelism=limit if limit > 0 else default_max_parallelism(consumers),
            input=edge.type_number,
            partitioner=partitioner,
            keys=self._flow.keys(edge),
            row_types=self._flow.along(edge),
            first=self._flow.outcomes[edge.target].first_input == edge.type_number,
            counted=first,
            dynamic=dynamic,
            internal_watermarks=(
                dynamic and _has_internal_watermarks(partitioner, self._compilation.release)
            ),
        )

    def _task(self, vertex: JobVertex) -> plan.Task:
        nodes = [operator.node for operator in vertex.operators]
        place = {node: position for position, node in enumerate(nodes)}
        number = self._number[vertex.id]
        lifecycle, routes = lifecycle_in_run(self._compilation, vertex)
        return plan.Task(
            number=number,
            id=vertex.id,
            name=vertex.name,
            parallelism=self._subtasks[vertex.id],
            operators=tuple(self._operator(node, place, routes) for node in nodes),
            head=place[vertex.head],
            inputs=tuple(self._inputs.get(number, ())),
            lifecycle=lifecycle,
            shares_objects=self._compilation.settings.object_reuse,
            loop=self._loops.loop_of.get(vertex.id),
            feeds=self._number.get(self._loops.head_of.get(vertex.id, "")),
        )

    def _operator(self, id: NodeId, place: Mapping[NodeId, int], routes: Routes) -> plan.Operator:
        """Plan an operator; its outputs have the order of the task's recorded steps."""
        node, edges = self._graph.node(id), self._graph.edges
        network: list[plan.OutgoingEdge] = []
        chained: list[plan.ChainedOutput] = []
        # Heads and tails of iterations have no routes; two edges may have the same target.
        for position in sorted(
            self._graph.out_edges[id], key=lambda item: routes.get((id, edges[item].target), 0)
        ):
            edge = edges[position]
            tag, names = edge.side_output, self._flow.names(position)
            if position in self._edges:
                network.append(plan.OutgoingEdge(edge=self._edges[position], tag=tag, names=names))
            else:
                at, number = place[edge.target], edge.type_number
                chained.append(plan.ChainedOutput(operator=at, input=number, tag=tag, names=names))
        return plan.Operator(
            node=id,
            name=node.name,
            transformation=node.transformation,
            source=self._flow.sources.get(id),
            steps=self._flow.outcomes[id].steps,
            selectors=self._flow.selectors(node),
            network=tuple(network),
            chained=tuple(chained),
        )
