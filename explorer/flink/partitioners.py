"""Flink's ``StreamPartitioner`` classes: the text that each prints and its routing of records.

Mirrors ``streaming.runtime.partitioner`` and ``table.runtime.partitioner``. The class of an edge's
partitioner decides: the text may contain more than a name, as the ``HASH[seller]`` of a batch plan
in SQL, and a class of the program may print anything.
"""

import re
from typing import Final

import msgspec

_NAME: Final = re.compile(r"\w*")


class PartitionerClass(msgspec.Struct, frozen=True, kw_only=True):
    """One class of partitioners."""

    name: str
    prints: str
    """What ``toString`` gives; a ``BinaryHashPartitioner`` goes on with the fields in brackets."""
    routing: str
    """How records find their channel: what a trial calls the partitioner in its place."""
    forward: bool = False
    """Whether it is a ``ForwardPartitioner``: a record stays with the subtask of its own number."""
    pointwise: bool = False
    """What ``isPointwise`` answers: a producer reaches some of the consumers only."""
    calls: bool = False
    """Whether it is equal to another only where an object of the program is: a key selector or a
    custom partitioner, which Java considers equal to itself alone."""
    own: bool = False
    """Whether it is no class of Flink's but one of the program's."""


def _class(
    name: str, prints: str, routing: str = "", *, pointwise: bool = False, calls: bool = False
) -> PartitionerClass:
    return PartitionerClass(
        name=name, prints=prints, routing=routing or prints, pointwise=pointwise, calls=calls
    )


def _forward(name: str) -> PartitionerClass:
    return PartitionerClass(
        name=name, prints="FORWARD", routing="FORWARD", forward=True, pointwise=True
    )


FORWARD: Final = "ForwardPartitioner"
FORWARD_UNSPECIFIED: Final = "ForwardForUnspecifiedPartitioner"
"""Flink's own choice in a dynamic graph; where it does not chain, it becomes RESCALE."""
FORWARD_CONSECUTIVE_HASH: Final = "ForwardForConsecutiveHashPartitioner"
"""Between two SQL operators that hash by the same keys; where it does not chain, it becomes the
hash that it holds."""
RESCALE: Final = "RescalePartitioner"
BROADCAST: Final = "BroadcastPartitioner"
BINARY_HASH: Final = "BinaryHashPartitioner"
CUSTOM: Final = "CustomPartitionerWrapper"
GLOBAL: Final = "GlobalPartitioner"
KEYED: Final = "KeyGroupStreamPartitioner"
"""Sends a record to the subtask that owns its key's group."""

_DATA_STREAM: Final = (
    _forward(FORWARD),
    _class("RebalancePartitioner", "REBALANCE"),
    _class(RESCALE, "RESCALE", pointwise=True),
    _class("ShufflePartitioner", "SHUFFLE"),
    _class(BROADCAST, "BROADCAST"),
    _class(GLOBAL, "GLOBAL"),
    _class(KEYED, "HASH", calls=True),
    _class(CUSTOM, "CUSTOM", calls=True),
)
"""What a program asks for with the DataStream API."""

_PLANNED: Final = (
    _forward(FORWARD_UNSPECIFIED),
    _forward(FORWARD_CONSECUTIVE_HASH),
    # The table runtime's own: no key groups, and the columns that it hashes are not known here.
    _class(BINARY_HASH, "HASH", "CUSTOM"),
    _class("RowDataCustomStreamPartitioner", "CUSTOM", calls=True),
)
"""What only the graph generator and the planner of SQL choose."""

PARTITIONER_CLASSES: Final = {row.prints: row.name for row in _DATA_STREAM}
"""By what the DataStream API's partitioners print, their classes."""

CALLING_PARTITIONERS: Final = frozenset(row.prints for row in _DATA_STREAM if row.calls)
"""What those print that call an object of the program."""

NAMED_PARTITIONERS: Final = tuple(row.prints for row in _DATA_STREAM if not row.calls)
"""What those print that a name alone makes: all that a ``partition`` may be."""

_CLASSES: Final = {row.name: row for row in (*_DATA_STREAM, *_PLANNED)}


def partitioner_class(name: str) -> PartitionerClass:
    """The class called ``name``; one that Flink does not have is a custom one, of the program's."""
    return _CLASSES.get(name) or PartitionerClass(name=name, prints="", routing="CUSTOM", own=True)


def class_printing(text: str) -> str:
    """The class that prints ``text``, by the name at its beginning; empty where none does.

    >>> class_printing("HASH"), class_printing("HASH[seller, $f1]"), class_printing("by seller")
    ('KeyGroupStreamPartitioner', 'BinaryHashPartitioner', '')
    """
    match = _NAME.match(text)
    name = match.group() if match else ""
    if name == "HASH" and name != text:
        return BINARY_HASH
    return PARTITIONER_CLASSES.get(name, "")
