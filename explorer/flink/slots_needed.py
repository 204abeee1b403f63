"""How many slots does a job ask for at least? A slot sharing group at a time.

Mirrors ``SlotSharingGroup`` as the schedulers fill it: subtasks of one group share slots, those of
one vertex do not.
"""

from collections.abc import Iterable, Mapping


def slots_by_group(vertices: Iterable[tuple[int, int]]) -> dict[int, int]:
    """By slot sharing group, its slots: as many as its widest vertex has subtasks.

    ``vertices``: the group and the parallelism of each; groups come in the order of the first.

    >>> slots_by_group([(0, 2), (1, 4), (0, 3)])
    {0: 3, 1: 4}
    """
    widest: dict[int, int] = {}
    for group, parallelism in vertices:
        widest[group] = max(widest.get(group, 0), parallelism)
    return widest


def slots_needed(vertices: Iterable[tuple[int, int]]) -> int:
    """The slots of all groups together."""
    groups: Mapping[int, int] = slots_by_group(vertices)
    return sum(groups.values())
