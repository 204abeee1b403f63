"""Memory components of the processes of a task manager and a job manager.

Mirrors ``TaskExecutorProcessUtils``, ``JobManagerProcessUtils`` and what they share,
``ProcessMemoryUtils``: from the parts, from all of Flink's memory, or from the whole process.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import msgspec

from explorer.deployment.memory_options import (
    MemoryFraction,
    MemoryRefusalError,
    Option,
    Options,
    UnreadableOptionError,
    readable,
)
from explorer.errors import UnsupportedReleaseError
from explorer.flink import releases
from explorer.flink.releases import Release
from explorer.java_numbers import LONG_MAX
from explorer.wording import listed


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """A task manager's process, in bytes: ``TaskExecutorProcessSpec``."""

    framework_heap: int
    framework_off_heap: int
    task_heap: int
    task_off_heap: int
    network: int
    managed: int
    metaspace: int
    overhead: int
    slots: int

    @property
    def total_flink(self) -> int:
        """All of Flink's own memory."""
        off_heap = self.framework_off_heap + self.task_off_heap
        return self.framework_heap + self.task_heap + off_heap + self.network + self.managed

    @property
    def total_process(self) -> int:
        """The whole process, as a container needs it."""
        return self.total_flink + self.metaspace + self.overhead

    @property
    def jvm_args(self) -> str:
        """The options with which Flink's scripts start the JVM."""
        heap = self.framework_heap + self.task_heap
        # ``ProcessMemoryUtils.generateJvmParametersStr`` leaves managed memory out of the direct
        # limit: it is allocated as unsafe memory, which the JVM does not count there.
        direct = self.framework_off_heap + self.task_off_heap + self.network
        return (
            f"-Xmx{heap} -Xms{heap} -XX:MaxDirectMemorySize={direct} "
            f"-XX:MaxMetaspaceSize={self.metaspace}"
        )

    @property
    def parts(self) -> dict[str, int]:
        """The parts of the whole process by what Flink calls them, in the order of a bar."""
        return {
            "framework heap": self.framework_heap,
            "task heap": self.task_heap,
            "managed": self.managed,
            "framework off-heap": self.framework_off_heap,
            "task off-heap": self.task_off_heap,
            "network": self.network,
            "JVM metaspace": self.metaspace,
            "JVM overhead": self.overhead,
        }

    @property
    def managed_by_slot(self) -> int:
        """Managed memory of one slot, which its operators share by use case."""
        # ``MemoryManager`` is made for one slot with whole bytes: the bytes that the division
        # leaves over belong to no slot.
        return self.managed // self.slots

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members, sizes in bytes."""
        return _members(self)


class JobManagerMemory(msgspec.Struct, frozen=True, kw_only=True):
    """A job manager's process, in bytes: ``JobManagerProcessSpec``."""

    heap: int
    off_heap: int
    metaspace: int
    overhead: int
    direct_limit: bool
    """Whether the JVM is configured to keep its direct memory within ``off_heap``."""

    @property
    def total_flink(self) -> int:
        """All of Flink's own memory."""
        return self.heap + self.off_heap

    @property
    def total_process(self) -> int:
        """The whole process, as a container needs it."""
        return self.total_flink + self.metaspace + self.overhead

    @property
    def parts(self) -> dict[str, int]:
        """The parts of the whole process by what Flink calls them, in the order of a bar."""
        return {
            "heap": self.heap,
            "off-heap": self.off_heap,
            "JVM metaspace": self.metaspace,
            "JVM overhead": self.overhead,
        }

    @property
    def jvm_args(self) -> str:
        """The options with which Flink's scripts start the JVM."""
        direct = f" -XX:MaxDirectMemorySize={self.off_heap}" if self.direct_limit else ""
        heap = f"-Xmx{self.heap} -Xms{self.heap}"
        return f"{heap}{direct} -XX:MaxMetaspaceSize={self.metaspace}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members, sizes in bytes."""
        return _members(self)


def _members(memory: Memory | JobManagerMemory) -> dict[str, Any]:
    """What is split and what comes of it."""
    return {
        "total_process": memory.total_process,
        "total_flink": memory.total_flink,
        **msgspec.to_builtins(memory),
        "jvm_args": memory.jvm_args,
    }


class _Process(msgspec.Struct, frozen=True, kw_only=True):
    """``ProcessMemoryOptions``: the options that both kinds of process have, under their keys."""

    fine: tuple[Option, ...]
    flink: Option
    process: Option
    metaspace: Option
    least: Option
    most: Option
    fraction: Option

    @classmethod
    def of(cls, prefix: str, fine: tuple[Option, ...]) -> "_Process":
        """The options under ``prefix``."""
        return cls(
            fine=fine,
            flink=Option(f"{prefix}.flink.size"),
            process=Option(f"{prefix}.process.size"),
            metaspace=Option(f"{prefix}.jvm-metaspace.size", "256 mb"),
            least=Option(f"{prefix}.jvm-overhead.min", "192 mb"),
            most=Option(f"{prefix}.jvm-overhead.max", "1 gb"),
            fraction=Option(f"{prefix}.jvm-overhead.fraction", "0.1"),
        )


_FRAMEWORK_HEAP: Final = Option("taskmanager.memory.framework.heap.size", "128 mb")
_FRAMEWORK_OFF_HEAP: Final = Option("taskmanager.memory.framework.off-heap.size", "128 mb")
_TASK_HEAP: Final = Option("taskmanager.memory.task.heap.size")
_TASK_OFF_HEAP: Final = Option("taskmanager.memory.task.off-heap.size", "0 bytes")
_MANAGED: Final = Option("taskmanager.memory.managed.size", former=("taskmanager.memory.size",))
_MANAGED_FRACTION: Final = Option("taskmanager.memory.managed.fraction", "0.4")
_NETWORK_MIN: Final = Option(
    "taskmanager.memory.network.min", "64 mb", ("taskmanager.network.memory.min",)
)
_FORMER_MAX: Final = ("taskmanager.network.memory.max",)
_NETWORK_FRACTION: Final = Option(
    "taskmanager.memory.network.fraction", "0.1", ("taskmanager.network.memory.fraction",)
)
_SLOTS: Final = Option("taskmanager.numberOfTaskSlots", "1")
_JOB_HEAP: Final = Option("jobmanager.memory.heap.size")
_JOB_OFF_HEAP: Final = Option("jobmanager.memory.off-heap.size", "128 mb")
_DIRECT_LIMIT: Final = Option("jobmanager.memory.enable-jvm-direct-memory-limit", "false")

_WORDS: Final = {
    "framework_heap": "Framework Heap Memory",
    "framework_off_heap": "Framework Off-Heap Memory",
    "task_heap": "Task Heap Memory",
    "task_off_heap": "Task Off-Heap Memory",
    "managed": "Managed Memory",
    "network": "Network Memory",
}
"""By part, what Flink calls it, in the order in which a refusal names them."""
_NETWORK_IS_THE_REST: Final = (
    "If Total Flink, Task Heap and (or) Managed Memory sizes are explicitly configured then the "
    "Network Memory size is the rest of the Total Flink memory after subtracting all other "
    "configured types of memory, but the derived Network Memory is inconsistent with its "
    "configuration."
)
_MAKE_CONSISTENT: Final = (
    "Please, make the configuration consistent or configure only one option: either JVM Heap or "
    "Total Flink Memory."
)


def task_manager_memory(
    options: Mapping[str, object], flink_version: str = releases.LATEST
) -> Memory:
    """Split a task manager's memory as the release does; ``options`` by Flink's own names.

    Raises ``MemoryRefusalError`` with Flink's sentence where Flink refuses them.
    """
    release = _require_supported(flink_version)
    values = Options(options)
    process = _Process.of("taskmanager.memory", (_TASK_HEAP, _MANAGED))
    with _wording_of("TaskManager"):
        flink = _task_manager_parts(values, process, release)
        metaspace, overhead = _jvm_sizes(values, process, sum(flink.values()))
        slots = slots_offered(options)
    return Memory(**flink, metaspace=metaspace, overhead=overhead, slots=slots)


def slots_offered(options: Mapping[str, object]) -> int:
    """Return the slots that a task manager offers; raises ``MemoryRefusalError`` if it has none."""
    slots = Options(options).whole(_SLOTS)
    if slots < 1:
        # ``TaskExecutorProcessUtils`` takes the slots for CPU cores where no option sets those, and
        # refuses the cores before it looks at the slots.
        msg = (
            "TaskExecutors need to be started with a positive number of CPU cores. Please "
            "configure taskmanager.cpu.cores accordingly."
        )
        raise MemoryRefusalError(msg)
    return slots


def job_manager_memory(
    options: Mapping[str, object], flink_version: str = releases.LATEST
) -> JobManagerMemory:
    """Split a job manager's memory as the release does; ``options`` by Flink's own names.

    Raises ``MemoryRefusalError`` with Flink's sentence where Flink refuses them.
    """
    release, values = _require_supported(flink_version), Options(options)
    process = _Process.of("jobmanager.memory", (_JOB_HEAP,))
    with _wording_of("JobManager" if release.names_job_manager_memory else ""):
        heap, off_heap = _job_manager_parts(values, process)
        metaspace, overhead = _jvm_sizes(values, process, heap + off_heap)
    return JobManagerMemory(
        heap=heap,
        off_heap=off_heap,
        metaspace=metaspace,
        overhead=overhead,
        direct_limit=values.text(_DIRECT_LIMIT) == "true",
    )


@contextmanager
def _wording_of(owner: str) -> Generator[None]:
    """Let a refusal name the process, as Flink does unless a value cannot be read at all."""
    try:
        yield
    except UnreadableOptionError:
        raise
    except MemoryRefusalError as error:
        front = f"{owner} memory configuration failed: " if owner else ""
        raise MemoryRefusalError(front + error.flink_message) from None


def _require_supported(version: str) -> Release:
    release = releases.release(version)
    if not release.process_memory:
        msg = f"Flink {release.version} splits memory differently; it is computed from 1.10 on"
        raise UnsupportedReleaseError(msg)
    return release


def _total_flink(options: Options, process: _Process) -> int | None:
    """All of Flink's memory, where the options set it; None: it is the sum of its parts."""
    # ``ProcessMemoryUtils.memoryProcessSpecFromConfig`` asks for all fine-grained options before
    # the sizes of the wholes: with all of them set, a total is only checked.
    if all(options.has(option) for option in process.fine):
        return None
    if options.has(process.flink):
        return options.size(process.flink)
    if options.has(process.process):
        whole = options.size(process.process)
        metaspace, overhead = options.size(process.metaspace), _overhead(options, process).of(whole)
        if metaspace + overhead > whole:
            msg = (
                f"Sum of configured JVM Metaspace ({readable(metaspace)}) and JVM Overhead "
                f"({readable(overhead)}) exceed configured Total Process Memory "
                f"({readable(whole)})."
            )
            raise MemoryRefusalError(msg)
        return whole - metaspace - overhead
    fine = " and ".join(option.key for option in process.fine)
    msg = (
        f"Either required fine-grained memory ({fine}), or Total Flink Memory size "
        f"({process.flink}), or Total Process Memory size ({process.process}) need to be "
        "configured explicitly."
    )
    raise MemoryRefusalError(msg)


def _overhead(options: Options, process: _Process) -> MemoryFraction:
    return options.share(options.size(process.least), options.size(process.most), process.fraction)


def _jvm_sizes(options: Options, process: _Process, flink: int) -> tuple[int, int]:
    """JVM metaspace and JVM overhead for this size of Flink's memory."""
    metaspace = options.size(process.metaspace)
    if not options.has(process.process):
        return metaspace, _overhead(options, process).of_rest(flink + metaspace)
    whole = options.size(process.process)
    if whole < flink + metaspace:
        msg = (
            f"The configured Total Process Memory size ({readable(whole)}) is less than the sum of "
            f"the derived Total Flink Memory size ({readable(flink)}) and the configured or "
            f"default JVM Metaspace size  ({readable(metaspace)})."
        )
        raise MemoryRefusalError(msg)
    # ``deriveJvmMetaspaceAndOverheadWithTotalProcessMemory``: the overhead is what is left, so its
    # fraction is ignored, and only the bounds are checked.
    overhead, share = whole - flink - metaspace, _overhead(options, process)
    if not share.least <= overhead <= share.most:
        msg = (
            f"Derived JVM Overhead size ({readable(overhead)}) is not in configured JVM Overhead "
            f"range [{readable(share.least)}, {readable(share.most)}]."
        )
        raise MemoryRefusalError(msg)
    return metaspace, overhead


def _task_manager_parts(options: Options, process: _Process, release: Release) -> dict[str, int]:
    """``TaskExecutorFlinkMemoryUtils``: by name, the parts of Flink's memory."""
    total = _total_flink(options, process)
    fixed = {
        "framework_heap": options.size(_FRAMEWORK_HEAP),
        "framework_off_heap": options.size(_FRAMEWORK_OFF_HEAP),
        "task_off_heap": options.size(_TASK_OFF_HEAP),
    }
    if total is None and options.has(process.flink):
        total = options.size(process.flink)
    if total is None:
        fixed |= {"task_heap": options.size(_TASK_HEAP), "managed": options.size(_MANAGED)}
        # ``deriveNetworkMemoryWithInverseFraction``: without a total the fraction is that of the
        # sum with the network in it, so the network is more than the fraction of the other parts.
        return fixed | {"network": _network(options, release).of_rest(sum(fixed.values()))}
    fixed["managed"] = (
        options.size(_MANAGED)
        if options.has(_MANAGED)
        # ``TaskExecutorFlinkMemoryUtils.getManagedMemoryRangeFraction`` has no bounds, unlike
        # network.
        else options.share(0, LONG_MAX, _MANAGED_FRACTION).of(total)
    )
    if options.has(_TASK_HEAP):
        return _rest_is_network(
            options, release, fixed | {"task_heap": options.size(_TASK_HEAP)}, total
        )
    fixed["network"] = _network(options, release).of(total)
    _check_sum(fixed, total)
    return fixed | {"task_heap": total - sum(fixed.values())}


def _network(options: Options, release: Release) -> MemoryFraction:
    minimum = options.size(_NETWORK_MIN)
    maximum = options.size(
        Option("taskmanager.memory.network.max", release.most_network, _FORMER_MAX)
    )
    return options.share(minimum, maximum, _NETWORK_FRACTION)


def _rest_is_network(
    options: Options, release: Release, parts: dict[str, int], total: int
) -> dict[str, int]:
    """What the other parts leave is the network's, if that is what it may have."""
    _check_sum(parts, total)
    network = total - sum(parts.values())
    try:
        # ``sanityCheckNetworkMemoryWithExplicitlySetTotalFlinkAndHeapMemory`` catches what the
        # bounds refuse and states one sentence for both: the more exact refusal never reaches the
        # user.
        share = _network(options, release)
        fits = share.least <= network <= share.most
    except UnreadableOptionError:
        raise
    except MemoryRefusalError:
        fits = False
    if not fits:
        raise MemoryRefusalError(_NETWORK_IS_THE_REST)
    return parts | {"network": network}


def _check_sum(parts: Mapping[str, int], total: int) -> None:
    """Refuse parts that are more than the whole."""
    if sum(parts.values()) <= total:
        return
    named = [f"{word} ({readable(parts[part])})" for part, word in _WORDS.items() if part in parts]
    msg = (
        f"Sum of configured {listed(named)} exceed configured Total Flink Memory "
        f"({readable(total)})."
    )
    raise MemoryRefusalError(msg)


def _job_manager_parts(options: Options, process: _Process) -> tuple[int, int]:
    """``JobManagerFlinkMemoryUtils``: heap and off-heap memory."""
    total, off_heap = _total_flink(options, process), options.size(_JOB_OFF_HEAP)
    if total is None:
        return _job_manager_heap(options, process, off_heap)
    if total <= off_heap:
        msg = (
            f"The configured Total Flink Memory ({readable(total)}) is less than the configured "
            f"Off-heap Memory ({readable(off_heap)})."
        )
        raise MemoryRefusalError(msg)
    return total - off_heap, off_heap


def _job_manager_heap(options: Options, process: _Process, off_heap: int) -> tuple[int, int]:
    """A heap that is set; where all of Flink's memory is set too, the two must agree."""
    heap = options.size(_JOB_HEAP)
    if not options.has(process.flink):
        return heap, off_heap
    total = options.size(process.flink)
    # ``JobManagerFlinkMemoryUtils.deriveOffHeapMemory``: an off-heap size that is only the default
    # gives way to the total, one that is set must agree with it.
    if options.has(_JOB_OFF_HEAP) and heap + off_heap != total:
        msg = (
            f"Sum of the configured JVM Heap Memory ({readable(heap)}) and the configured Off-heap "
            f"Memory ({readable(off_heap)}) does not match the configured Total Flink Memory "
            f"({readable(total)}). {_MAKE_CONSISTENT}"
        )
        raise MemoryRefusalError(msg)
    if total < heap:
        msg = (
            f"The configured JVM Heap Memory ({readable(heap)}) exceeds the configured Total Flink "
            f"Memory ({readable(total)}). {_MAKE_CONSISTENT}"
        )
        raise MemoryRefusalError(msg)
    return heap, total - heap
