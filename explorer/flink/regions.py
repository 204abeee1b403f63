"""Which vertices belong together? Those that are joined, one to another, by some of their results.

Mirrors ``PipelinedRegionComputeUtil`` and ``LogicalPipelinedRegionComputeUtil``, which merge the
regions of a result's two ends; which results join is the asker's affair.
"""

from collections.abc import Iterable


def regions(vertices: Iterable[int], joined: Iterable[tuple[int, int]]) -> dict[int, int]:
    """By vertex, one vertex that stands for its region (union-find).

    ``joined``: pairs of producer and consumer.

    >>> regions(range(4), [(0, 1), (1, 3)])
    {0: 0, 1: 0, 2: 2, 3: 0}
    """
    parent = {vertex: vertex for vertex in vertices}

    def root(vertex: int) -> int:
        while parent[vertex] != vertex:
            parent[vertex] = vertex = parent[parent[vertex]]
        return vertex

    for source, target in joined:
        parent[root(target)] = root(source)
    return {vertex: root(vertex) for vertex in parent}
