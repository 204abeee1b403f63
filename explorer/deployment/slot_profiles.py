"""Slots of the sizes that slot sharing groups require: fine-grained resource management.

Mirrors ``DefaultResourceAllocationStrategy``: a task manager offers slots while its resources last;
a group without a profile has slots of the task manager's default size.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from explorer.deployment.memory import Memory
from explorer.deployment.memory_options import Option, Options, readable
from explorer.deployment.slots import GroupSlots
from explorer.model.chains import SlotProfile
from explorer.model.frozen import FrozenRecord
from explorer.wording import counted, listed, quoted

_CORES: Final = "taskmanager.cpu.cores"
_OPTIONS: Final = (
    _CORES,
    "taskmanager.memory.task.heap.size",
    "taskmanager.memory.task.off-heap.size",
    "taskmanager.memory.managed.size",
)
"""The options of a task manager's resources, in the order of a profile's."""
_EXTERNAL: Final = "external-resources"
_NONE: Final = "none"
_MOST_SLOTS: Final = 100_000
"""Slots that are assigned to task managers one by one."""


class ProfiledGroup(FrozenRecord, frozen=True, kw_only=True):
    """A slot sharing group with a profile."""

    name: str
    profile: SlotProfile
    slots: int
    fitting: int
    """Slots of this size that a task manager offers."""

    @property
    def size(self) -> str:
        """The resources of a slot, in words."""
        return listed(list(_spell(self.profile)))

    @property
    def sentence(self) -> str:
        """The size of a slot, and how many of them fit in a task manager."""
        verb = "fits" if self.fitting == 1 else "fit"
        return f"{self.size}; {counted(self.fitting, 'slot')} {verb} in a task manager"

    def lacking(self, total: SlotProfile) -> str:
        """What to do so that a task manager offers a slot of this size."""
        shortages = [
            option
            for option, required, available in zip(
                _OPTIONS, _parts(self.profile, ()), _parts(total, ()), strict=True
            )
            if required > available
        ]
        shortages += [
            f"external-resource.{name}.amount"
            for name, amount in self.profile.external.items()
            if amount > total.external.get(name, 0)
        ]
        return f"raise {listed(shortages)}, or lower the profile"


class SlotProfiles(FrozenRecord, frozen=True, kw_only=True):
    """Groups with profiles on task managers of one size."""

    groups: tuple[ProfiledGroup, ...]
    total: SlotProfile
    """The resources of a task manager."""
    task_managers: int | None
    """Task managers that offer all slots; None: a slot fits in none, or there are too many."""
    certain_task_managers: int | None
    """Task managers with which the job starts in every run; None: as with ``task_managers``."""

    @property
    def is_left_to_chance(self) -> bool:
        """Whether the job starts in some runs only, with exactly ``task_managers``."""
        needed = self.task_managers, self.certain_task_managers
        return None not in needed and needed[0] != needed[1]

    @property
    def note(self) -> str:
        """What a group without a profile costs next to others; empty: nothing."""
        if not self.is_left_to_chance:
            return ""
        return (
            "Some groups have a profile and others have none: Flink may put a group without a "
            "profile into a slot of a profile's size, and requires one more of that size then. "
            f"Only with {counted(self.certain_task_managers or 0, 'task manager')} does the job "
            f"start in every run, with {self.task_managers} in some. Give every group a profile."
        )

    @property
    def refusals(self) -> Iterator[str]:
        """A sentence for each group with slots that fit in no task manager."""
        for group in self.groups:
            if not group.fitting:
                yield (
                    f"A slot of the slot sharing group {quoted(group.name)} requires {group.size}, "
                    f"and a task manager has {listed(list(_spell(self.total)))}: no task manager "
                    f"offers it, and the job does not start: {group.lacking(self.total)}"
                )


def fit_profiles(
    profiles: Mapping[str, SlotProfile],
    groups: Sequence[GroupSlots],
    memory: Memory | None,
    options: Mapping[str, str],
) -> SlotProfiles | None:
    """Fit the slots of a job into task managers; None without a profile, or without a memory."""
    profiled = [group for group in groups if group.name in profiles]
    if not profiled or memory is None:
        return None
    values = Options(options)
    cores = Option(_CORES, str(memory.slots))
    total = SlotProfile(
        cpu=values.fraction(cores),
        task_heap=memory.task_heap,
        task_off_heap=memory.task_off_heap,
        managed=memory.managed,
        external=_external_amounts(options),
    )
    default = _split(total, memory.slots)
    sizes = [(profiles.get(group.name, default), group.slots) for group in groups]
    default_slots = sum(group.slots for group in groups if group.name not in profiles)
    # ``SimpleRequestSlotMatchingStrategy`` gives a slot to the first request that it matches, and a
    # request without a profile matches every slot; ``DefaultDeclarativeSlotPool`` then raises the
    # requirement of the profile that lost its slot. Which request is first differs from run to run.
    extra = [(profiles[group.name], min(group.slots, default_slots)) for group in profiled]
    return SlotProfiles(
        groups=tuple(
            ProfiledGroup(
                name=group.name,
                profile=profiles[group.name],
                slots=group.slots,
                fitting=_count_fitting(profiles[group.name], total),
            )
            for group in profiled
        ),
        total=total,
        task_managers=_count_task_managers(sizes, total),
        certain_task_managers=_count_task_managers([*sizes, *extra], total),
    )


def _external_amounts(options: Mapping[str, str]) -> dict[str, float]:
    """The external resources of a task manager.

    ``ExternalResourceUtils.getExternalResourceAmountMap`` logs a resource without a positive amount
    and ignores it, and ``getExternalResourceSet`` ignores all where ``none`` is listed.
    """
    # YAML writes a list in brackets.
    listing = options.get(_EXTERNAL, _NONE).strip("[] ")
    names = {name.strip() for name in re.split("[;,]", listing)} - {""}
    if _NONE in names:
        return {}
    amounts = {name: options.get(f"external-resource.{name}.amount", "") for name in names}
    return {
        name: float(amount)
        for name, amount in sorted(amounts.items())
        if amount.isdecimal() and int(amount)
    }


def _parts(profile: SlotProfile, names: Sequence[str]) -> tuple[float, ...]:
    """The amounts of a profile, with those of the external resources of these names."""
    external = (profile.external.get(name, 0.0) for name in names)
    return profile.cpu, profile.task_heap, profile.task_off_heap, profile.managed, *external


def _split(total: SlotProfile, slots: int) -> SlotProfile:
    """The default slot: ``TaskExecutorResourceUtils.generateDefaultSlotResourceProfile``."""
    return SlotProfile(
        cpu=total.cpu / slots,
        # ``MemorySize.divide`` cuts to whole bytes, where cores are divided as decimal numbers.
        task_heap=total.task_heap // slots,
        task_off_heap=total.task_off_heap // slots,
        managed=total.managed // slots,
        external={name: amount / slots for name, amount in total.external.items()},
    )


def _count_fitting(profile: SlotProfile, total: SlotProfile) -> int:
    """How many slots of a profile an empty task manager offers."""
    names = [*profile.external]
    pairs = zip(_parts(profile, names), _parts(total, names), strict=True)
    return int(min(whole // part for part, whole in pairs if part > 0))


def _count_task_managers(
    sizes: Sequence[tuple[SlotProfile, int]], total: SlotProfile
) -> int | None:
    """Task managers for all slots: a slot goes to the first with enough left, else to a new one."""
    if sum(slots for _, slots in sizes) > _MOST_SLOTS:
        return None
    names = [*total.external]
    remaining: list[tuple[float, ...]] = []
    for profile, slots in sizes:
        if not _count_fitting(profile, total):
            return None
        parts, start = _parts(profile, names), 0
        for _ in range(slots):
            # A full task manager stays full for further slots of the same size.
            while start < len(remaining) and not _offers(remaining[start], parts):
                start += 1
            if start == len(remaining):
                remaining.append(_parts(total, names))
            remaining[start] = tuple(
                left - part for left, part in zip(remaining[start], parts, strict=True)
            )
    return len(remaining)


def _offers(resources: tuple[float, ...], parts: tuple[float, ...]) -> bool:
    return all(part <= left for left, part in zip(resources, parts, strict=True))


def _spell(profile: SlotProfile) -> Iterator[str]:
    yield f"{profile.cpu:g} CPU {'core' if profile.cpu == 1 else 'cores'}"
    sizes = {
        "task heap": profile.task_heap,
        "task off-heap": profile.task_off_heap,
        "managed memory": profile.managed,
    }
    yield from (f"{readable(size)} of {name}" for name, size in sizes.items() if size)
    yield from (f"{amount:g} {name}" for name, amount in profile.external.items())
