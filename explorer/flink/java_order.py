"""Iteration order of Java's hash collections.

Mirrors ``java.util.HashMap``, on which ``HashSet`` stands. Flink iterates some of them, so their
order is in its graphs.
"""

import struct
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from explorer.model.stream_graph import NodeId

K = TypeVar("K")
_WORDS: Final = struct.Struct(">4i")

_FIRST: Final = 16
"""``DEFAULT_INITIAL_CAPACITY``."""
_CROWDED: Final = 8
"""``TREEIFY_THRESHOLD``: more numbers than that in one bucket double the table ..."""
_FEW: Final = 3
"""``CollectionUtil.computeRequiredCapacity`` gives a map of fewer keys a table of one more."""
_LARGE: Final = 64
"""... up to ``MIN_TREEIFY_CAPACITY``, then they become a tree: its order is not modelled."""


def hash_order(ids: Iterable[int]) -> list[NodeId]:
    """Numbers, added in turn, as a ``HashSet`` or the keys of a ``HashMap`` give them back.

    >>> hash_order([5, 17, -3, 1])
    [17, 1, -3, 5]
    """
    added = list(dict.fromkeys(ids))
    buckets = _table_size(added)
    # A doubled table keeps the order within a bucket, so the last size alone decides.
    return [NodeId(id) for id in sorted(added, key=lambda id: _bucket(id, buckets))]


def sized_hash_order(codes: Mapping[K, int]) -> list[K]:
    """Order the keys of a ``HashMap`` that ``newHashMapWithExpectedSize`` made for that many.

    ``codes``: maps each key, in the order of the insertion, to its ``hashCode``. ``new HashMap(n)``
    of older releases doubles its table while it is filled and ends with the same order.

    >>> sized_hash_order({"a": 7, "b": 17, "c": 1})
    ['b', 'c', 'a']
    """
    count = len(codes)
    expected = count + 1 if count < _FEW else -(-count * 4 // 3)
    buckets = 1 << (expected - 1).bit_length()
    return sorted(codes, key=lambda key: _bucket(codes[key], buckets))


def id_hash_code(id: str) -> int:
    """``AbstractID.hashCode`` of an ID of 32 hexadecimal digits, as a signed number.

    >>> id_hash_code("00000000000000000000000000000003")
    3
    """
    first, second, third, fourth = _WORDS.unpack(bytes.fromhex(id))
    return int(first ^ second ^ third ^ fourth)


def _bucket(id: int, buckets: int) -> int:
    """``HashMap.hash``: the upper half of the bits is folded into the lower one."""
    code = id & 0xFFFFFFFF
    return (code ^ code >> 16) & (buckets - 1)


def _table_size(added: list[int]) -> int:
    """The buckets after all were added: doubled for a crowded bucket, and beyond three quarters."""
    buckets, sizes = _FIRST, Counter[int]()
    for count, id in enumerate(added, 1):
        bucket = _bucket(id, buckets)
        sizes[bucket] += 1
        old_buckets = buckets
        if sizes[bucket] > _CROWDED and buckets < _LARGE:
            buckets *= 2
        if count > buckets * 3 // 4:
            buckets *= 2
        if buckets > old_buckets:
            sizes = Counter(_bucket(number, buckets) for number in added[:count])
    return buckets
