"""Which share of its slot's managed memory each operator gets.

Mirrors ``StreamingJobGraphGenerator.setManagedMemoryFraction`` and
``ManagedMemoryUtils.getFractionRoundedDown``.
"""

from collections import defaultdict
from collections.abc import Mapping
from decimal import ROUND_DOWN, Decimal
from functools import cache
from typing import Final

from explorer.flink.releases import Release
from explorer.model.stream_graph import NodeId, StreamGraph

_SCALE: Final = Decimal("1e-16")


@cache
def fraction_rounded_down(part: int, whole: int) -> float:
    """``part / whole`` cut to 16 decimal places, as Flink's ``BigDecimal`` does.

    >>> fraction_rounded_down(1, 3)
    0.3333333333333333
    """
    return float((Decimal(part) / Decimal(whole)).quantize(_SCALE, rounding=ROUND_DOWN))


def memory_fractions(
    graph: StreamGraph, group_of: Mapping[NodeId, int], release: Release
) -> dict[NodeId, float | None]:
    """By node, its fraction of the slot; None where the release has no fractions.

    ``group_of``: by node, the number of its vertex's slot sharing group.
    """
    if release.memory == "none":
        return {node.id: None for node in graph.nodes}
    weights = {node.id: node.operator_memory_weight for node in graph.nodes}
    if release.memory == "weights":
        weights = {id: 1 if weight is None else weight for id, weight in weights.items()}
    if release.resources_decide_memory:
        unknown = {group_of[node.id] for node in graph.nodes if node.resources is None}
        weights = {id: weight if group_of[id] in unknown else 0 for id, weight in weights.items()}
    sums: defaultdict[int, int] = defaultdict(int)
    for id, weight in weights.items():
        sums[group_of[id]] += weight or 0
    return {
        id: fraction_rounded_down(weight, sums[group_of[id]]) if weight else 0.0
        for id, weight in weights.items()
    }
