"""An alignment of two sequences that reports which pairs every best alignment has in common.

Nothing in Flink mirrors this. Pairs score by how alike they are and by whether both are
connected to their predecessors. A position that the best alignments pair differently is left open:
``alignment`` lists all its partners.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

Score: TypeAlias = Callable[[int, int], int | None]
"""By position in the first and in the second sequence; None: they cannot be a pair."""
Joined: TypeAlias = Callable[[int, int], bool]
"""Whether like edges connect the elements at these positions to their predecessors. The position
after the last one stands for the boundary."""

JOINED: Final = 2
"""The score of two pairs in a row that are joined by like edges."""
SLACK: Final = 12
"""Positions by which an alignment may leave the diagonals between which the lengths lie."""
MOST_CELLS: Final = 1_500_000
"""Pairs that are tried at the most; larger sequences are left open."""
_NEVER: Final = -(1 << 40)


class Partners(NamedTuple):
    """The partners of one position of the first sequence, over all best alignments."""

    positions: tuple[int, ...]
    """In ascending order; several: the best alignments differ."""
    alone: bool
    """Whether a best alignment leaves it without a partner."""

    @property
    def settled(self) -> int | None:
        """The partner that every best alignment gives it; None: there is no such partner."""
        return self.positions[0] if len(self.positions) == 1 and not self.alone else None


def alignment(first: int, second: int, score: Score, joined: Joined) -> tuple[Partners, ...]:
    """The partners of each position of the first sequence.

    Args:
        first, second: The lengths of the sequences.
        score: Positive, or None.
        joined: As in ``Joined``.
    """
    band = _Band(first, second)
    if band.cells > MOST_CELLS:
        return (Partners((), alone=True),) * first
    forward = _forward(band, score, joined)
    backward = _backward(band, joined, forward)
    return tuple(_partners(band, forward, backward))


class _Band:
    """The columns of each row that are tried."""

    def __init__(self, first: int, second: int) -> None:
        self.first, self.second = first, second
        self.below = min(0, second - first) - SLACK
        self.above = max(0, second - first) + SLACK

    @property
    def cells(self) -> int:
        return (self.first + 1) * min(self.second + 1, self.above - self.below + 1)

    def columns(self, row: int) -> range:
        return range(max(0, row + self.below), min(self.second, row + self.above) + 1)


class _Table(NamedTuple):
    """Best scores by row and column, where the last step was a pair, and where it was none."""

    paired: list[dict[int, int]]
    alone: list[dict[int, int]]
    pairs: Mapping[tuple[int, int], int]
    """The scores of all pairs that are possible, their edge included."""
    best: int = 0


def _forward(band: _Band, score: Score, joined: Joined) -> _Table:
    """Of the elements before a row and a column."""
    paired: list[dict[int, int]] = []
    alone: list[dict[int, int]] = []
    pairs: dict[tuple[int, int], int] = {}
    for row in range(band.first + 1):
        above = (paired[-1], alone[-1]) if row else ({}, {})
        own_paired: dict[int, int] = {}
        own_alone: dict[int, int] = {}
        for column in band.columns(row):
            if not row and not column:
                own_paired[0] = 0
                continue
            left = max(own_paired.get(column - 1, _NEVER), own_alone.get(column - 1, _NEVER))
            up = max(above[0].get(column, _NEVER), above[1].get(column, _NEVER))
            own_alone[column] = max(left, up)
            if not row or not column:
                continue
            value = score(row - 1, column - 1)
            if value is None:
                continue
            pairs[row - 1, column - 1] = value
            before = above[0].get(column - 1, _NEVER)
            if before > _NEVER and joined(row - 1, column - 1):
                before += JOINED
            own_paired[column] = value + max(before, above[1].get(column - 1, _NEVER))
        paired.append(own_paired)
        alone.append(own_alone)
    last = paired[-1].get(band.second, _NEVER)
    if last > _NEVER and joined(band.first, band.second):
        last += JOINED
    return _Table(paired, alone, pairs, max(last, alone[-1].get(band.second, _NEVER)))


def _backward(band: _Band, joined: Joined, forward: _Table) -> _Table:
    """Of the elements from a row and a column on, by what the step before them was."""
    paired: list[dict[int, int]] = [{} for _ in range(band.first + 2)]
    alone: list[dict[int, int]] = [{} for _ in range(band.first + 2)]
    for row in range(band.first, -1, -1):
        for column in reversed(band.columns(row)):
            if row == band.first and column == band.second:
                paired[row][column] = JOINED if joined(row, column) else 0
                alone[row][column] = 0
                continue
            skipped = max(alone[row + 1].get(column, _NEVER), alone[row].get(column + 1, _NEVER))
            behind = behind_pair = skipped
            value = forward.pairs.get((row, column))
            if value is not None:
                value += paired[row + 1].get(column + 1, _NEVER)
                behind = max(skipped, value)
                behind_pair = max(skipped, value + JOINED if joined(row, column) else value)
            paired[row][column] = behind_pair
            alone[row][column] = behind
    return _Table(paired, alone, forward.pairs, forward.best)


def _partners(band: _Band, forward: _Table, backward: _Table) -> Iterator[Partners]:
    """By position of the first sequence, what the alignments with the best score do with it."""
    best = forward.best
    by_row: list[list[int]] = [[] for _ in range(band.first)]
    for row, column in forward.pairs:
        found = forward.paired[row + 1][column + 1] + backward.paired[row + 1][column + 1]
        if found == best:
            by_row[row].append(column)
    for row, columns in enumerate(by_row):
        before, skipped = forward, backward.alone[row + 1]
        alone = any(
            max(before.paired[row].get(column, _NEVER), before.alone[row].get(column, _NEVER))
            + behind
            == best
            for column, behind in skipped.items()
        )
        yield Partners(tuple(columns), alone=alone)
