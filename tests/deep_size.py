"""Bytes of a value with all that it refers to."""

import gc
import sys
from types import FunctionType, ModuleType
from typing import Any, Final

from explorer.flink.releases import Release

_OF_THE_PROGRAM: Final = (type, FunctionType, ModuleType, Release)
"""Types of values that exist once in a process."""


def deep_size(value: object) -> int:
    """Return the bytes of a value and of everything that it refers to, each object once."""
    sizes: dict[int, int] = {}
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        if id(item) in sizes or isinstance(item, _OF_THE_PROGRAM):
            continue
        sizes[id(item)] = sys.getsizeof(item)
        waiting += gc.get_referents(item)
    return sum(sizes.values())
