"""Classes of the network exchange between two tasks, from output to input.

One row of ``exchange_rows.toml`` per part, in the order in which a record passes them, with the
part's class by the release that introduced it. A test checks that the jars of every release
contain the class, and that its creator refers to it. ``{...}`` in a sentence stands for a number
of the edge.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from explorer.deployment.buffers import BLOCKING, HYBRID, PIPELINED

PIPELINED_RESULT: Final = "pipelined"
APPROXIMATE: Final = "approximate"
BOUNDED: Final = "bounded"
SORTED: Final = "sorted"
HYBRID_RESULT: Final = "hybrid"
TIERED: Final = "tiered"
BROADCAST: Final = "all channels"
SELECTED: Final = "one channel"
"""Kinds of an edge: the storage of its result, and whether each record goes to one channel."""

_FILE: Final = Path(__file__).with_suffix(".toml")


class ExchangeRow(msgspec.Struct, frozen=True, kw_only=True):
    """A part, and the edges that have it."""

    part: str
    class_name: str | Mapping[str, str]
    """Under ``org.apache.flink``, or by release; empty: the release has no such part."""
    maker: str | Mapping[str, str] = ""
    """The class that makes or calls it; empty: none is asked."""
    sentence: str
    only: str = ""
    """What an edge must be to have it; empty: every edge has it."""


@cache
def exchange_rows() -> Mapping[str, tuple[ExchangeRow, ...]]:
    """By who acts, the parts in the order in which a record meets them."""
    return msgspec.toml.decode(_FILE.read_bytes(), type=dict[str, tuple[ExchangeRow, ...]])


def result_form(result_type: str, *, is_sorted: bool, tiered: bool) -> str:
    """Return how a result of this ``ResultPartitionType`` is stored."""
    if result_type in HYBRID:
        return TIERED if tiered else HYBRID_RESULT
    if result_type in BLOCKING:
        return SORTED if is_sorted else BOUNDED
    return PIPELINED_RESULT if result_type in PIPELINED else APPROXIMATE
