"""MurmurHash3 (x64, 128 bit, seed 0), as mmh3 computes it, where no wheel of mmh3 runs.

The playground installs this file as its module ``mmh3``.
"""

from typing import Final

_MASK: Final = 2**64 - 1
_C1: Final = 0x87C37B91114253D5
_C2: Final = 0x4CF5AD432745937F


def hash_bytes(data: bytes) -> bytes:
    """Return the 16 bytes of the hash, its first half before its second, each little-endian."""
    first = second = 0
    whole = len(data) - len(data) % 16
    for start in range(0, whole, 16):
        first ^= _mix_first(data[start : start + 8])
        first = ((_rotate(first, 27) + second) * 5 + 0x52DCE729) & _MASK
        second ^= _mix_second(data[start + 8 : start + 16])
        second = ((_rotate(second, 31) + first) * 5 + 0x38495AB5) & _MASK
    first ^= _mix_first(data[whole : whole + 8]) ^ len(data)
    second ^= _mix_second(data[whole + 8 :]) ^ len(data)
    first, second = _add_across(first, second)
    first, second = _add_across(_finish(first), _finish(second))
    return first.to_bytes(8, "little") + second.to_bytes(8, "little")


def hash128(data: bytes) -> int:
    """Return the hash as one number, its bytes the lowest first."""
    return int.from_bytes(hash_bytes(data), "little")


def _add_across(first: int, second: int) -> tuple[int, int]:
    first = (first + second) & _MASK
    return first, (second + first) & _MASK


def _mix_first(block: bytes) -> int:
    return _rotate(int.from_bytes(block, "little") * _C1 & _MASK, 31) * _C2 & _MASK


def _mix_second(block: bytes) -> int:
    return _rotate(int.from_bytes(block, "little") * _C2 & _MASK, 33) * _C1 & _MASK


def _rotate(value: int, bits: int) -> int:
    return (value << bits | value >> (64 - bits)) & _MASK


def _finish(value: int) -> int:
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & _MASK
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & _MASK
    return value ^ value >> 33
