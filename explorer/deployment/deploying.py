"""Resources that a job needs on a cluster, and whether the cluster has them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from explorer.deployment.cluster_options import ClusterOptions, cluster_options
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
from explorer.deployment.slot_sharing import Strategy, shared_slots
from explorer.deployment.slots import GroupSlots, group_slots, task_managers_for
from explorer.deployment.undecided_network import UndecidedNetwork, undecided_network
from explorer.documents import as_document
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.document import Document

LOAD_BALANCE: Final = "taskmanager.load-balance.mode"
MOST_SUBTASKS: Final = 100_000
"""Limit of subtasks placed one by one; of a larger job only computed totals are reported."""


class Deployment(msgspec.Struct, frozen=True, kw_only=True):
    """A job on a cluster with these options."""

    flink: str
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
        return task_managers_for(self.slots, self.slots_of_one)

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

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members; sizes in bytes."""
        return {
            "flink": self.flink,
            "options": dict(self.options.values),
            "assumed": dict(self.options.assumed),
            "task_manager": self.task_manager.to_dict() if self.task_manager else None,
            "job_manager": self.job_manager.to_dict() if self.job_manager else None,
            "slots": self.slots,
            "slots_of_one": self.slots_of_one,
            "task_managers": self.task_managers,
            "slot_sharing_groups": msgspec.to_builtins(self.groups),
            "managed_memory": msgspec.to_builtins(self.managed),
            "slot_sharing": self.strategy,
            "placement": [
                [[one._asdict() for one in slot.subtasks] for slot in slots]
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


def deploy(
    document: Document | Mapping[str, Any] | str | Path,
    options: Mapping[str, object] | None = None,
    *,
    flink_version: str | None = None,
) -> Deployment:
    """Compute the resources that a job needs on a cluster with these options, by Flink's names.

    ``options`` win over those that the document carries; a distribution's sizes hold where neither
    sets any. ``flink_version`` wins over the document's own. Raises ``ExplorerError``: what cannot
    be read, a job that Flink refuses, ``MemoryRefusalError`` with Flink's sentence.
    """
    read = as_document(document)
    done = compile_program(read, flink_version)
    return compute_deployment(done, cluster_options(read, options or {}, done.release))


def compute_deployment(done: Compilation, options: ClusterOptions) -> Deployment:
    """Compute the resources that a compiled job needs on a cluster with these options."""
    release, offered, graph = done.release, slots_offered(options.values), done.execution_graph
    memory = (
        task_manager_memory(options.values, release.version) if release.process_memory else None
    )
    strategy = _strategy(done, options)
    placement = _placement(done, strategy, offered)
    # Before 1.11 a job manager has one heap and no parts.
    parts = bool(release.job_manager_size)
    job_manager = job_manager_memory(options.values, release.version) if parts else None
    managed = managed_memory(done, memory.managed_by_slot, options.values) if memory else ()
    # Options that Flink refuses are refused, whether or not the job can be placed.
    read = network_options(options.values, memory.network, release) if memory else None
    return Deployment(
        flink=release.version,
        options=options,
        task_manager=memory,
        job_manager=job_manager,
        groups=group_slots(done.job_graph, graph, done.slot_sharing_groups),
        slots_of_one=offered,
        strategy=strategy,
        managed=managed,
        placement=placement,
        channels=placement.channels(graph) if placement else (),
        network=network(graph, placement, read, release) if read and placement else None,
        undecided_network=undecided_network(graph, offered, read, release)
        if read and graph.counts.undecided_vertices
        else None,
    )


def _strategy(done: Compilation, options: ClusterOptions) -> Strategy:
    if not done.release.shares_slots_by_input:
        return "any free slot"
    # Flink balances only the tasks of streaming jobs.
    balanced = options.values.get(LOAD_BALANCE, "").upper() == "TASKS"
    if balanced and done.release.balances_tasks and not done.settings.batch:
        return "balanced tasks"
    return "local input"


def _placement(done: Compilation, strategy: Strategy, offered: int) -> Placement | None:
    graph = done.execution_graph
    counts = graph.counts
    if counts.undecided_vertices or counts.subtasks > MOST_SUBTASKS:
        return None
    heads = (vertex.head for vertex in done.job_graph.vertices)
    groups = {n: done.stream_graph.by_id[head].co_location_group for n, head in enumerate(heads)}
    located = {vertex: group for vertex, group in groups.items() if group is not None}
    slots = shared_slots(done.job_graph, graph, located, strategy)
    return Placement(slots=slots, slots_of_one=offered)
