"""Memory sizes as the Kubernetes operator reads them: Flink's units first, else a quantity.

Mirrors ``FlinkConfigBuilder.parseResourceMemoryString`` and fabric8's ``Quantity``.
"""

import re
from contextlib import suppress
from decimal import Decimal
from typing import Final

from explorer.deployment.memory_options import UNITS, MemoryRefusalError, Option, Options
from explorer.java_numbers import fits_long
from explorer.wording import quoted

_SIZE: Final = Option("size")
_QUANTITY: Final = re.compile(
    r"([0-9]{1,19}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})(Ki|Mi|Gi|Ti|Pi|Ei|m|K|M|G|T|P|E|)"
)
_POWERS: Final = {letter: power for power, letter in enumerate("KMGTPE", start=1)}


def memory_bytes(text: str) -> int:
    """Return the bytes of a size; raises ``ValueError`` if neither Flink nor Kubernetes reads it.

    >>> memory_bytes("2048m"), memory_bytes("2Gi"), memory_bytes("2g"), memory_bytes("1.5Gi")
    (2147483648, 2147483648, 2147483648, 1610612736)
    """
    with suppress(MemoryRefusalError):
        # Flink's own units first: ``2048m`` is mebibytes here, and two bytes in a quantity of
        # Kubernetes.
        return Options({_SIZE.key: text}).size(_SIZE)
    written = re.sub(r"\s", "", text).upper().removesuffix("B")
    if written.endswith("I"):
        written = f"{written[:-1]}i"
    match = _QUANTITY.fullmatch(written)
    if match is None:
        raise ValueError(quoted(text))
    unit = match[2]
    factor = (1024 if unit.endswith("i") else 1000) ** _POWERS.get(unit[:1], 0)
    size = int(Decimal(match[1]) * factor)
    if not fits_long(size):
        raise ValueError(quoted(text))
    return size


def memory_text(size: int) -> str:
    """``MemorySize.toString``: in the largest unit of which it is a whole number.

    >>> memory_text(2147483648), memory_text(1500)
    ('2gb', '1500bytes')
    """
    power = 0
    while size and power < len(UNITS) - 1 and size % 1024 ** (power + 1) == 0:
        power += 1
    return f"{size // 1024**power}{UNITS[power]}"
