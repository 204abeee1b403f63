"""The key groups of whole columns of keys.

Mirrors ``KeyGroupRangeAssignment`` and ``MathUtils.murmurHash``; ``explorer.flink.key_groups`` has
the ranges and owners of key groups.
"""

import numpy as np
import numpy.typing as npt

from explorer.engine.rows.java_hash import Hashes


def _rotate_left(codes: Hashes, bits: int) -> Hashes:
    return (codes << np.uint32(bits)) | (codes >> np.uint32(32 - bits))


def murmur_hash(codes: Hashes) -> npt.NDArray[np.int32]:
    """Mix hash codes into non-negative numbers, as Flink does.

    >>> (murmur_hash(np.array([0, 1], np.uint32)) % 128).tolist()
    [94, 86]
    """
    # 32-bit murmur3 of one block of four bytes, from seed 0; the block is the hash code.
    mixed = codes * np.uint32(0xCC9E2D51)
    mixed = _rotate_left(mixed, 15) * np.uint32(0x1B873593)
    mixed = _rotate_left(mixed, 13) * np.uint32(5) + np.uint32(0xE6546B64)
    mixed = mixed ^ np.uint32(4)  # the length
    mixed = (mixed ^ (mixed >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    mixed = (mixed ^ (mixed >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    mixed = mixed ^ (mixed >> np.uint32(16))
    # Java negates negative numbers; the least, which stays negative, becomes 0.
    return np.maximum(np.abs(mixed.view(np.int32)), 0)


def key_groups(codes: Hashes, max_parallelism: int) -> npt.NDArray[np.int32]:
    """Return the key group of each hash code: ``assignToKeyGroup``."""
    return murmur_hash(codes) % max_parallelism
