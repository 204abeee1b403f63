"""Connected regions, reachable elements and topological order of a graph.

Mirrors ``PipelinedRegionComputeUtil`` and ``LogicalPipelinedRegionComputeUtil``, which merge the
regions of a result's two ends.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def regions(vertices: Iterable[T], joined: Iterable[tuple[T, T]]) -> dict[T, T]:
    """The representative of each vertex's region; the smaller region joins the larger one.

    ``joined``: pairs of producer and consumer.

    >>> regions(range(4), [(0, 1), (1, 3)])
    {0: 0, 1: 0, 2: 2, 3: 0}
    """
    region = {vertex: [vertex] for vertex in vertices}
    for source, target in joined:
        if region[source] is not region[target]:
            large, small = sorted((region[source], region[target]), key=len, reverse=True)
            large += small
            region.update(dict.fromkeys(small, large))
    return {vertex: together[0] for vertex, together in region.items()}


def reachable_from(starts: Iterable[T], further: Callable[[T], Iterable[T]]) -> set[T]:
    """All elements downstream of the starts at any distance, and the starts; ``further``: one step.

    >>> sorted(reachable_from([1], lambda one: {1: [2, 3], 3: [1], 4: [5]}.get(one, [])))
    [1, 2, 3]
    """
    ts = set(starts)
    pending = list(ts)
    while pending:
        fresh = [item for item in further(pending.pop()) if item not in ts]
        ts.update(fresh)
        pending += fresh
    return ts


def producers_first(nodes: Sequence[T], edges: Iterable[tuple[T, T]]) -> list[T]:
    """Sort so that every edge runs forward; ties keep the order of ``nodes``.

    Elements on a cycle or downstream of one are left out.

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
