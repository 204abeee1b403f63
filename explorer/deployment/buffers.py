"""Network buffers of a task: required and maximum.

Mirrors ``NettyShuffleUtils``, ``ResultPartitionFactory``, ``SingleInputGateFactory`` and, from 1.17
on, ``InputGateSpecUtils`` with its ``GateBuffersSpec``. A task's result partitions and input gates
have a pool each; in addition to its pool a gate gives each remote channel exclusive buffers.
"""

from typing import Final, NamedTuple

from explorer.deployment.network_options import NetworkOptions
from explorer.flink.releases import Release
from explorer.java_numbers import INT_MAX

BLOCKING: Final = frozenset({"BLOCKING", "BLOCKING_PERSISTENT"})
PIPELINED: Final = frozenset({"PIPELINED", "PIPELINED_BOUNDED"})
BOUNDED: Final = frozenset({"PIPELINED_BOUNDED", "PIPELINED_APPROXIMATE"})
HYBRID: Final = frozenset({"HYBRID_FULL", "HYBRID_SELECTIVE"})
_MOST_FOR_BATCH: Final = 1000
"""What the gate of a result that is no stream requires at most."""


class Pool(NamedTuple):
    """A ``LocalBufferPool``: what it requires, and what it may grow to."""

    required: int
    most: int
    """``INT_MAX``: as many as there are."""


class GateBuffers(NamedTuple):
    """The buffers of an input gate."""

    exclusive: int
    """Of each remote channel; a local channel reads what its producer wrote."""
    floating: Pool


def partition_pool(
    result_type: str, subpartitions: int, options: NetworkOptions, release: Release
) -> Pool:
    """The pool of a result partition."""
    is_sorted = result_type in BLOCKING and subpartitions >= options.sort_from
    # ``NettyShuffleUtils.getMinMaxNetworkBuffersPerResultPartition``: one buffer for each
    # subpartition to be filled, and one that is free, since ``StreamTask.processInput`` reads no
    # record while the pool has none.
    required = options.sort_buffers if is_sorted else subpartitions + 1
    if options.tiered and not is_sorted:
        required = min(release.tiered_buffers, required)
    if result_type in BOUNDED:
        maximum = subpartitions * options.per_channel + options.floating
    elif is_sorted and release.sort_shuffle_bounded:
        maximum = 4 * subpartitions
    else:
        maximum = INT_MAX
    # A few channels with no floating buffers allow less than is required; the larger one holds.
    return Pool(required, max(required, maximum))


def gate_buffers(
    result_type: str, channels: int, options: NetworkOptions, release: Release
) -> GateBuffers:
    """The buffers of a gate with this number of channels, including local ones."""
    if not release.limits_required_buffers:
        unbounded = release.unbounded_gates and result_type not in BOUNDED
        maximum = INT_MAX if unbounded else options.floating
        return GateBuffers(options.per_channel, Pool(release.least_gate_buffers, maximum))
    streams = result_type in PIPELINED or (result_type in HYBRID and not options.tiered)
    limit = options.most_required or (INT_MAX if streams else _MOST_FOR_BATCH)
    # ``InputGateSpecUtils.getRequiredBuffersTargetPerGate`` adds one floating buffer:
    # ``createGateBuffersSpec`` requires a pool that is not empty.
    required = min(limit, channels * options.per_channel + 1)
    # ``InputGateSpecUtils.getExclusiveBuffersPerChannel``: where the limit cuts, channels have
    # fewer exclusive buffers, and the pool what is left, so that the sum stays the same.
    exclusive = min(options.per_channel, (required - 1) // channels)
    every = channels * exclusive
    maximum = channels * options.per_channel + options.floating - every
    return GateBuffers(exclusive, Pool(required - every, maximum))
