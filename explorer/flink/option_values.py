"""Flink's parsers of option values, and its exceptions for values that it refuses.

Mirrors ``ConfigurationUtils``, ``TimeUtils`` and the preconditions of ``CheckpointConfig`` and
``ExecutionConfig``: a field of a document and its option are passed to the same setter.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from explorer.errors import FlinkRefusalError
from explorer.java_numbers import fits_int, fits_long

OVERRIDES: Final = "pipeline.jobvertex-parallelism-overrides"

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,10}")
_DURATION: Final = re.compile(r"\s*([0-9]{1,19})\s*([a-zµ]*)\s*")
_UNBRACED: Final = re.compile(r"^\s*\{|\}\s*$")
"""The braces of a mapping in ``config.yaml``."""
NANOSECONDS: Final = {
    **dict.fromkeys(("ns", "nano", "nanos", "nanosecond", "nanoseconds"), 1),
    **dict.fromkeys(("µs", "micro", "micros", "microsecond", "microseconds"), 10**3),
    **dict.fromkeys(("", "ms", "milli", "millis", "millisecond", "milliseconds"), 10**6),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 10**9),
    **dict.fromkeys(("m", "min", "minute", "minutes"), 60 * 10**9),
    **dict.fromkeys(("h", "hour", "hours"), 3_600 * 10**9),
    **dict.fromkeys(("d", "day", "days"), 86_400 * 10**9),
}
"""By unit of a duration."""
SIZE_UNITS: Final = {
    suffix: 1 << (10 * power)
    for power, suffixes in enumerate(
        (
            ("", "b", "bytes"),
            ("k", "kb", "kibibytes"),
            ("m", "mb", "mebibytes"),
            ("g", "gb", "gibibytes"),
            ("t", "tb", "tebibytes"),
        )
    )
    for suffix in suffixes
}
"""Bytes by unit of a size."""


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
    # ``ConfigurationUtils.convertToBoolean`` knows two words in any case, and neither 1 nor yes.
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
    # ``TimeUtils.parseDuration`` lowers the unit: ``10 S`` is ten seconds, though the words for
    # units are in small letters.
    match = _DURATION.fullmatch(str(value).lower())
    if match is None or match[2] not in NANOSECONDS:
        raise ValueError(value)
    length = int(match[1]) * NANOSECONDS[match[2]] // 10**6
    if not fits_long(length):
        raise ValueError(value)
    return length


def parallelism_overrides(value: object) -> dict[str, int]:
    """Parallelism by job vertex ID, of ``id:4,id:8``; raises ``FlinkRefusalError``.

    >>> parallelism_overrides("a:4, b:8"), parallelism_overrides("{a: 4}")
    ({'a': 4, 'b': 8}, {'a': 4})
    """
    # ``StructuredOptionsSplitter`` and, in ``config.yaml``, a mapping in braces: both reach the
    # ``Dispatcher`` as one map.
    pairs = [part.partition(":") for part in _UNBRACED.sub("", str(value)).split(",")]
    overrides = {}
    for vertex, colon, number in pairs:
        if not vertex.strip():
            continue
        if not colon:
            words = f"Map item is not a key-value pair (missing ':'?): {vertex.strip()}"
            raise FlinkRefusalError(words, exception="IllegalArgumentException")
        overrides[_unquote(vertex)] = _parallelism(_unquote(number))
    return overrides


def _unquote(text: str) -> str:
    return text.strip().strip("'\"")


def _parallelism(text: str) -> int:
    """``Integer.parseInt`` and ``JobVertex.setParallelism``."""
    try:
        number = whole(text)
    except ValueError:
        words = f'For input string: "{text}"'
        raise FlinkRefusalError(words, exception="NumberFormatException") from None
    if number < 1:
        words = "The parallelism must be at least one, or -1 (unset)."
        raise FlinkRefusalError(words, exception="IllegalArgumentException")
    return number


def one_of(*words: str) -> Callable[[object], str]:
    """The enum constant that Flink finds for a text, in any case; raises ``ValueError``."""

    def parse(value: object) -> str:
        # ``ConfigurationUtils.convertToEnum`` compares in upper case.
        return words[words.index(str(value).upper())]

    return parse
