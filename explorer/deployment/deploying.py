"""Resources that a job needs on a cluster, and whether the cluster has them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from explorer.deployment.cluster_options import ClusterOptions, cluster_options
from explorer.deployment.forward_edges import BrokenForward, broken_forwards
from explorer.deployment.managed import GroupMemory, managed_memory
from explorer.deployment.memory import (
    JobManagerMemory,
    Memory,
    job_manager_memory,
    slots_offered,
    task_manager_memory,
)
from explorer.deployment.network import Network, network
from explorer.deployment.network_options import network_options
from explorer.deployment.placement import EdgeChannels, Placement
from explorer.deployment.schedulers import (
    ClusterKind,
    Scheduler,
    choose_scheduler,
)
from explorer.deployment.slot_profiles import SlotProfiles, fit_profiles
from explorer.deployment.slot_sharing import Strategy, shared_slots
from explorer.deployment.slots import (
    GroupSlots,
    available_slots,
    available_task_managers,
    batch_slots,
    group_slots,
    scheduled_parallelism,
    task_managers_for,
)
from explorer.deployment.undecided_network import UndecidedNetwork, undecided_network
from explorer.documents import Program, as_document
from explorer.flink import releases
from explorer.flink.compiler import Compilation, compile_program, with_overrides
from explorer.flink.execution_graph import ExecutionGraph
from explorer.flink.option_advice import OptionAdvice, advise_on_options
from explorer.flink.option_values import OVERRIDES
from explorer.flink.passes.overrides import declared_parallelism
from explorer.model.frozen import FormerRelease
from explorer.wording import counted, quoted

_IGNORED: Final = (
    "from 2.0 on clients submit a StreamGraph, and the dispatcher overrides the tasks of a "
    "JobGraph alone (FLINK-38770). With the adaptive scheduler the autoscaler of the Kubernetes "
    "operator rescales the running job over REST instead."
)
_TOO_FEW: Final = "NoResourceAvailableException: Could not acquire the minimum required resources."
_TOO_FEW_TO_ADAPT: Final = (
    "NoResourceAvailableException: Not enough resources available for scheduling."
)
_TOO_FEW_FOR_BATCH: Final = "TimeoutException: Timeout has occurred: slot.request.timeout"
"""Flink's words for lacking slots, by scheduler and job."""
LOAD_BALANCE: Final = "taskmanager.load-balance.mode"
MOST_SUBTASKS: Final = 100_000
"""Limit of subtasks placed one by one; of a larger job only computed totals are reported."""


class TaskSize(msgspec.Struct, frozen=True, kw_only=True):
    """The parallelism of a task, and who decides it."""

    id: str
    name: str
    declared: int
    """The program's."""
    overridden: int | None
    """The one of ``pipeline.jobvertex-parallelism-overrides``; None: it names another task."""
    scheduled: int
    """The one with which the scheduler starts it."""
    max_parallelism: int

    @property
    def configured(self) -> int:
        """The parallelism that it is submitted with."""
        return self.declared if self.overridden is None else self.overridden

    @property
    def lacks_slots(self) -> bool:
        """Whether the job starts with fewer subtasks than it is submitted with."""
        return self.scheduled < self.configured

    @property
    def sentence(self) -> str:
        """What the job starts with, and why."""
        subtasks = counted(self.scheduled, "subtask")
        if self.scheduled == self.overridden:
            return (
                f"{quoted(self.name)} starts with {subtasks}: {OVERRIDES} overrides the program's "
                f"parallelism {self.declared:,}"
            )
        return (
            f"{quoted(self.name)} starts with {subtasks} for the slots that are there; its "
            f"parallelism is {self.configured:,}, and its {self.max_parallelism:,} key groups stay"
        )


class ClusterResources(FormerRelease, msgspec.Struct, frozen=True, kw_only=True):
    """A job on a cluster with these options."""

    flink_version: str
    options: ClusterOptions
    task_manager: Memory | None
    """None: the release splits memory differently."""
    job_manager: JobManagerMemory | None
    groups: tuple[GroupSlots, ...]
    slots_of_one: int
    """Slots that a task manager offers."""
    strategy: Strategy
    managed: tuple[GroupMemory, ...]
    """By slot sharing group, how a slot's managed memory is shared out."""
    placement: Placement | None
    """None: there are too many subtasks to place, or some are decided later."""
    channels: tuple[EdgeChannels, ...]
    """By job edge, those that are local and remote; empty without a placement."""
    network: Network | None
    """None without a placement, or without a split of the memory."""
    undecided_network: UndecidedNetwork | None = None
    """What subtasks require where the scheduler decides the parallelism while the job runs."""
    is_batch: bool
    scheduler: Scheduler
    least_slots: int
    """Slots without which the job does not start or, in BATCH mode, does not end."""
    wanted_slots: int
    """Slots that the program's parallelism comes to; the adaptive scheduler may start with less."""
    available_slots: int | None
    """Slots of the cluster for this job; None where Flink requests as many as are needed."""
    sizes: tuple[TaskSize, ...] = ()
    """The tasks with another parallelism than the program's, in the order of the job graph."""
    broken_forwards: tuple[BrokenForward, ...] = ()
    """The FORWARD edges with ends of different parallelism."""
    profiles: SlotProfiles | None = None
    """The slots of groups with a profile; None: no group has one."""
    available_task_managers: int | None = None
    """Task managers of the cluster; None where Flink requests as many as are needed."""
    ignored_overrides: bool = False
    """Whether parallelism overrides are set that the release does not apply."""

    @property
    def scheduling_notes(self) -> tuple[str, ...]:
        """Sentences on the scheduler and on what differs from the program's parallelism."""
        notes = [f"{size.sentence}." for size in self.sizes]
        notes += [broken_forward.sentence for broken_forward in self.broken_forwards]
        if self.ignored_overrides:
            notes.append(self.ignored_sentence)
        if self.scheduler.fits_slots:
            notes.append(self.scheduler.sentence)
        if self.profiles is not None and self._is_left_to_chance(self.profiles):
            notes.append(self.profiles.note)
        return tuple(notes)

    def _is_left_to_chance(self, profiles: SlotProfiles) -> bool:
        """Whether the job starts in some runs only, on the task managers that there are."""
        certain, available = profiles.certain_task_managers, self.available_task_managers
        is_certain = available is not None and certain is not None and available >= certain
        return profiles.is_left_to_chance and not is_certain

    @property
    def ignored_sentence(self) -> str:
        """Why overrides have no effect; of use where ``ignored_overrides``."""
        return f"Flink {self.flink_version} ignores {OVERRIDES}: {_IGNORED}"

    @property
    def refusal(self) -> str | None:
        """Flink's sentence where network buffers are lacking; None: none are known to lack."""
        known = self.network or self.undecided_network
        return known.refusal if known else None

    @property
    def refusal_sentence(self) -> str:
        """The refusal with the exception in which Flink states it; empty where there is none."""
        return f"Flink will refuse: java.io.IOException: {self.refusal}" if self.refusal else ""

    @property
    def refusals(self) -> tuple[str, ...]:
        """A sentence for each reason why Flink does not start the job, buffers last."""
        scheduling = (f"Flink will refuse: {item}" for item in self.scheduler.refusals)
        slots = (self.slots_refusal,) if self.slots_refusal else ()
        buffers = (self.refusal_sentence,) if self.refusal else ()
        return (*scheduling, *self.profile_refusals, *slots, *buffers)

    @property
    def profile_refusals(self) -> tuple[str, ...]:
        """Why slots of the profiles' sizes do not suffice; empty where they do."""
        words = _TOO_FEW_FOR_BATCH if self.is_batch else _TOO_FEW
        refusals = tuple(self.profiles.refusals) if self.profiles else ()
        required, available = self.task_managers, self.available_task_managers
        if self.profiles and not refusals and available is not None and required > available:
            refusals = (
                f"Slots of the profiles' sizes need {counted(required, 'task manager')}, and the "
                f"cluster has {available:,}: the job does not start",
            )
        return tuple(f"{item} ({words})." for item in refusals)

    @property
    def slots_refusal(self) -> str:
        """Why the slots of the cluster do not suffice; empty where they do."""
        if self.profiles or self.available_slots is None:
            return ""
        if self.available_slots >= self.least_slots:
            return ""
        words = _TOO_FEW_TO_ADAPT if self.scheduler.fits_slots else _TOO_FEW
        words = _TOO_FEW_FOR_BATCH if self.is_batch else words
        return (
            f"The job needs {counted(self.least_slots, 'slot')}, and the cluster has "
            f"{counted(self.available_slots, 'slot')} for it: the job does not start "
            f"({words})."
        )

    @property
    def possible_refusal(self) -> str | None:
        """Flink's sentence where buffers are lacking if enough subtasks run side by side."""
        return self.undecided_network.possible_refusal if self.undecided_network else None

    @property
    def slots(self) -> int:
        """Slots that the job asks for; a pipelined job starts with all of them or not at all."""
        return sum(group.slots for group in self.groups)

    @property
    def group_names(self) -> dict[int, str]:
        """The name of each slot sharing group, by number."""
        return {group.group: group.name for group in self.groups}

    @property
    def task_managers(self) -> int:
        """Number of task managers that offer this number of slots."""
        required = self.profiles.task_managers if self.profiles else None
        return task_managers_for(self.slots, self.slots_of_one) if required is None else required

    @property
    def local(self) -> int:
        """Channels within a task manager."""
        return sum(edge.local for edge in self.channels)

    @property
    def remote(self) -> int:
        """Channels over the network."""
        return sum(edge.remote for edge in self.channels)

    @property
    def assumed_options(self) -> tuple[str, ...]:
        """Options that were not given, as ``key=value``."""
        return tuple(f"{key}={value}" for key, value in self.options.assumed.items())

    @property
    def option_advice(self) -> tuple[OptionAdvice, ...]:
        """Advice on the options that were given."""
        values = {k: v for k, v in self.options.values.items() if k not in self.options.assumed}
        return advise_on_options(values, releases.release(self.flink_version))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members; sizes in bytes."""
        return {
            "flink": self.flink_version,
            "flink_version": self.flink_version,
            "options": dict(self.options.values),
            "assumed": dict(self.options.assumed),
            "legacy_heaps": msgspec.to_builtins(self.options.heaps),
            "option_advice": msgspec.to_builtins(self.option_advice),
            "task_manager": self.task_manager.to_dict() if self.task_manager else None,
            "job_manager": self.job_manager.to_dict() if self.job_manager else None,
            "slots": self.slots,
            "slot_profiles": msgspec.to_builtins(self.profiles),
            "slots_of_one": self.slots_of_one,
            "task_managers": self.task_managers,
            "scheduler": self.scheduler.name,
            "least_slots": self.least_slots,
            "wanted_slots": self.wanted_slots,
            "available_slots": self.available_slots,
            "sizes": msgspec.to_builtins(self.sizes),
            "broken_forwards": msgspec.to_builtins(self.broken_forwards),
            "notes": list(self.scheduling_notes),
            "refusals": list(self.refusals),
            "slot_sharing_groups": msgspec.to_builtins(self.groups),
            "managed_memory": msgspec.to_builtins(self.managed),
            "slot_sharing": self.strategy,
            "placement": [
                [[subtask._asdict() for subtask in slot.subtasks] for slot in slots]
                for slots in self.placement.task_managers
            ]
            if self.placement
            else None,
            "channels": msgspec.to_builtins(self.channels),
            "network": self.network.to_dict() if self.network else None,
            "undecided_network": self.undecided_network.to_dict()
            if self.undecided_network
            else None,
        }


def resources(
    document: Program,
    options: Mapping[str, object] | None = None,
    *,
    flink_version: str | None = None,
) -> ClusterResources:
    """Compute the resources that a job needs on a cluster with these options, by Flink's names.

    ``options`` win over those that the document carries; a distribution's sizes hold where neither
    sets any. ``flink_version`` wins over the document's own. Raises ``ExplorerError``: what cannot
    be read, a job that Flink refuses, ``MemoryRefusalError`` with Flink's sentence.
    """
    read = as_document(document)
    compilation = compile_program(read, flink_version)
    return compute_resources(compilation, cluster_options(read, options or {}, compilation.release))


def compute_resources(
    compilation: Compilation,
    options: ClusterOptions,
    *,
    kind: ClusterKind | None = None,
    used_slots: int = 0,
    scaled: Mapping[str, int] | None = None,
) -> ClusterResources:
    """Compute the resources that a compiled job needs on a cluster with these options.

    Args:
        compilation: The job; overrides of its parallelism among the options are applied.
        options: Those of the cluster and the job.
        kind: The cluster's kind; None: not known.
        used_slots: Slots of the cluster that other jobs use.
        scaled: By job vertex ID, the parallelism to which a running job is scaled.
    """
    # ``Dispatcher`` applies them before a scheduler sees the job: overrides that come later would
    # leave slots and network buffers those of the program's parallelism.
    compilation = with_overrides(compilation, options.values)
    scheduling = _schedule(compilation, options.values, kind, used_slots, scaled or {})
    release, offered, graph = compilation.release, slots_offered(options.values), scheduling.graph
    memory, job_manager = _process_memory(options, release)
    strategy = _strategy(compilation, options)
    groups = group_slots(compilation.job_graph, graph, compilation.slot_sharing_groups)
    profiles = fit_profiles(compilation.settings.slot_profiles, groups, memory, options.values)
    # A task manager has as many slots of a profile as fit: where subtasks run is not computed.
    placement = None if profiles else _placement(compilation, graph, strategy, offered)
    managed = managed_memory(compilation, memory.managed_by_slot, options.values) if memory else ()
    # Options that Flink refuses are refused, whether or not the job can be placed.
    read = network_options(options.values, memory.network, release) if memory else None
    return ClusterResources(
        flink_version=release.version,
        options=options,
        task_manager=memory,
        job_manager=job_manager,
        groups=groups,
        slots_of_one=offered,
        strategy=strategy,
        managed=managed,
        placement=placement,
        channels=placement.channels(graph) if placement else (),
        network=network(graph, placement, read, release) if read and placement else None,
        undecided_network=undecided_network(graph, offered, read, release)
        if read and graph.counts.undecided_vertices
        else None,
        is_batch=compilation.settings.batch,
        scheduler=scheduling.scheduler,
        least_slots=scheduling.least_slots,
        wanted_slots=scheduling.wanted_slots,
        available_slots=scheduling.available_slots,
        sizes=tuple(_sizes(compilation, graph)),
        broken_forwards=tuple(broken_forwards(graph)),
        profiles=profiles,
        available_task_managers=available_task_managers(options.values),
        ignored_overrides=OVERRIDES in options.values
        and release.parallelism_overrides
        and not release.applies_parallelism_overrides,
    )


def _process_memory(
    options: ClusterOptions, release: releases.Release
) -> tuple[Memory | None, JobManagerMemory | None]:
    """The memory of a task manager and of the job manager, where the release splits it so."""
    values, version = options.values, release.version
    # Before 1.11 a job manager has one heap and no parts.
    return (
        task_manager_memory(values, version) if release.process_memory else None,
        job_manager_memory(values, version) if release.job_manager_size else None,
    )


class _Scheduling(NamedTuple):
    """A job's scheduler and the execution graph that it starts."""

    scheduler: Scheduler
    graph: ExecutionGraph
    least_slots: int
    wanted_slots: int
    available_slots: int | None


def _schedule(
    compilation: Compilation,
    options: Mapping[str, str],
    kind: ClusterKind | None,
    used_slots: int,
    scaled: Mapping[str, int],
) -> _Scheduling:
    scheduler, graph = (
        choose_scheduler(compilation, options, kind),
        compilation.scheduled_graph(scaled),
    )
    groups = group_slots(compilation.job_graph, graph, compilation.slot_sharing_groups)
    expected = sum(group.slots for group in groups)
    available = available_slots(options)
    if available is not None:
        available = max(0, available - used_slots)
    if compilation.settings.batch:
        minimum = batch_slots(graph, groups)
    else:
        minimum = len(groups) if scheduler.fits_slots else expected
    if scheduler.fits_slots and available is not None:
        release, reactive = compilation.release, scheduler.name == "reactive"
        by_range = release.shares_slots_by_range
        scheduled = scheduled_parallelism(
            graph, groups, available, reactive=reactive, by_range=by_range
        )
        graph = compilation.scheduled_graph({**scaled, **(scheduled or {})})
    return _Scheduling(scheduler, graph, minimum, expected, available)


def _sizes(compilation: Compilation, graph: ExecutionGraph) -> Iterator[TaskSize]:
    """The tasks that do not start with the program's parallelism."""
    for vertex, started in zip(compilation.job_graph.vertices, graph.vertices, strict=True):
        overridden = None if vertex.declared_parallelism is None else vertex.parallelism
        if overridden is not None or started.parallelism != vertex.parallelism:
            yield TaskSize(
                id=vertex.id,
                name=vertex.name,
                declared=declared_parallelism(vertex),
                overridden=overridden,
                scheduled=started.parallelism,
                max_parallelism=started.max_parallelism,
            )


def _strategy(compilation: Compilation, options: ClusterOptions) -> Strategy:
    if not compilation.release.shares_slots_by_input:
        return "any free slot"
    # ``DefaultSchedulerComponents.createPipelinedRegionSchedulerComponents`` balances the tasks of
    # streaming jobs only: those of a BATCH job do not run at the same time.
    balanced = options.values.get(LOAD_BALANCE, "").upper() == "TASKS"
    if balanced and compilation.release.balances_tasks and not compilation.settings.batch:
        return "balanced tasks"
    return "local input"


def _placement(
    compilation: Compilation, graph: ExecutionGraph, strategy: Strategy, offered: int
) -> Placement | None:
    counts = graph.counts
    if counts.undecided_vertices or counts.subtasks > MOST_SUBTASKS:
        return None
    heads = (vertex.head for vertex in compilation.job_graph.vertices)
    groups = {
        n: compilation.stream_graph.by_id[head].co_location_group for n, head in enumerate(heads)
    }
    located = {vertex: group for vertex, group in groups.items() if group is not None}
    slots = shared_slots(compilation.job_graph, graph, located, strategy)
    return Placement(slots=slots, slots_of_one=offered)
