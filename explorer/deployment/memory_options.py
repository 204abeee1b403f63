"""Memory options as a release reads them: sizes, fractions, what holds where nothing is set.

Mirrors ``MemorySize``, ``RangeFraction`` and the options of ``TaskManagerOptions`` and
``JobManagerOptions``. Sizes are bytes.
"""

import re
import struct
from collections.abc import Mapping
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Final, NamedTuple

import msgspec

from explorer.errors import ExplorerError
from explorer.flink.option_values import SIZE_UNITS, unreadable, whole
from explorer.java_double_text import java_double_text
from explorer.java_numbers import fits_long

UNITS: Final = ("bytes", "kb", "mb", "gb", "tb")
"""Units of a size, each 1,024 times the one before."""
_SIZE: Final = re.compile(r"\s*(\d+)\s*([a-zA-Z]*)\s*", re.ASCII)


class MemoryRefusalError(ExplorerError):
    """Flink refuses these memory options; the text is Flink's own, behind its exception's class."""

    exception = "IllegalConfigurationException"

    def __init__(self, flink_message: str) -> None:
        self.flink_message = flink_message
        super().__init__(f"{self.exception}: {flink_message}")


class UnreadableOptionError(MemoryRefusalError):
    """An option's value is of another type; Flink does not name the process then."""

    exception = "IllegalArgumentException"


class Option(msgspec.Struct, frozen=True):
    """A ``ConfigOption``."""

    key: str
    default: str | None = None
    former: tuple[str, ...] = ()
    """Deprecated keys, which are looked at where the key is not set."""

    def __str__(self) -> str:
        """As ``ConfigOption.toString`` prints it."""
        old = ", ".join(f"{{key={key}, isDeprecated=true}}" for key in self.former)
        return f"Key: '{self.key}' , default: {self.default or 'null'} (fallback keys: [{old}])"


class Options:
    """A ``Configuration``: the options that were set, as texts."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._given = {key: str(value).strip() for key, value in values.items()}

    def has(self, option: Option) -> bool:
        """Whether the option is set, by its key or a former one."""
        return any(key in self._given for key in (option.key, *option.former))

    def text(self, option: Option) -> str | None:
        """Return the value that is set, else the default."""
        keys = (key for key in (option.key, *option.former) if key in self._given)
        return next((self._given[key] for key in keys), option.default)

    def size(self, option: Option) -> int:
        """Return bytes; a number without a unit is bytes."""
        match = _SIZE.fullmatch(self.text(option) or "")
        unit = SIZE_UNITS.get(match[2].lower()) if match else None
        if match is None or unit is None or not fits_long(int(match[1]) * unit):
            msg = f"Cannot read memory size from config option '{option.key}'."
            raise MemoryRefusalError(msg)
        return int(match[1]) * unit

    def fraction(self, option: Option) -> float:
        """Return a Java ``float`` as ``double``: 0.1 of a size is a byte or so more."""
        text = self.text(option) or ""
        try:
            (single,) = struct.unpack("f", struct.pack("f", float(text)))
        except (ValueError, OverflowError):
            raise UnreadableOptionError(unreadable(option.key, text)) from None
        return float(single)

    def whole(self, option: Option) -> int:
        """A whole number."""
        text = self.text(option)
        try:
            return whole(text)
        except ValueError:
            raise UnreadableOptionError(unreadable(option.key, text)) from None

    def share(self, minimum: int, maximum: int, option: Option) -> "MemoryFraction":
        """A ``RangeFraction``, which refuses a range that is none."""
        fraction = self.fraction(option)
        # ``RangeFraction`` refuses a fraction of 1 too: the inverse fraction would divide by zero.
        if minimum > maximum or not 0 <= fraction < 1:
            msg = (
                f"Inconsistently configured {option} ({java_double_text(fraction)}) and its min "
                f"({readable(minimum)}), max ({readable(maximum)}) value"
            )
            raise MemoryRefusalError(msg)
        return MemoryFraction(minimum, maximum, fraction)


class MemoryFraction(NamedTuple):
    """A part of some memory, between two bounds."""

    least: int
    most: int
    fraction: float

    def of(self, base: int) -> int:
        """``deriveWithFraction``: that part of ``base``."""
        return self._bound(multiplied(base, self.fraction))

    def of_rest(self, base: int) -> int:
        """``deriveWithInverseFraction``: the part of a whole of which ``base`` is the rest."""
        return self._bound(multiplied(base, self.fraction / (1.0 - self.fraction)))

    def _bound(self, size: int) -> int:
        return max(self.least, min(self.most, size))


def multiplied(size: int, factor: float) -> int:
    """``MemorySize.multiply``: in decimal, from the double's shortest text, cut to whole bytes.

    >>> multiplied(12818841600, 0.10000000149011612)
    1281884179
    """
    return int((Decimal(size) * Decimal(repr(factor))).to_integral_value(ROUND_DOWN))


def readable(size: int) -> str:
    """``MemorySize.toHumanReadableString``: the largest unit that the size is above.

    >>> readable(1 << 30), readable((1 << 30) + 1), readable(0)
    ('1024.000mb (1073741824 bytes)', '1.000gb (1073741825 bytes)', '0 bytes')
    """
    power = max((n for n in range(len(UNITS)) if size > 1 << (10 * n)), default=0)
    if power == 0:
        return f"{size} bytes"
    # Java's formatter rounds the double's shortest text half up; Python's would round the double.
    decimal = Decimal(repr(size / (1 << (10 * power)))).quantize(Decimal("0.001"), ROUND_HALF_UP)
    return f"{decimal}{UNITS[power]} ({size} bytes)"
