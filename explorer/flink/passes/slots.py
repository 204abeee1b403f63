"""Slot sharing of vertices, and each operator's share of the managed memory of a slot.

Mirrors ``StreamingJobGraphGenerator.setSlotSharingAndCoLocation``, ``setManagedMemoryFraction`` and
``LogicalPipelinedRegionComputeUtil``.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from decimal import ROUND_DOWN, Decimal
from functools import cache
from typing import Final

from explorer.errors import FlinkRefusalError
from explorer.flink.regions import regions
from explorer.flink.releases import Release
from explorer.model.chains import Chains, JobSettings, Wiring
from explorer.model.stream_graph import NodeId, StreamGraph, StreamNode


def slot_sharing_groups(
    graph: StreamGraph, chains: Chains, wiring: Wiring, settings: JobSettings
) -> dict[int, int]:
    """By vertex, the number of its slot sharing group, counted in the order of the vertices.

    Mirrors ``setSlotSharing``: a group a name; where the job asks for it, the vertices of the
    group ``default`` get a group for each region that is connected by pipelined results.
    """
    # A hybrid result may be read while it is written, but need not be: it connects no region.
    pipelined = (
        (wiring.producer[output.dataset], target)
        for target, outputs in wiring.inputs.items()
        for output in outputs
        if output.result_type in {"PIPELINED", "PIPELINED_BOUNDED"}
    )
    region = regions(wiring.order, pipelined) if settings.slot_groups_by_region else {}
    # A group has no number in Flink, where it is an object: they are counted as the vertices are.
    numbers: dict[object, int] = {}
    groups: dict[int, int] = {}
    for vertex in wiring.order:
        name = graph.by_id[chains.chains[vertex].head].slot_sharing_group
        key = (name, region[vertex]) if region and name == "default" else name
        groups[vertex] = numbers.setdefault(key, len(numbers))
    return groups


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
        # ``setCoLocation`` asks the start node of each vertex: the group of an operator chained
        # behind another is dropped without a word.
        if head.co_location_group is None:
            continue
        first_vertex = first.setdefault(head.co_location_group, vertex)
        if groups[first_vertex] != groups[vertex]:
            msg = "Cannot co-locate operators from different slot sharing groups"
            owner = [graph.by_id[chains.chains[v].head].handle for v in (first_vertex, vertex)]
            raise FlinkRefusalError(msg, exception="IllegalStateException", transformations=owner)
        co_located.add(vertex)
    return frozenset(co_located)


_SCALE: Final = Decimal("1e-16")


@cache
def fraction_rounded_down(part: int, whole: int) -> float:
    """``part / whole`` cut to 16 decimal places, as Flink's ``BigDecimal`` does.

    >>> fraction_rounded_down(1, 3)
    0.3333333333333333
    """
    # ``ManagedMemoryUtils.getFractionRoundedDown`` cuts, and does not round: the
    # fractions of a slot must not add up to more than the slot.
    return float((Decimal(part) / Decimal(whole)).quantize(_SCALE, rounding=ROUND_DOWN))


def memory_fractions(
    nodes: Collection[StreamNode], group_of: Mapping[NodeId, int], release: Release
) -> dict[NodeId, float | None]:
    """By node, its fraction of the slot; None where the release has no fractions.

    Args:
        nodes: Whole slot sharing groups.
        group_of: By node, the number of its vertex's slot sharing group.
        release: The release that shares the memory out.
    """
    if release.memory == "none":
        return {node.id: None for node in nodes}
    weights = {node.id: node.operator_memory_weight for node in nodes}
    if release.memory == "weights":
        # ``Transformation.DEFAULT_MANAGED_MEMORY_WEIGHT``, which later releases no longer have.
        weights = {id: 1 if weight is None else weight for id, weight in weights.items()}
    if release.resources_decide_memory:
        # Where all are known ``setManagedMemoryFractionForOperator`` of 1.10 and 1.11 divides the
        # managed memory of their ``ResourceSpec``, and these have none.
        unknown = {group_of[node.id] for node in nodes if node.resources is None}
        weights = {id: weight if group_of[id] in unknown else 0 for id, weight in weights.items()}
    sums: defaultdict[int, int] = defaultdict(int)
    for id, weight in weights.items():
        sums[group_of[id]] += weight or 0
    return {
        id: fraction_rounded_down(weight, sums[group_of[id]]) if weight else 0.0
        for id, weight in weights.items()
    }
