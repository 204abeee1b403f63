"""X coordinates of a rank's items, nearest to their neighbours, in the rank's order.

Least squares under separation: within a rank the items keep their order and their gaps, so shifted
by the gaps they form a rising sequence, which pooling adjacent violators fits in linear time.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, TypeAlias

Pull: TypeAlias = tuple[int, float, float]
"""A neighbour, how far from it the item wants to be, and how strongly."""

PASSES: Final = 6
"""Half of them downwards, half of them upwards; a last one holds both sides against each other, so
that boxes which end a route are not pushed aside by links that go on."""
DUMMY_GAP: Final = 12.0


def nearest_positions(
    layers: Sequence[Sequence[int]],
    widths: Sequence[float],
    real: int,
    pulls: tuple[Sequence[Sequence[Pull]], Sequence[Sequence[Pull]]],
    gap: float,
) -> list[float]:
    """Place all items; those numbered ``real`` and up are dummies and stand closer.

    ``pulls`` holds each item's pulls from the rank above and from the rank below.
    """
    xs = [0.0] * len(widths)
    offsets = [_offsets(layer, widths, real, gap) for layer in layers]
    for layer, offset in zip(layers, offsets, strict=True):
        for item, x in zip(layer, offset, strict=True):
            xs[item] = x - offset[-1] / 2
    both = [
        [*up, *((neighbour, by, strength / 2) for neighbour, by, strength in down)]
        for up, down in zip(*pulls, strict=True)
    ]
    for turn, side in enumerate((*pulls * (PASSES // 2), both)):
        order = range(len(layers)) if turn % 2 == 0 else range(len(layers) - 1, -1, -1)
        for rank in order:
            _settle(layers[rank], offsets[rank], side, xs)
    return xs


def _offsets(layer: Sequence[int], widths: Sequence[float], real: int, gap: float) -> list[float]:
    """Return the least x of each item when the first is at 0."""
    offsets = [0.0]
    for a, b in pairwise(layer):
        between = gap if a < real and b < real else DUMMY_GAP
        offsets.append(offsets[-1] + (widths[a] + widths[b]) / 2 + between)
    return offsets


def _settle(
    layer: Sequence[int],
    offsets: Sequence[float],
    pulls: Sequence[Sequence[Pull]],
    xs: list[float],
) -> None:
    expected, weights = [], []
    for item, offset in zip(layer, offsets, strict=True):
        strength = sum(weight for _, _, weight in pulls[item])
        if strength:
            x = (
                sum((xs[neighbour] + shift) * weight for neighbour, shift, weight in pulls[item])
                / strength
            )
        else:
            x, strength = xs[item], 0.01
        expected.append(x - offset)
        weights.append(strength)
    for item, offset, x in zip(layer, offsets, fit_rising(expected, weights), strict=True):
        xs[item] = x + offset


def fit_rising(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The rising sequence that is nearest to ``values`` in weighted least squares.

    >>> fit_rising([1.0, 3.0, 2.0], [1.0, 1.0, 1.0])
    [1.0, 2.5, 2.5]
    """
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values, weights, strict=True):
        mean, total, length = value, weight, 1
        while blocks and blocks[-1][0] > mean:
            block, strength, size = blocks.pop()
            mean = (mean * total + block * strength) / (total + strength)
            total, length = total + strength, length + size
        blocks.append((mean, total, length))
    return [mean for mean, _, length in blocks for _ in range(length)]
