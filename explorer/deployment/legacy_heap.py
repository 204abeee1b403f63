"""The options of a process's heap of Flink 1.9, which releases up to 1.20 still read.

Mirrors ``MemoryBackwardsCompatibilityUtils``: they stand for an option of today where that is not
set.
"""

from collections.abc import Mapping
from typing import Final

from explorer.deployment.memory_options import (
    MemoryRefusalError,
    Option,
    Options,
)
from explorer.flink.releases import Release
from explorer.model.frozen import FrozenRecord

TASK_MANAGER_HEAP: Final = (Option("taskmanager.heap.size"), Option("taskmanager.heap.mb"))
JOB_MANAGER_HEAP: Final = (Option("jobmanager.heap.size"), Option("jobmanager.heap.mb"))
"""A size, and mebibytes; the first that is set counts."""
LEGACY_KEYS: Final = frozenset(option.key for option in (*TASK_MANAGER_HEAP, *JOB_MANAGER_HEAP))
_STANDALONE: Final = (
    (TASK_MANAGER_HEAP, "taskmanager.memory.flink.size"),
    (JOB_MANAGER_HEAP, "jobmanager.memory.heap.size"),
)
_CONTAINERS: Final = (
    (TASK_MANAGER_HEAP, "taskmanager.memory.process.size"),
    (JOB_MANAGER_HEAP, "jobmanager.memory.process.size"),
)
"""On YARN and on Kubernetes the same options are the whole process's size."""


class LegacyHeap(FrozenRecord, frozen=True, kw_only=True):
    """An option of a heap, and the option that it stands for."""

    key: str
    value: str
    stands_for: str

    @property
    def sentence(self) -> str:
        """What Flink makes of the option."""
        return f"{self.key}={self.value} stands for {self.stands_for}, which is not set."


def legacy_heaps(
    options: Mapping[str, str], release: Release, *, containers: bool = False
) -> tuple[LegacyHeap, ...]:
    """The options of heaps that count; raises ``MemoryRefusalError`` in Flink's words."""
    if not release.legacy_heap_options:
        return ()
    values = Options(options)
    heaps = []
    for keys, target in _CONTAINERS if containers else _STANDALONE:
        option = next((key for key in keys if values.has(key)), None)
        if option is not None and target not in options:
            _check(values, option, release)
            value = str(values.text(option))
            heaps.append(LegacyHeap(key=option.key, value=value, stands_for=target))
    return tuple(heaps)


def size_of(heap: LegacyHeap) -> str:
    """The value as a size."""
    return f"{heap.value}m" if heap.key.endswith(".mb") else heap.value


def _check(options: Options, option: Option, release: Release) -> None:
    if option.key.endswith(".mb"):
        number = options.whole(option)
        if number < 0:
            problem = f"Configured total process memory size ({number}MB) must not be less than 0."
            raise MemoryRefusalError(_front(option, release) + problem)
        return
    try:
        options.size(option)
    except MemoryRefusalError as error:
        raise MemoryRefusalError(_front(option, release) + error.flink_message) from None


def _front(option: Option, release: Release) -> str:
    """What Flink writes before a refusal: a job manager's is the one of all its memory."""
    if option.key.startswith("taskmanager"):
        return "TaskManager failed to map legacy JVM heap option to the new one: "
    return "JobManager memory configuration failed: " if release.names_job_manager_memory else ""
