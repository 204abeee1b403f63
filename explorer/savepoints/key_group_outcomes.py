"""What a task's number of key groups after a restore does to the keyed state of its operators.

Mirrors ``StateAssignmentOperation.checkParallelismPreconditions``, where a derived number yields to
that of each operator in turn, and how the state backends look up a key. Up to 2.3 nothing in Flink
compares the number with which state was written with the one with which it is read.
"""

from collections.abc import Sequence
from math import lcm
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.flink.java_order import id_hash_code, sized_hash_order
from explorer.flink.key_groups import key_group_range
from explorer.flink.operator_state import TimeDomain
from explorer.flink.releases import Release

KeyedOutcome: TypeAlias = Literal["restored", "keys_lost", "fails"]
"""Every key finds its state; some keys start from nothing, without an error; a task fails."""

_ONE_BYTE: Final = 128
"""``CompositeKeySerializationUtils.computeRequiredBytesInKeyGroupPrefix``: up to this number of
key groups a stored key begins with one byte of its group, above with two."""


class RestoredKeys(msgspec.Struct, frozen=True, kw_only=True):
    """The keyed state of an operator between the savepoint and the task that restores it."""

    written: int
    """Number of key groups with which it was written."""
    read: int
    """Number of key groups of the task that restores it."""
    parallelism: tuple[int, int]
    """Of the operator in the savepoint, and of the task that restores it."""
    timers: TimeDomain | None = None
    """The time of the timers that the operator has for its keys."""

    @property
    def surviving_share(self) -> float:
        """The share of keys that find their state in a job that runs.

        A key's group is a hash modulo the number of groups: both groups must be equal, and be
        stored in as many bytes.
        """
        if not self._has_same_prefix:
            return 0.0
        # ``KeyGroupRangeAssignment.computeKeyGroupForKeyHash`` takes the remainder: a hash has one
        # group under both numbers for as many of ``lcm`` values as the smaller number has groups.
        return min(self.written, self.read) / lcm(self.written, self.read)

    def outcome(self, backend: str | None) -> KeyedOutcome:
        """What becomes of the keys; ``backend``: ``rocksdb`` or ``hashmap``; None: the worse."""
        if self.read == self.written:
            return "restored"
        if not self._stays_in_ranges or self._moves_timers(backend):
            return "fails"
        return "keys_lost" if backend == "rocksdb" else self._outcome_in_heap

    @property
    def _has_same_prefix(self) -> bool:
        return (self.written > _ONE_BYTE) == (self.read > _ONE_BYTE)

    @property
    def _stays_in_ranges(self) -> bool:
        """Whether every subtask is given key groups of its own range only.

        With an equal parallelism ``StateAssignmentOperation`` hands each subtask the handles of its
        predecessor uncut, and the backend refuses a group beyond its range: "The key group must
        belong to the backend".
        """
        previous, following = self.parallelism
        if previous != following:
            return True
        ranges = (
            (
                key_group_range(at, self.written, following),
                key_group_range(at, self.read, following),
            )
            for at in range(following)
        )
        return all(read[0] <= old[0] and old[1] <= read[1] for old, read in ranges)

    def _moves_timers(self, backend: str | None) -> bool:
        """Whether a timer fails in a subtask to which its key no longer belongs.

        The heap computes the group of each timer while it restores, RocksDB when it fires: in event
        time that is at the end of the input at the latest.
        """
        fails = self.timers is not None and (self.timers == "event" or backend != "rocksdb")
        return fails and self.parallelism[1] > 1

    @property
    def _outcome_in_heap(self) -> KeyedOutcome:
        """``HeapRestoreOperation`` reads as many bytes of a key group as ``read`` needs.

        One byte of two is the group 0, which only a single subtask owns; two bytes of one begin the
        key one byte too late: EOFException.
        """
        if self._has_same_prefix:
            return "keys_lost"
        is_narrower = self.read <= _ONE_BYTE
        return "keys_lost" if is_narrower and self.parallelism[1] == 1 else "fails"


def task_order(operator_ids: Sequence[str], release: Release) -> list[str]:
    """Return the operators of a task in the order in which a restore compares their maxima.

    Each record replaces a derived maximum parallelism of the task, so the last one stays.
    ``operator_ids``: the generated IDs in the order of ``JobVertex.operator_ids``, all of them
    known.
    """
    if release.restored_maximum == "last listed":
        return list(operator_ids)
    # ``StateAssignmentOperation.assignStates`` puts the operators of a task into a ``HashMap`` by
    # ``OperatorID``, whose hash code mixes both halves: the map's order decides which maximum
    # stays.
    return sized_hash_order({id: id_hash_code(id) for id in operator_ids})
