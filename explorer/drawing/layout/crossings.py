"""Order of the items of a rank, so that few links cross.

Median sweeps up and down, the best order retained. Ties keep the order of the input.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

SWEEPS: Final = 8
"""More bring little; each costs a pass over all segments."""


def order_layers(
    ranks: Sequence[int], segments: Sequence[tuple[int, int]], real: int
) -> list[list[int]]:
    """Order each rank's items; every segment joins neighbouring ranks, the upper item first.

    Items numbered ``real`` and up are the dummies of long links.

    >>> order_layers([0, 0, 1, 1], [(0, 3), (1, 2)], 4)
    [[0, 1], [3, 2]]
    """
    above: list[list[int]] = [[] for _ in ranks]
    below: list[list[int]] = [[] for _ in ranks]
    for a, b in segments:
        below[a].append(b)
        above[b].append(a)
    layers = _depth_first(ranks, [_nest_items(items, below, real) for items in below])
    if all(len(layer) == 1 for layer in layers):
        return layers
    best, fewest = layers, crossings(layers, below)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        layers = _swept(layers, below if sweep % 2 else above, upwards=bool(sweep % 2))
        count = crossings(layers, below)
        if count < fewest:
            best, fewest = layers, count
    return best


def _nest_items(items: Sequence[int], below: Sequence[Sequence[int]], real: int) -> list[int]:
    """Let the longest of an item's links start in the middle, the shortest outside.

    So the boxes of a wide fan that stand in later ranks stand below its middle.
    """
    if all(item < real for item in items):
        return list(items)
    spans = dict.fromkeys(items, 0)
    for item in spans:
        end = item
        # Dummies that the link passes from here on.
        while end >= real:
            end = below[end][0]
            spans[item] += 1
    left: list[int] = []
    right: list[int] = []
    for turn, item in enumerate(sorted(spans, key=spans.__getitem__)):
        (right if turn % 2 else left).append(item)
    return left + right[::-1]


def _depth_first(ranks: Sequence[int], below: Sequence[Sequence[int]]) -> list[list[int]]:
    """Order items by a traversal from the sources: a tree gets no crossing."""
    layers: list[list[int]] = [[] for _ in range(max(ranks) + 1)]
    visited = [False] * len(ranks)
    for start in sorted(range(len(ranks)), key=lambda item: (ranks[item], item)):
        stack = [start]
        while stack:
            item = stack.pop()
            if not visited[item]:
                visited[item] = True
                layers[ranks[item]].append(item)
                stack += reversed(below[item])
    return layers


def _swept(
    layers: Sequence[Sequence[int]], neighbours: Sequence[Sequence[int]], *, upwards: bool
) -> list[list[int]]:
    """Sort each rank by the median place of its items' neighbours in the rank before it."""
    result = [list(layer) for layer in layers]
    place: dict[int, int] = {}
    order = range(len(result) - 1, -1, -1) if upwards else range(len(result))
    for rank in order:
        layer = result[rank]
        key = {
            item: _median(
                [place[other_neighbour] for other_neighbour in neighbours[item]], fallback=turn
            )
            for turn, item in enumerate(layer)
        }
        layer.sort(key=key.__getitem__)
        place.update({item: turn for turn, item in enumerate(layer)})
    return result


def _median(places: list[int], *, fallback: int) -> float:
    if not places:
        return fallback
    places.sort()
    half = len(places) // 2
    return places[half] if len(places) % 2 else (places[half - 1] + places[half]) / 2


def crossings(layers: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> int:
    """Count the pairs of segments that cross: the inversions between neighbouring ranks.

    >>> crossings([[0, 1], [2, 3]], [[3], [2], [], []])
    1
    """
    total = 0
    for upper, lower in pairwise(layers):
        place = {item: turn for turn, item in enumerate(lower)}
        ends = [turn for item in upper for turn in sorted(place[reader] for reader in below[item])]
        total += _inversions(ends, len(lower))
    return total


def _inversions(values: Sequence[int], size: int) -> int:
    """Count the pairs that stand in falling order, with a Fenwick tree."""
    tree, total = [0] * (size + 1), 0
    for visited, value in enumerate(values):
        at, smaller = value + 1, 0
        while at:
            smaller += tree[at]
            at &= at - 1
        total += visited - smaller
        at = value + 1
        while at <= size:
            tree[at] += 1
            at += at & -at
    return total
