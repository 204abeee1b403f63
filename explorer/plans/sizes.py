"""Sizes in bytes as a reader wants them in a table: ``412 MiB``."""

from typing import Final

_UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB")
_STEP: Final = 1024
_SHORT: Final = 10
"""Number of units below which a size has one decimal."""


def readable_size(size: int) -> str:
    """A size in the largest unit that it reaches.

    >>> readable_size(0), readable_size(3072), readable_size(1_825_361_101)
    ('0 bytes', '3 KiB', '1.7 GiB')
    """
    power = 0
    while size >= _STEP ** (power + 1) and power < len(_UNITS) - 1:
        power += 1
    amount = size / _STEP**power
    digits = 1 if amount < _SHORT and not amount.is_integer() else 0
    return f"{amount:,.{digits}f} {_UNITS[power]}"
