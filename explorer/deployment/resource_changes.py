"""Resources that a changed job needs in addition to the deployed one."""

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from explorer.deployment.deploying import ClusterResources
from explorer.wording import counted, quoted

Amount: TypeAlias = int | float | None
Unit = Literal["", "bytes", "cores"]


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One number before and after; None where a release or a job has no such number."""

    what: str
    before: Amount
    after: Amount
    unit: Unit = ""

    @property
    def changed(self) -> bool:
        """Whether the figure differs."""
        return self.before != self.after


class ResourceChanges(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of two deployments, before and after."""

    sentence: str
    """What it comes to: task managers to add or to free, buffers that lack."""
    figures: tuple[Figure, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        return dict(msgspec.to_builtins(self))


def resource_changes(previous: ClusterResources, following: ClusterResources) -> ResourceChanges:
    """Differences of ``following`` from ``previous``: slots, memory, CPU, buffers, channels.

    Both are deployed with options of their own; where those are the same, only the job differs.
    """
    return ResourceChanges(
        sentence=_sentence(previous, following), figures=tuple(figures_of(previous, following))
    )


def figures_of(previous: ClusterResources | None, following: ClusterResources) -> Iterator[Figure]:
    """Every figure that one of the deployments has; ``previous``: None for a first deployment."""
    for row in _FIGURES:
        old = row.read(previous) if previous else None
        figure = Figure(what=row.what, before=old, after=row.read(following), unit=row.unit)
        if (figure.before, figure.after) != (None, None) or row.always:
            yield figure
    yield from _compare_managed_memory(previous, following)


def _compare_managed_memory(
    previous: ClusterResources | None, following: ClusterResources
) -> Iterator[Figure]:
    """Managed memory of a slot by use case, for each slot sharing group."""
    old, new = (_use_cases(item) if item else {} for item in (previous, following))
    for group, use_case in {**old, **new}:
        yield Figure(
            what=f"managed memory of a slot of group {quoted(group)} for {use_case}",
            before=old.get((group, use_case)),
            after=new.get((group, use_case)),
            unit="bytes",
        )


def _use_cases(cluster: ClusterResources) -> dict[tuple[str, str], int]:
    return {
        (cluster.group_names[group.group], use_case.use_case): use_case.bytes
        for group in cluster.managed
        for use_case in group.use_cases
    }


def _sentence(previous: ClusterResources, following: ClusterResources) -> str:
    added = following.task_managers - previous.task_managers
    if added > 0:
        text = f"It needs {counted(added, 'more task manager', 'more task managers')}"
    elif added < 0:
        text = f"It needs {counted(-added, 'fewer task manager', 'fewer task managers')}"
    else:
        text = "It needs the same number of task managers"
    if following.refusal and not previous.refusal:
        return f"{text}, and its network buffers no longer suffice."
    if previous.refusal and not following.refusal:
        return f"{text}, and its network buffers suffice now."
    return f"{text}."


def _memory(cluster: ClusterResources) -> int | None:
    manager = cluster.task_manager
    return manager.total_process * cluster.task_managers if manager else None


def _all_memory(cluster: ClusterResources) -> int | None:
    """Return the memory of all pods: the task managers and the job manager."""
    workers, manager = _memory(cluster), cluster.job_manager
    return None if workers is None or manager is None else workers + manager.total_process


def _cores(cluster: ClusterResources, process: str) -> float | None:
    """CPU cores of one pod, as Flink on Kubernetes reads them; None where no option sets them."""
    for key in (f"kubernetes.{process}.cpu.amount", f"kubernetes.{process}.cpu"):
        if key in cluster.options.values:
            try:
                return float(cluster.options.values[key])
            except ValueError:
                return None
    return None


def _all_cores(cluster: ClusterResources) -> float | None:
    """Return the CPU cores of all pods, where options set both kinds."""
    worker, manager = _cores(cluster, "taskmanager"), _cores(cluster, "jobmanager")
    return None if worker is None or manager is None else worker * cluster.task_managers + manager


class _FigureRow(NamedTuple):
    """A number of a deployment; ``always``: listed where neither side has it, too."""

    what: str
    read: Callable[[ClusterResources], Amount]
    unit: Unit = ""
    always: bool = True


_FIGURES: Final = (
    _FigureRow("slots", lambda item: item.slots),
    _FigureRow("task managers", lambda item: item.task_managers),
    _FigureRow("memory of all task managers, bytes", _memory, "bytes"),
    _FigureRow("memory of all pods, bytes", _all_memory, "bytes"),
    _FigureRow("CPU of all pods, cores", _all_cores, "cores", always=False),
    _FigureRow(
        "managed memory of a slot, bytes",
        lambda item: item.task_manager.managed_by_slot if item.task_manager else None,
        "bytes",
    ),
    _FigureRow("channels", lambda item: item.local + item.remote if item.placement else None),
    _FigureRow("channels over the network", lambda item: item.remote if item.placement else None),
    _FigureRow(
        "network buffers required in a task manager, at most",
        lambda item: item.network.required if item.network else None,
    ),
    _FigureRow(
        "network buffers of a task manager",
        lambda item: item.network.options.buffers if item.network else None,
    ),
)
"""Each number of a deployment."""
