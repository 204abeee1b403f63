"""Ancestors and descendants of a record, looked up in a run's lineage."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from explorer.engine.rows.batch import Longs
from explorer.engine.task.lineage import EmittedRecords, Lineage, Sent
from explorer.flink.regions import reached


class RecordPlace(NamedTuple):
    """Where a record stands among those that were emitted with it."""

    among: EmittedRecords
    row: int


class Crossing(NamedTuple):
    """How a record went through a channel."""

    sent: Sent
    row: int


class Ancestry:
    """All records of a run that is over, with what each comes of and what comes of each.

    A record is known by its number; numbers rise in the order in which records were emitted.
    """

    def __init__(self, lineage: Lineage) -> None:
        self._emitted = sorted(lineage.emitted, key=lambda one: one.first)
        self._firsts = [one.first for one in self._emitted]
        self._parents = lineage.descent.parents()
        self._record = np.zeros(self._parents.shape[1], np.bool_)
        for one in self._emitted:
            self._record[one.numbers.start : one.numbers.stop] = True
        self._children, self._starts = _turned(self._parents)
        self._sent, self._received = lineage.sent, lineage.received
        self._crossings = _Where([one.numbers for one in lineage.sent])
        self._receptions = _Where([one.numbers for one in lineage.received])

    def place(self, number: int) -> RecordPlace:
        """The emitter of the record, and its row."""
        among = self._emitted[bisect_right(self._firsts, number) - 1]
        return RecordPlace(among, number - among.first)

    def made_of(self, number: int) -> tuple[int, ...]:
        """Return the input records of a record, of the operator that emitted it; sorted."""
        return self._nearest(self._of(number), self._of)

    def became(self, number: int) -> tuple[int, ...]:
        """The records in which it took part, of the operators that read it; sorted."""
        return self._nearest(self._in(number), self._in)

    def _of(self, number: int) -> list[int]:
        return [int(one) for one in self._parents[:, number] if one >= 0]

    def _in(self, number: int) -> list[int]:
        found: list[int] = self._children[self._starts[number] : self._starts[number + 1]].tolist()
        return found

    def _nearest(self, begin: list[int], further: Callable[[int], list[int]]) -> tuple[int, ...]:
        """The first records on every route from ``begin`` on."""
        waiting, visited = list(begin), set(begin)
        found: list[int] = []
        while waiting:
            one = waiting.pop()
            if self._record[one]:
                found.append(one)
                continue
            fresh = [other for other in further(one) if other not in visited]
            visited.update(fresh)
            waiting += fresh
        return tuple(sorted(found))

    def forebears(self, number: int) -> tuple[int, ...]:
        """The sources' records that it comes of, the record itself where it is one; sorted."""
        ends = reached([number], self._of)
        return tuple(sorted(one for one in ends if not self._of(one)))

    def offspring(self, number: int) -> frozenset[int]:
        """All records in which it took part, at any distance, and the record itself."""
        return frozenset(one for one in reached([number], self._in) if self._record[one])

    def crossings(self, number: int) -> list[Crossing]:
        """Every channel that the record went through."""
        return [Crossing(self._sent[at], row) for at, row in self._crossings.of(number)]

    def read_by(self, number: int) -> list[tuple[int, int, int]]:
        """Return node, subtask and input of every operator that received the record."""
        found = (self._received[at] for at, _ in self._receptions.of(number))
        return [(one.node, one.subtask, one.input) for one in found]


class _Where:
    """In which of many lists of numbers does a number stand, and at which place of it?"""

    def __init__(self, lists: Sequence[Longs]) -> None:
        nothing = [np.empty(0, np.int64)]
        numbers = np.concatenate([*nothing, *lists])
        order = np.argsort(numbers, kind="stable")
        self._numbers = numbers[order]
        lengths = [len(one) for one in lists]
        self._lists = np.repeat(np.arange(len(lists)), lengths)[order]
        rows = [np.arange(length, dtype=np.int64) for length in lengths]
        self._rows = np.concatenate([*nothing, *rows])[order]

    def of(self, number: int) -> Iterator[tuple[int, int]]:
        """Each list and place, in the lists' order."""
        start, stop = np.searchsorted(self._numbers, (number, number + 1))
        yield from zip(
            self._lists[start:stop].tolist(), self._rows[start:stop].tolist(), strict=True
        )


def _turned(parents: Longs) -> tuple[Longs, Longs]:
    """By number, those that come of it: all behind one another, and where each one's begin."""
    count = parents.shape[1]
    of = parents.reshape(-1)
    children = np.tile(np.arange(count), 2)[of >= 0]
    of = of[of >= 0]
    order = np.argsort(of, kind="stable")
    return children[order], np.searchsorted(of[order], np.arange(count + 1))
