"""Options of a cluster: the given ones, and those of a distribution.

Mirrors the ``flink-conf.yaml`` or ``config.yaml`` of a distribution, which sizes both processes;
without sizes Flink refuses to start either.
"""

from collections.abc import Mapping
from typing import Final

from explorer.deployment.legacy_heap import LegacyHeap, legacy_heaps, size_of
from explorer.deployment.memory_options import UnreadableOptionError
from explorer.flink.releases import Release
from explorer.model.document import Document
from explorer.model.frozen import FrozenRecord
from explorer.wording import spelled

TASK_MANAGER_SIZE: Final = "taskmanager.memory.process.size"
JOB_MANAGER_SIZE: Final = "jobmanager.memory.process.size"
_SPLITS: Final = {
    TASK_MANAGER_SIZE: (
        {"taskmanager.memory.process.size"},
        {"taskmanager.memory.flink.size"},
        {"taskmanager.memory.task.heap.size", "taskmanager.memory.managed.size"},
    ),
    JOB_MANAGER_SIZE: (
        {"jobmanager.memory.process.size"},
        {"jobmanager.memory.flink.size"},
        {"jobmanager.memory.heap.size"},
    ),
}
"""By the option of a process's total size, the sets of options that split its memory.

A set that is given in full takes the place of the distribution's total size, as in a file that the
user writes. ``ProcessMemoryUtils.memoryProcessSpecFromConfig`` looks for all of a set: heap or
managed memory alone is a part of the total.
"""


class ClusterOptions(FrozenRecord, frozen=True, kw_only=True):
    """The options of a cluster, by Flink's own names."""

    values: Mapping[str, str]
    """All that hold."""
    assumed: Mapping[str, str]
    """Options that were not given and have the distribution's defaults."""
    heaps: tuple[LegacyHeap, ...] = ()
    """Options of a heap that stand for others, which are among ``values``."""


def cluster_options(
    document: Document,
    values: Mapping[str, object],
    release: Release,
    *,
    is_complete: bool = False,
) -> ClusterOptions:
    """The document's own options, then ``values`` over them, then what a distribution brings.

    ``is_complete``: the options are those of a whole configuration file, so that the sizes of a
    distribution's own file do not hold.
    """
    text = {key: spelled(value) for key, value in {**document.options, **values}.items()}
    for key in text:
        if not key.strip() or any(letter.isspace() for letter in key):
            msg = f"{key!r} is no option's name; give one as taskmanager.numberOfTaskSlots=4"
            raise UnreadableOptionError(msg)
    heaps = legacy_heaps(text, release)
    text |= {heap.stands_for: size_of(heap) for heap in heaps}
    defaults = {
        TASK_MANAGER_SIZE: release.task_manager_size,
        JOB_MANAGER_SIZE: release.job_manager_size,
    }
    assumed = {
        size: default
        for size, default in defaults.items()
        if default and not is_complete and not any(keys <= text.keys() for keys in _SPLITS[size])
    }
    return ClusterOptions(values=assumed | text, assumed=assumed, heaps=heaps)
