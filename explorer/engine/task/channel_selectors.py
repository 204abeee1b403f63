"""Selects the channels of records, for whole batches.

Mirrors the ``StreamPartitioner`` classes. A partitioner remembers where it stopped, so its choice
does not depend on how records are cut into batches. What is random in Flink (where REBALANCE
starts, SHUFFLE) is fixed here, so that a trial can be repeated.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from explorer.engine.rows.batch import Batch, Bools, Column, Longs
from explorer.engine.rows.java_hash import key_hashes, null_keys
from explorer.engine.rows.key_groups import key_groups, murmur_hash
from explorer.flink.key_groups import MAX_PARALLELISM, operator_index

_FEW: Final = 8
"""Number of channels up to which selecting the records of each is cheaper than sorting them."""
Routed: TypeAlias = Iterator[tuple[int, Batch]]
Numbers: TypeAlias = npt.NDArray[np.integer[Any]]
"""The channel of each record."""


class NullKeyError(Exception):
    """A record's key is null, which Flink refuses; ``index`` is the record in its batch."""

    def __init__(self, index: int) -> None:
        self.index = index
        super().__init__("Assigned key must not be null!")


class OneChannel:
    """``ForwardPartitioner`` and ``GlobalPartitioner``: always the first channel.

    Also for a keyed edge with a single channel, where null keys are still refused.
    """

    def __init__(self, keys: tuple[str, ...] | None) -> None:
        self._keys = keys

    def route(self, batch: Batch) -> Routed:
        """All records, on channel 0."""
        if self._keys is not None:
            _refuse(null_keys(key_columns(batch, self._keys)))
        yield 0, batch


class RoundRobin:
    """``RebalancePartitioner`` and ``RescalePartitioner``: one channel after the other."""

    def __init__(self, channels: int, first: int) -> None:
        self._channels, self._next = channels, first % channels

    def route(self, batch: Batch) -> Routed:
        """Every ``channels``-th record to each channel, continuing where the last batch ended."""
        count = len(batch)
        for channel in range(self._channels):
            start = (channel - self._next) % self._channels
            if start < count:
                yield channel, batch.take(np.arange(start, count, self._channels))
        self._next = (self._next + count) % self._channels


class ChannelByRecord:
    """A partitioner that selects each record's channel independently.

    Its number fits two bytes: ``KeyGroupRangeAssignment.UPPER_BOUND_MAX_PARALLELISM`` is 1 << 15.
    """

    def __init__(self, channels: int, select: Callable[[Batch], Numbers]) -> None:
        self._channels, self._select = channels, select

    def route(self, batch: Batch) -> Routed:
        """The records in channel order, cut where the channel changes."""
        selected = self._select(batch).astype(np.uint16, copy=False)
        if self._channels <= _FEW:
            for channel in range(self._channels):
                mine = np.flatnonzero(selected == channel)
                if len(mine):
                    yield channel, batch.take(mine)
            return
        # Stable: Flink keeps the order of records within a channel, and nothing beyond it.
        ordered = batch.take(np.argsort(selected, kind="stable"))
        ends = np.cumsum(np.bincount(selected, minlength=self._channels))
        start = 0
        for channel, end in enumerate(ends.tolist()):
            if end > start:
                yield channel, ordered.slice(start, end)
            start = end


Partitioner: TypeAlias = OneChannel | RoundRobin | ChannelByRecord
"""Its ``route`` yields each channel that gets records, with these records in order."""


def key_columns(batch: Batch, keys: tuple[str, ...] | None) -> Sequence[Column]:
    """The key's columns; all columns where no key is named."""
    return batch.columns if keys is None else [batch.column(name) for name in keys]


def hash_channels(
    batch: Batch, keys: tuple[str, ...] | None, max_parallelism: int, channels: int
) -> Numbers:
    """``KeyGroupStreamPartitioner``: the subtask that owns each record's key group."""
    columns = key_columns(batch, keys)
    if keys is not None:
        # ``KeyGroupRangeAssignment.assignToKeyGroup`` refuses a null key at the producer, before
        # the record is written: the error names the operator upstream of the exchange.
        _refuse(null_keys(columns))
    if len(columns) > 1 or not pa.types.is_string(columns[0].type):
        return _owners(columns, max_parallelism, channels)
    # Strings repeat often: each is hashed once.
    words = columns[0].dictionary_encode("encode")
    owners = _owners([words.dictionary], max_parallelism, channels)
    selected: Numbers = owners[words.indices.to_numpy()]
    return selected


def _owners(columns: Sequence[Column], max_parallelism: int, channels: int) -> Numbers:
    groups = key_groups(key_hashes(columns), max_parallelism)
    array: Numbers = operator_index(groups, max_parallelism, channels)
    return array


def _refuse(nulls: Bools | None) -> None:
    if nulls is not None:
        raise NullKeyError(int(np.argmax(nulls)))


class _Shuffle:
    """``ShufflePartitioner`` with channels that depend only on a record's position."""

    _STEP: Final = np.uint64(0x9E3779B97F4A7C15)
    _MIX: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))

    def __init__(self, channels: int, seed: int) -> None:
        self._channels = np.uint64(channels)
        self._place = (seed + 1) << 40

    def __call__(self, batch: Batch) -> Longs:
        """A channel for each record, by splitmix64 over the record's number."""
        places = np.arange(self._place, self._place + len(batch), dtype=np.uint64)
        self._place += len(batch)
        mixed = places * self._STEP
        mixed = (mixed ^ (mixed >> np.uint64(30))) * self._MIX[0]
        mixed = (mixed ^ (mixed >> np.uint64(27))) * self._MIX[1]
        mixed ^= mixed >> np.uint64(31)
        return (mixed % self._channels).astype(np.int64)


def partitioner(
    name: str,
    *,
    channels: int,
    subtask: int,
    edge: int = 0,
    max_parallelism: int = 128,
    keys: tuple[str, ...] | None = None,
) -> Partitioner:
    """Make the partitioner that Flink calls ``name``, for one producer's channels.

    A BROADCAST edge has none: its writer sends each record to every channel.
    """
    if name == "REBALANCE":
        # Flink begins at a random channel; here each producer begins at its own number, so that a
        # few records do not all go to the first consumer.
        return RoundRobin(channels, subtask)
    if name in ("GLOBAL", "FORWARD") or channels == 1:
        return OneChannel(keys)
    if name == "RESCALE":
        # ``RescalePartitioner`` counts from -1, so that its first record goes to channel 0.
        return RoundRobin(channels, 0)
    if name == "SHUFFLE":
        return ChannelByRecord(channels, _Shuffle(channels, edge * MAX_PARALLELISM + subtask))
    if name == "CUSTOM":
        # Stand in for a user's ``Partitioner``: the whole row's hash, modulo the channels.
        return ChannelByRecord(
            channels, lambda batch: murmur_hash(key_hashes(batch.columns)) % channels
        )
    return ChannelByRecord(
        channels, lambda batch: hash_channels(batch, keys, max_parallelism, channels)
    )
