"""Options of a cluster that configure network buffers.

Mirrors ``NettyShuffleEnvironmentConfiguration.fromConfiguration``.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.deployment.memory_options import (
    MemoryRefusalError,
    Option,
    Options,
    UnreadableOptionError,
)
from explorer.flink.passes.generation.options import SHUFFLE_MODE
from explorer.flink.releases import Release
from explorer.java_numbers import INT_MAX

_SEGMENT: Final = Option("taskmanager.memory.segment-size", "32kb")
_LEAST_SEGMENT: Final = 4096
_PER_CHANNEL: Final = Option("taskmanager.network.memory.buffers-per-channel", "2")
_FLOATING: Final = Option("taskmanager.network.memory.floating-buffers-per-gate", "8")
_MOST_REQUIRED: Final = Option("taskmanager.network.memory.read-buffer.required-per-gate.max")
_SORT_BUFFERS: Final = "taskmanager.network.sort-shuffle.min-buffers"
_SORT_FROM: Final = "taskmanager.network.sort-shuffle.min-parallelism"
_NEW_MODE: Final = Option("taskmanager.network.hybrid-shuffle.enable-new-mode", "true")
_HYBRID: Final = ("ALL_EXCHANGES_HYBRID_FULL", "ALL_EXCHANGES_HYBRID_SELECTIVE")


class NetworkOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How many buffers a task manager has, and how tasks may ask for them."""

    buffers: int
    """All that its network memory holds."""
    buffer_size: int
    """Bytes."""
    per_channel: int
    """Exclusive buffers of a remote channel."""
    floating: int
    """Buffers that the channels of a gate share."""
    most_required: int | None
    """How many a gate requires at most; None: the release's default, which depends on the type."""
    sort_buffers: int
    sort_from: int
    tiered: bool
    """Whether results lie in tiered storage, as hybrid ones do from 1.18 on."""


def network_options(
    options: Mapping[str, object], network: int, release: Release
) -> NetworkOptions:
    """Read them; ``network``: bytes of network memory. Raises in Flink's words, as it refuses."""
    values = Options(options)
    size = segment_size(options)
    if network // size > INT_MAX:
        msg = (
            f"The given number of memory bytes ({network}) corresponds to more than MAX_INT pages."
        )
        raise UnreadableOptionError(msg)
    reported = values if release.buffer_options else Options({})
    result = NetworkOptions(
        # ``NettyShuffleEnvironmentConfiguration.calculateNumberOfNetworkBuffers`` cuts: bytes that
        # fill no whole segment are no buffer.
        buffers=network // size,
        buffer_size=size,
        per_channel=_number(reported, _PER_CHANNEL, release),
        floating=_number(reported, _FLOATING, release),
        most_required=values.whole(_MOST_REQUIRED)
        if release.limits_required_buffers and values.has(_MOST_REQUIRED)
        else None,
        sort_buffers=values.whole(Option(_SORT_BUFFERS, str(release.sort_shuffle_buffers)))
        if release.sort_shuffle_buffers
        else 0,
        sort_from=reported.whole(Option(_SORT_FROM, str(release.sort_shuffle_from)))
        if release.sort_shuffle_buffers
        else INT_MAX,
        tiered=_uses_tiered_shuffle(values, release),
    )
    _check(result, release)
    return result


def segment_size(options: Mapping[str, object]) -> int:
    """Return the bytes of a network buffer: ``ConfigurationParserUtils.getPageSize``.

    Raises ``MemoryRefusalError`` in Flink's words for a size that Flink refuses.
    """
    values = Options(options)
    try:
        size = values.size(_SEGMENT)
    except MemoryRefusalError:
        # Only the memory of a process is read with words of its own.
        msg = f"Could not parse value '{values.text(_SEGMENT)}' for key '{_SEGMENT.key}'."
        raise UnreadableOptionError(msg) from None
    if size < _LEAST_SEGMENT:
        problem = f"Minimum memory segment size is {_LEAST_SEGMENT}"
    # ``ConfigurationParserUtils.getPageSize``: ``MemoryManager`` finds a page by shifting bits.
    elif size & (size - 1):
        problem = "Memory segment size must be a power of 2."
    else:
        return size
    msg = f"Invalid configuration value for {_SEGMENT.key} : {size} - {problem}"
    raise MemoryRefusalError(msg)


def _number(options: Options, option: Option, release: Release) -> int:
    try:
        return options.whole(option)
    except UnreadableOptionError:
        if release.refuses_unreadable_numbers:
            raise
        return Options({}).whole(option)


def _uses_tiered_shuffle(options: Options, release: Release) -> bool:
    """Whether the cluster's own shuffle mode is a hybrid one, in the only mode that 2.0 left."""
    if not release.tiered_buffers or options.text(Option(SHUFFLE_MODE)) not in _HYBRID:
        return False
    return not release.buffer_options or str(options.text(_NEW_MODE)).lower() == "true"


def _check(options: NetworkOptions, release: Release) -> None:
    """Refuse what Flink's preconditions do."""
    if not release.limits_required_buffers:
        return
    if options.per_channel < 0:
        msg = "Must be non-negative."
        raise UnreadableOptionError(msg)
    if options.most_required is not None and options.most_required < 1:
        msg = (
            "At least one buffer is required for each gate, please increase the value of "
            f"{_MOST_REQUIRED.key}."
        )
        raise UnreadableOptionError(msg)
    if options.floating < 1:
        msg = (
            "The configured floating buffer should be at least 1, please increase the value of "
            f"{_FLOATING.key}."
        )
        raise UnreadableOptionError(msg)
