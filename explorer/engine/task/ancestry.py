"""Ancestors and descendants of a record, looked up in a run's lineage."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from explorer.engine.rows.batch import Longs
from explorer.engine.task.lineage import EmittedRecords, Lineage, Sent
from explorer.flink.regions import reachable_from


class RecordPlace(NamedTuple):
    """A record's row in the batch in which it was emitted."""

    among: EmittedRecords
    row: int


class Crossing(NamedTuple):
    """A record's row in the batch that was sent through a channel."""

    sent: Sent
    row: int


class Ancestry:
    """All records of a finished run, with the inputs and the outputs of each.

    A record is identified by its number; numbers rise in the order in which records were emitted.
    """

    def __init__(self, lineage: Lineage) -> None:
        self._emitted = sorted(lineage.emitted, key=lambda records: records.first)
        self._firsts = [emitted_records.first for emitted_records in self._emitted]
        self._parents = lineage.descent.parents()
        count = self._parents.shape[1]
        self._record = np.zeros(count, np.bool_)
        for emitted_records in self._emitted:
            self._record[emitted_records.numbers.start : emitted_records.numbers.stop] = True
        flat = self._parents.reshape(-1)
        order = np.argsort(flat[flat >= 0], kind="stable")
        self._children = np.tile(np.arange(count), 2)[flat >= 0][order]
        self._starts = np.searchsorted(flat[flat >= 0][order], np.arange(count + 1))
        """Start of each number's children in ``_children``."""
        self._sent, self._received = lineage.sent, lineage.received
        self._crossings = _NumberIndex([sent.numbers for sent in lineage.sent])
        self._receptions = _NumberIndex([received.numbers for received in lineage.received])

    def place(self, number: int) -> RecordPlace:
        """The emitter of the record, and its row."""
        among = self._emitted[bisect_right(self._firsts, number) - 1]
        return RecordPlace(among, number - among.first)

    def inputs_of(self, number: int) -> tuple[int, ...]:
        """Return the records that its operator read to emit this record; sorted."""
        return self._nearest(self._parents_of(number), self._parents_of)

    def outputs_of(self, number: int) -> tuple[int, ...]:
        """Return the records that its readers emitted because of this record; sorted."""
        return self._nearest(self._children_of(number), self._children_of)

    def _parents_of(self, number: int) -> list[int]:
        return [int(parent) for parent in self._parents[:, number] if parent >= 0]

    def _children_of(self, number: int) -> list[int]:
        result: list[int] = self._children[self._starts[number] : self._starts[number + 1]].tolist()
        return result

    def _nearest(self, begin: list[int], further: Callable[[int], list[int]]) -> tuple[int, ...]:
        """The first records on every route from ``begin`` on."""
        waiting, visited = list(begin), set(begin)
        result: list[int] = []
        while waiting:
            current = waiting.pop()
            if self._record[current]:
                result.append(current)
                continue
            fresh = [number for number in further(current) if number not in visited]
            visited.update(fresh)
            waiting += fresh
        return tuple(sorted(result))

    def source_ancestors(self, number: int) -> tuple[int, ...]:
        """The source records that a record comes from, or a source's record itself; sorted."""
        ends = reachable_from([number], self._parents_of)
        return tuple(sorted(end for end in ends if not self._parents_of(end)))

    def descendants(self, number: int) -> frozenset[int]:
        """All records that a record contributed to, at any distance, and the record itself."""
        return frozenset(
            item for item in reachable_from([number], self._children_of) if self._record[item]
        )

    def crossings(self, number: int) -> list[Crossing]:
        """Every channel that the record went through."""
        return [Crossing(self._sent[at], row) for at, row in self._crossings.places(number)]

    def readers(self, number: int) -> list[tuple[int, int, int]]:
        """Return node, subtask and input of every operator that received the record."""
        receiveds = (self._received[at] for at, _ in self._receptions.places(number))
        return [(received.node, received.subtask, received.input) for received in receiveds]


class _NumberIndex:
    """Finds the lists that contain a number, and its position in each."""

    def __init__(self, lists: Sequence[Longs]) -> None:
        arrays = [np.empty(0, np.int64)]
        numbers = np.concatenate([*arrays, *lists])
        order = np.argsort(numbers, kind="stable")
        self._numbers = numbers[order]
        lengths = [len(list_) for list_ in lists]
        self._lists = np.repeat(np.arange(len(lists)), lengths)[order]
        rows = [np.arange(length, dtype=np.int64) for length in lengths]
        self._rows = np.concatenate([*arrays, *rows])[order]

    def places(self, number: int) -> Iterator[tuple[int, int]]:
        start, stop = np.searchsorted(self._numbers, (number, number + 1))
        yield from zip(
            self._lists[start:stop].tolist(), self._rows[start:stop].tolist(), strict=True
        )
