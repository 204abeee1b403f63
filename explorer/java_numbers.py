"""Bounds of Java's whole numbers; those of Python have none.

Mirrors ``java.lang.Integer`` and ``java.lang.Long``.
"""

from typing import Final

INT_MIN: Final = -(2**31)
"""``Integer.MIN_VALUE``."""
INT_MAX: Final = 2**31 - 1
"""``Integer.MAX_VALUE``."""
LONG_MIN: Final = -(2**63)
"""``Long.MIN_VALUE``."""
LONG_MAX: Final = 2**63 - 1
"""``Long.MAX_VALUE``."""


def fits_int(number: int) -> bool:
    """Whether an ``int`` holds it."""
    return INT_MIN <= number <= INT_MAX


def fits_long(number: int) -> bool:
    """Whether a ``long`` holds it.

    >>> fits_long(2**63 - 1), fits_long(2**63)
    (True, False)
    """
    return LONG_MIN <= number <= LONG_MAX
