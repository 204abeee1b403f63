"""What does a job ask of a cluster, and does it fit? Everything of this room, put together."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from explorer.deployment.cluster_options import ClusterOptions, cluster_options
from explorer.deployment.memory import (
    JobManagerMemory,
    Memory,
    job_manager_memory,
    slots_offered,
    task_manager_memory,
)
from explorer.deployment.slots import GroupSlots, group_slots, task_managers_for
from explorer.documents import as_document
from explorer.flink.compiler import Compilation, compile_graph
from explorer.flink.releases import Release
from explorer.model.document import Document


class Deployment(msgspec.Struct, frozen=True, kw_only=True):
    """A job on a cluster with these options."""

    flink: str
    options: ClusterOptions
    task_manager: Memory | None
    """None: the release splits memory in another way."""
    job_manager: JobManagerMemory | None
    groups: tuple[GroupSlots, ...]
    slots_of_one: int
    """Slots that a task manager offers."""

    @property
    def slots(self) -> int:
        """Slots that the job asks for; a pipelined job starts with all of them or not at all."""
        return sum(group.slots for group in self.groups)

    @property
    def task_managers(self) -> int:
        """Task managers that offer so many slots."""
        return task_managers_for(self.slots, self.slots_of_one)

    @property
    def assumed_options(self) -> tuple[str, ...]:
        """Those that nobody gave, as ``key=value``."""
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
        }


def deploy(
    document: Document | Mapping[str, Any] | str | Path,
    options: Mapping[str, object] | None = None,
    *,
    flink_version: str | None = None,
) -> Deployment:
    """What the job asks of a cluster with these options, by Flink's own names.

    ``options`` win over those that the document carries; a distribution's sizes hold where neither
    tells any. ``flink_version`` wins over the document's own. Raises ``ExplorerError``: what cannot
    be read, a job that Flink refuses, ``MemoryRefusalError`` with Flink's sentence.
    """
    read = as_document(document)
    done = compile_graph(read, flink_version)
    return deployed(done, cluster_options(read, options or {}, done.release))


def deployed(done: Compilation, options: ClusterOptions) -> Deployment:
    """What a compiled job asks of a cluster with these options."""
    return Deployment(
        flink=done.release.version,
        options=options,
        task_manager=_task_manager(options, done.release),
        job_manager=_job_manager(options, done.release),
        groups=group_slots(done.job_graph, done.execution_graph),
        slots_of_one=slots_offered(options.values),
    )


def _task_manager(options: ClusterOptions, release: Release) -> Memory | None:
    if not release.process_memory:
        return None
    return task_manager_memory(options.values, release.version)


def _job_manager(options: ClusterOptions, release: Release) -> JobManagerMemory | None:
    """None before 1.11, whose job manager has one heap and no parts."""
    if not release.job_manager_size:
        return None
    return job_manager_memory(options.values, release.version)
