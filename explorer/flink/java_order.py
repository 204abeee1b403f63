"""In which order Java's hash collections hand their members back.

Mirrors ``java.util.HashMap``, on which ``HashSet`` stands. Flink walks some of them, so their order
is in its graphs.
"""

from collections.abc import Iterable

from explorer.model.stream_graph import NodeId


def hash_order(ids: Iterable[int]) -> list[NodeId]:
    """These numbers, added in turn, as a ``HashSet`` or the keys of a ``HashMap`` give them back.

    >>> hash_order([5, 17, -3, 1])
    [17, 1, -3, 5]
    """
    added = list(dict.fromkeys(ids))
    buckets = 16
    while len(added) > buckets * 3 // 4:
        buckets *= 2

    def bucket(id: int) -> int:
        code = id & 0xFFFFFFFF
        return (code ^ code >> 16) & (buckets - 1)

    return [NodeId(id) for id in sorted(added, key=bucket)]
