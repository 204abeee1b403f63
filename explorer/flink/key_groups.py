"""Key groups of each subtask, and the default maximum parallelism.

Mirrors ``KeyGroupRangeAssignment``, which no release since 1.7 has changed.
"""

from functools import lru_cache
from typing import Any, Final

DEFAULT_LOWER_BOUND: Final = 128
"""The least maximum parallelism that Flink derives."""
MAX_PARALLELISM: Final = 32768
"""``UPPER_BOUND_MAX_PARALLELISM``: the most key groups, and so subtasks, that there can be."""
TOO_WIDE: Final = f"Maximum parallelism must be between 1 and {MAX_PARALLELISM}. Found: {{}}"
"""Flink's words for a maximum beyond that."""


def key_group_range(subtask: int, max_parallelism: int, parallelism: int) -> tuple[int, int]:
    """The first and the last key group of a subtask: ``computeKeyGroupRangeForOperatorIndex``.

    >>> [key_group_range(i, 128, 3) for i in range(3)]
    [(0, 42), (43, 85), (86, 127)]
    """
    # Rounded up, as ``computeKeyGroupRangeForOperatorIndex`` does: only so it is the inverse of
    # ``operator_index``. Rounded down, a key group would have two owners, or none.
    start = (subtask * max_parallelism + parallelism - 1) // parallelism
    return start, ((subtask + 1) * max_parallelism - 1) // parallelism


def default_max_parallelism(parallelism: int) -> int:
    """Derive the maximum parallelism: one and a half times, up to a power of two, within bounds.

    >>> [default_max_parallelism(p) for p in (1, 86, 30000)]
    [128, 256, 32768]
    """
    # ``computeDefaultMaxParallelism`` halves an int: 3 subtasks count as 4, not as 4.5. Another
    # rounding changes the maximum at powers of two, and with it every key's group.
    expected = parallelism + parallelism // 2
    power = 1 << max(expected - 1, 0).bit_length()
    return min(max(power, DEFAULT_LOWER_BOUND), MAX_PARALLELISM)


def most_subtasks(derived: int) -> int:
    """Return the largest parallelism for which Flink derives this maximum parallelism.

    >>> most_subtasks(128), most_subtasks(256), most_subtasks(MAX_PARALLELISM)
    (85, 171, 32768)
    """
    return MAX_PARALLELISM if derived == MAX_PARALLELISM else (2 * derived + 1) // 3


def operator_index(group: Any, max_parallelism: int, parallelism: int) -> Any:
    """Return the subtask that owns a key group: ``computeOperatorIndexForKeyGroup``.

    ``group`` is a number or an array of numbers; the result is of the same kind.

    >>> operator_index(127, 128, 3)
    2
    """
    # Multiplied before it is divided, as in Flink: the quotient alone would be 0 for most groups.
    return group * parallelism // max_parallelism


@lru_cache(maxsize=256)
def moved_key_groups(max_parallelism: int, previous: int, following: int) -> int:
    """How many key groups another subtask owns after the parallelism has changed.

    From 0 to ``max_parallelism``.

    >>> moved_key_groups(128, 2, 2), moved_key_groups(128, 2, 4), moved_key_groups(128, 1, 2)
    (0, 96, 64)
    """
    return sum(
        operator_index(group, max_parallelism, previous)
        != operator_index(group, max_parallelism, following)
        for group in range(max_parallelism)
    )
