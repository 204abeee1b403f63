"""Flink's parsers of option values, and its exceptions for values that it refuses.

Mirrors ``ConfigurationUtils``, ``TimeUtils`` and the preconditions of ``CheckpointConfig`` and
``ExecutionConfig``: a field of a document and its option are passed to the same setter.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from explorer.java_numbers import fits_int, fits_long

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,10}")
_DURATION: Final = re.compile(r"\s*([0-9]{1,19})\s*([a-zµ]*)\s*")
_NANOSECONDS: Final = {
    **dict.fromkeys(("ns", "nano", "nanos", "nanosecond", "nanoseconds"), 1),
    **dict.fromkeys(("µs", "micro", "micros", "microsecond", "microseconds"), 10**3),
    **dict.fromkeys(("", "ms", "milli", "millis", "millisecond", "milliseconds"), 10**6),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 10**9),
    **dict.fromkeys(("m", "min", "minute", "minutes"), 60 * 10**9),
    **dict.fromkeys(("h", "hour", "hours"), 3_600 * 10**9),
    **dict.fromkeys(("d", "day", "days"), 86_400 * 10**9),
}


class Least(NamedTuple):
    """The minimum that a setter accepts, and its message for a smaller value."""

    number: int
    words: str


CHECKPOINT_INTERVAL: Final = Least(10, "Checkpoint interval must be larger than or equal to 10 ms")
CHECKPOINT_TIMEOUT: Final = Least(10, "Checkpoint timeout must be larger than or equal to 10 ms")
MAX_CONCURRENT: Final = Least(1, "The maximum number of concurrent attempts must be at least one.")
TOLERABLE_FAILURES: Final = Least(
    0, "The tolerable failure checkpoint number must be non-negative."
)
OPERATOR_MAX_PARALLELISM: Final = Least(1, "The maximum parallelism must be greater than 0.")


def unreadable(name: str, value: object) -> str:
    """The message of Flink's ``IllegalArgumentException`` for a value of another type."""
    return f"Could not parse value '{value}' for key '{name}'."


def is_true(value: object) -> bool:
    """A Boolean in any case; raises ``ValueError`` for another word."""
    return ("false", "true").index(str(value).lower()) == 1


def whole(value: object) -> int:
    """A Java ``int``; raises ``ValueError``.

    >>> whole("+7")
    7
    """
    if not _WHOLE.fullmatch(str(value)) or not fits_int(int(str(value))):
        raise ValueError(value)
    return int(str(value))


def milliseconds(value: object) -> int:
    """A ``Duration``, of milliseconds where no unit stands behind it; raises ``ValueError``.

    >>> milliseconds("2 min"), milliseconds(5)
    (120000, 5)
    """
    match = _DURATION.fullmatch(str(value).lower())
    if match is None or match[2] not in _NANOSECONDS:
        raise ValueError(value)
    length = int(match[1]) * _NANOSECONDS[match[2]] // 10**6
    if not fits_long(length):
        raise ValueError(value)
    return length


def one_of(*words: str) -> Callable[[object], str]:
    """The enum constant that Flink finds for a text, in any case; raises ``ValueError``."""

    def parse(value: object) -> str:
        return words[words.index(str(value).upper())]

    return parse
