"""In which order can nodes be visited so that each comes behind all that it reads?"""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def producers_first(nodes: Sequence[T], edges: Iterable[tuple[T, T]]) -> list[T]:
    """Sort so that every edge runs forward; ties keep the order of ``nodes``. No cycles.

    >>> producers_first(["c", "b", "a"], [("a", "b"), ("b", "c")])
    ['a', 'b', 'c']
    """
    missing = dict.fromkeys(nodes, 0)
    readers: dict[T, list[T]] = {}
    for source, target in edges:
        missing[target] += 1
        readers.setdefault(source, []).append(target)
    order = [node for node in nodes if not missing[node]]
    for node in order:
        for reader in readers.get(node, ()):
            missing[reader] -= 1
            if not missing[reader]:
                order.append(reader)
    return order
