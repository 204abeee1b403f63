"""Which vertices belong together? Those that are joined, one to another, by some of their results.

Mirrors ``PipelinedRegionComputeUtil`` and ``LogicalPipelinedRegionComputeUtil``, which merge the
regions of a result's two ends; which results join is the asker's affair.
"""

from collections.abc import Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def regions(vertices: Iterable[T], joined: Iterable[tuple[T, T]]) -> dict[T, T]:
    """By vertex, one vertex that stands for its region; the smaller region joins the larger.

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
