"""Which vertices share slots, and which must share them subtask by subtask.

Mirrors ``StreamingJobGraphGenerator.setSlotSharingAndCoLocation`` and
``LogicalPipelinedRegionComputeUtil``.
"""

from explorer.errors import FlinkRefusalError
from explorer.model.chains import Chains, JobSettings, Wiring
from explorer.model.stream_graph import StreamGraph


def slot_sharing_groups(
    graph: StreamGraph, chains: Chains, wiring: Wiring, settings: JobSettings
) -> dict[int, int]:
    """By vertex, the number of its slot sharing group, counted in the order of the vertices.

    Mirrors ``setSlotSharing``: a group a name; where the job asks for it, the vertices of the
    group ``default`` get a group for each region that is connected by pipelined results.
    """
    region = _regions(wiring) if settings.slot_groups_by_region else {}
    numbers: dict[object, int] = {}
    groups: dict[int, int] = {}
    for vertex in wiring.order:
        name = graph.by_id[chains.chains[vertex].head].slot_sharing_group
        key = (name, region[vertex]) if region and name == "default" else name
        groups[vertex] = numbers.setdefault(key, len(numbers))
    return groups


def _regions(wiring: Wiring) -> dict[int, int]:
    """By vertex, one vertex that stands for its pipelined region (union-find)."""
    parent = {vertex: vertex for vertex in wiring.order}

    def root(vertex: int) -> int:
        while parent[vertex] != vertex:
            parent[vertex] = vertex = parent[parent[vertex]]
        return vertex

    for target, outputs in wiring.inputs.items():
        for output in outputs:
            if output.result_type in {"PIPELINED", "PIPELINED_BOUNDED"}:
                parent[root(target)] = root(wiring.producer[output.dataset])
    return {vertex: root(vertex) for vertex in wiring.order}


def co_located_vertices(
    graph: StreamGraph, chains: Chains, wiring: Wiring, groups: dict[int, int]
) -> frozenset[int]:
    """The vertices that must share a slot, subtask by subtask, with others.

    Mirrors ``setCoLocation``; raises where they are in different slot sharing groups.
    """
    first: dict[str, int] = {}
    co_located = set()
    for vertex in wiring.order:
        head = graph.by_id[chains.chains[vertex].head]
        if head.co_location_group is None:
            continue
        other = first.setdefault(head.co_location_group, vertex)
        if groups[other] != groups[vertex]:
            msg = "Cannot co-locate operators from different slot sharing groups"
            who = [
                graph.by_id[chains.chains[v].head].transformation or head.name
                for v in (other, vertex)
            ]
            raise FlinkRefusalError(msg, exception="IllegalStateException", transformations=who)
        co_located.add(vertex)
    return frozenset(co_located)
