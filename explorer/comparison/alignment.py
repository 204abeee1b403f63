"""An alignment of two sequences that reports which pairs every best alignment has in common.

Nothing in Flink mirrors this. Pairs score by how alike they are and by whether both are
connected to their predecessors. A position that the best alignments pair differently is left open:
``align_sequences`` lists all its partners.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

Score: TypeAlias = Callable[[int, int], int | None]
"""Scores a position of the first sequence with one of the second; None: they cannot be a pair."""
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


def align_sequences(first: int, second: int, score: Score, joined: Joined) -> tuple[Partners, ...]:
    """Return the partners of each position of the first sequence.

    Args:
        first, second: The lengths of the sequences.
        score: Positive, or None.
        joined: As in ``Joined``.
    """
    band = _Band(first, second)
    if (first + 1) * min(second + 1, band.above - band.below + 1) > MOST_CELLS:
        return (Partners((), alone=True),) * first
    old_table = _forward(band, score, joined)
    behind_pair, behind = _backward(band, joined, old_table.pairs)
    columns: list[list[int]] = [[] for _ in range(first)]
    for row, column in old_table.pairs:
        if (
            old_table.paired[row + 1][column + 1] + behind_pair[row + 1][column + 1]
            == old_table.best
        ):
            columns[row].append(column)
    return tuple(
        Partners(
            tuple(columns[row]),
            alone=any(
                max(
                    old_table.paired[row].get(column, _NEVER),
                    old_table.alone[row].get(column, _NEVER),
                )
                + remainder
                == old_table.best
                for column, remainder in behind[row + 1].items()
            ),
        )
        for row in range(first)
    )


class _Band:
    """The columns of each row that are tried."""

    def __init__(self, first: int, second: int) -> None:
        self.first, self.second = first, second
        self.below = min(0, second - first) - SLACK
        self.above = max(0, second - first) + SLACK

    def columns(self, row: int) -> range:
        return range(max(0, row + self.below), min(self.second, row + self.above) + 1)


class _Table(NamedTuple):
    """Best scores by row and column, where the last step was a pair, and where it was none."""

    paired: list[dict[int, int]]
    alone: list[dict[int, int]]
    pairs: Mapping[tuple[int, int], int]
    """The scores of all pairs that are possible, their edge included."""
    best: int


def _forward(band: _Band, score: Score, joined: Joined) -> _Table:
    """Return the best scores of the elements before a row and a column."""
    paired: list[dict[int, int]] = []
    alone: list[dict[int, int]] = []
    pairs: dict[tuple[int, int], int] = {}
    for row in range(band.first + 1):
        above = (paired[-1], alone[-1]) if row else ({}, {})
        paired_places: dict[int, int] = {}
        single_places: dict[int, int] = {}
        for column in band.columns(row):
            if not row and not column:
                paired_places[0] = 0
                continue
            left = max(paired_places.get(column - 1, _NEVER), single_places.get(column - 1, _NEVER))
            up = max(above[0].get(column, _NEVER), above[1].get(column, _NEVER))
            single_places[column] = max(left, up)
            if not row or not column:
                continue
            value = score(row - 1, column - 1)
            if value is None:
                continue
            pairs[row - 1, column - 1] = value
            old_above = above[0].get(column - 1, _NEVER)
            if old_above > _NEVER and joined(row - 1, column - 1):
                old_above += JOINED
            paired_places[column] = value + max(old_above, above[1].get(column - 1, _NEVER))
        paired.append(paired_places)
        alone.append(single_places)
    last = paired[-1].get(band.second, _NEVER)
    if last > _NEVER and joined(band.first, band.second):
        last += JOINED
    return _Table(paired, alone, pairs, max(last, alone[-1].get(band.second, _NEVER)))


def _backward(
    band: _Band, joined: Joined, pairs: Mapping[tuple[int, int], int]
) -> tuple[list[dict[int, int]], list[dict[int, int]]]:
    """Return the best scores of the elements from a row and a column on.

    By row and column: after a pair, then after an element without a partner.
    """
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
            value = pairs.get((row, column))
            if value is not None:
                value += paired[row + 1].get(column + 1, _NEVER)
                behind = max(skipped, value)
                behind_pair = max(skipped, value + JOINED if joined(row, column) else value)
            paired[row][column] = behind_pair
            alone[row][column] = behind
    return paired, alone
