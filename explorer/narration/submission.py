"""Submission of a job: from the client's command to running tasks.

Every step is a row of ``submission_rows``: who acts, which class's method it is in which release,
and a sentence with the job's own numbers. Which of them a route has depends on its mode, on what
the cluster runs on and on the release.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from explorer.deployment.deploying import ClusterResources
from explorer.deployment.memory import JobManagerMemory, Memory
from explorer.deployment.memory_options import readable
from explorer.deployment.submission_rows import (
    CLUSTERS,
    MODES,
    Cluster,
    Mode,
    SubmissionRow,
    submission_rows,
)
from explorer.errors import UnsupportedReleaseError
from explorer.flink import releases
from explorer.flink.compiler import Compilation
from explorer.flink.releases import Release, value_in
from explorer.model.narrated_step import NarratedStep, Narration, number_steps
from explorer.wording import counted

_HAS: Final[Mapping[Mode, Callable[[Release], bool]]] = {
    "session": lambda release: release.process_memory,
    "application": lambda release: release.application_mode,
    "per-job": lambda release: release.per_job_mode,
}
"""Whether a release has a mode; sessions that are not on Kubernetes all of them have."""


class SubmissionCall(msgspec.Struct, frozen=True, kw_only=True):
    """Who does what, and by which call."""

    actor: str
    to: str | None
    """Whom the call is sent to; None: the actor does it itself."""
    class_name: str
    """The full name of the class that has the method."""
    method: str
    makes: str | None
    """The graph that the step makes, if one."""

    @property
    def short_call(self) -> str:
        """Class and method without the package."""
        return f"{self.class_name.rpartition('.')[2]}.{self.method}"


SubmissionStep: TypeAlias = NarratedStep[SubmissionCall]


def routes(release: Release) -> tuple[tuple[Mode, Cluster], ...]:
    """Every mode with every cluster on which the release has it."""
    return tuple(
        (mode, cluster)
        for mode in MODES
        for cluster in CLUSTERS
        if _refusal(release, mode, cluster) is None
    )


def submission(
    compilation: Compilation, deployment: ClusterResources, mode: Mode, cluster: Cluster
) -> tuple[SubmissionStep, ...]:
    """The steps in their order; raises ``UnsupportedReleaseError`` where there is no such route."""
    refused = _refusal(compilation.release, mode, cluster)
    if refused is not None:
        raise UnsupportedReleaseError(refused)
    route = [
        (part, row)
        for part, rows in submission_rows().items()
        for row in rows
        if row.is_of(mode, cluster) and value_in(row.call, compilation.release.version)
    ]
    if cluster == "standalone":
        # A standalone cluster's task managers run from the start.
        route.sort(key=lambda pair: (pair[0] != "cluster", not pair[1].starts_task_manager))
    numbers = _numbers(compilation, deployment, mode, cluster)
    narrated = ((part, *_narrate(row, compilation.release, numbers)) for part, row in route)
    return number_steps(narrated, through=True)


def _refusal(release: Release, mode: Mode, cluster: Cluster) -> str | None:
    if mode == "per-job" and cluster != "YARN":
        return f"there is no per-job mode on {cluster}: YARN alone has one; choose application mode"
    has = _HAS[mode]
    if has(release) or (mode == "session" and cluster != "Kubernetes"):
        return None
    choose = releases.to_choose(has)
    return f"Flink {release.version} has no {mode} mode on {cluster}; choose {choose}"


def _narrate(
    row: SubmissionRow, release: Release, numbers: dict[str, str]
) -> tuple[SubmissionCall, Narration]:
    class_name, _, method = value_in(row.call, release.version).partition("#")
    actor, *to = (item.format(**numbers) for item in row.who)
    call = SubmissionCall(
        actor=actor,
        to=to[0] if to else None,
        class_name=f"org.apache.flink.{class_name}",
        method=method,
        makes=row.makes,
    )
    details = [("who", (actor,)), ("to", tuple(to)), ("call", (call.short_call,))]
    details += [("makes", (row.makes,))] if row.makes else []
    title, sentence = (words.format(**numbers) for words in (row.title, row.sentence))
    shown_pairs = tuple(detail for detail in details if detail[1])
    return call, Narration(title, sentence, details=shown_pairs)


def _numbers(
    compilation: Compilation, deployment: ClusterResources, mode: Mode, cluster: Cluster
) -> dict[str, str]:
    """Values for the placeholders of the sentences: this job's numbers and actors."""
    graph = compilation.execution_graph
    counts = graph.counts
    required = deployment.network.required if deployment.network else None
    return {
        "job": compilation.pipeline.name if compilation.pipeline else "the job",
        "operators": counted(len(compilation.stream_graph.nodes), "operator"),
        "stream_edges": counted(len(compilation.stream_graph.edges), "edge"),
        "tasks": counted(len(compilation.job_graph.vertices), "task"),
        "job_edges": counted(len(compilation.job_graph.edges), "edge"),
        "chained": counted(sum(compilation.chained), "edge"),
        "subtasks": counted(counts.subtasks, "subtask"),
        "partitions": counted(counts.partitions, "result partition"),
        "channels": counted(counts.edges, "channel"),
        "groups": counted(len(deployment.groups), "slot sharing group"),
        "slots": counted(deployment.slots, "slot"),
        "offered": counted(deployment.slots_of_one, "slot"),
        "task_managers": counted(deployment.task_managers, "task manager"),
        "task_process": _process(deployment.task_manager),
        "job_process": _process(deployment.job_manager),
        "buffers": "the network buffers that they require"
        if required is None
        else f"at most {counted(required, 'network buffer')} in a task manager",
        "short": " Here it lacks them, and its tasks fail." if deployment.refusal else "",
        "translator": "job manager" if mode == "application" else "client",
        "cluster": cluster,
        "plan": "StreamGraph" if compilation.release.stream_graph_submitted else "JobGraph",
    }


def _process(memory: Memory | JobManagerMemory | None) -> str:
    if memory is None:
        return "its configured memory"
    return readable(memory.total_process).partition(" (")[0]


def as_members(steps: Iterable[SubmissionStep]) -> list[dict[str, Any]]:
    """JSON-ready members."""
    return [step.text() | msgspec.to_builtins(step.event) for step in steps]
