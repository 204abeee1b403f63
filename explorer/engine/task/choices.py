"""Explains the channel of a record: every number of the computation, and a sentence.

Mirrors ``selectChannel`` of the ``StreamPartitioner`` classes; ``channel_selectors.py`` selects the
channels, for whole batches.
"""

import msgspec
import numpy as np

from explorer.engine import plan
from explorer.engine.rows.batch import Batch
from explorer.engine.rows.java_hash import key_hashes
from explorer.engine.rows.key_groups import key_groups, murmur_hash
from explorer.engine.task.channel_selectors import key_columns
from explorer.engine.task.record_writer import effective_partitioner
from explorer.flink.key_groups import key_group_range, operator_index
from explorer.wording import counted, quoted


class KeyChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The computation from a key to the subtask that owns it, number by number."""

    key: str
    """The key's text."""
    hash_code: int
    """Java's ``hashCode()``."""
    murmur: int
    """``MathUtils.murmurHash`` of the hash code."""
    max_parallelism: int
    key_group: int
    parallelism: int
    operator_index: int
    """The subtask that owns the key group."""

    @property
    def sentence(self) -> str:
        """The whole computation in words."""
        first, last = key_group_range(self.operator_index, self.max_parallelism, self.parallelism)
        return (
            f"The key is {self.key}. Its hashCode() is {self.hash_code}, of which murmurHash makes "
            f"{self.murmur}; modulo {self.max_parallelism} that is key group {self.key_group}. "
            f"{self.key_group} × {self.parallelism} / {self.max_parallelism} is subtask "
            f"{self.operator_index}, which owns the key groups {first} to {last}."
        )


class ChannelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A record's channel, and the reason why it was selected."""

    channel: int
    """Counted from 0; 0 for a broadcast record, which is sent to all channels."""
    consumers: tuple[int, ...]
    """The subtasks that read it."""
    partitioner: str
    """Flink's name, such as HASH or REBALANCE."""
    keyed: KeyChoice | None
    """Set where a key selects the channel."""
    why: str


def key_choice(edge: plan.Edge, batch: Batch, row: int) -> KeyChoice:
    """``KeyGroupStreamPartitioner``'s computation for a record; its key is not null."""
    one = batch.slice(row, row + 1)
    columns = key_columns(one, edge.keys)
    codes = key_hashes(columns)
    group = int(key_groups(codes, edge.max_parallelism)[0])
    key = ", ".join(quoted(column[0].as_py()) for column in columns)
    consumers = edge.wiring.consumers
    return KeyChoice(
        key=key if len(columns) == 1 else f"({key})",
        hash_code=int(codes.astype(np.uint32).view(np.int32)[0]),
        murmur=int(murmur_hash(codes)[0]),
        max_parallelism=edge.max_parallelism,
        key_group=group,
        parallelism=consumers,
        operator_index=int(operator_index(group, edge.max_parallelism, consumers)),
    )


def choice(edge: plan.Edge, subtask: int, channel: int, batch: Batch, row: int) -> ChannelChoice:
    """Explain why a producer's subtask sent a record of ``batch`` through ``channel``."""
    readers = edge.wiring.readers(subtask)
    broadcast = edge.partitioner == "BROADCAST"
    keyed = key_choice(edge, batch, row) if edge.partitioner == "HASH" else None
    consumers = tuple(edge.wiring.consumers_of(subtask)) if broadcast else readers[channel]
    return ChannelChoice(
        channel=channel,
        consumers=consumers,
        partitioner=edge.partitioner,
        keyed=keyed,
        why=keyed.sentence if keyed else _why(edge, subtask, channel, len(readers)),
    )


def _why(edge: plan.Edge, subtask: int, channel: int, channels: int) -> str:
    if edge.partitioner == "BROADCAST":
        return f"BROADCAST sends every record through all {counted(channels, 'channel')}."
    name = effective_partitioner(edge)
    if channels == 1:
        return f"{name} has a single channel here, so there is nothing to choose."
    reasons = {
        "REBALANCE": (
            f"REBALANCE distributes records round-robin: after channel {(channel - 1) % channels} "
            f"comes channel {channel} of {channels}. Flink starts at a random channel; here "
            f"producer {subtask} starts at {subtask % channels}."
        ),
        "RESCALE": (
            f"RESCALE distributes records round-robin, from channel 0 on, among the {channels} "
            f"consumers that producer {subtask} is connected to: this record goes to channel "
            f"{channel}."
        ),
        "SHUFFLE": (
            f"SHUFFLE draws a channel by lot for each record: {channel} of {channels}. Here the "
            "lot depends on the record's place alone, so that a run can be repeated."
        ),
        "GLOBAL": (
            f"GLOBAL sends every record through channel {channel}, whatever the other "
            f"{channels - 1} wait for."
        ),
        "CUSTOM": (
            f"A partitioner of the program chooses. What it does is not known here: the row's "
            f"hash, modulo {counted(channels, 'channel')}, stands in for it and gives {channel}."
        ),
    }
    return reasons[name]
