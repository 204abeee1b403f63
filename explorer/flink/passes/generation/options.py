"""Which of Flink's configuration options a release reads, and what they say.

Mirrors ``StreamExecutionEnvironment.configure``, ``ExecutionConfig`` and ``CheckpointConfig``. A
setter of the environment is called after the options are read, so what the program sets wins.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

import msgspec

from explorer.errors import FlinkRefusalError
from explorer.flink import setters
from explorer.flink.releases import Release
from explorer.flink.rules import DIFFERENT_MAX
from explorer.flink.setters import Least
from explorer.java_numbers import fits_int, fits_long
from explorer.model.pipeline import Checkpointing, CheckpointingMode, Environment, RuntimeMode

AUTO_PARALLELISM: Final = "execution.batch.adaptive.auto-parallelism.enabled"
SHUFFLE_MODE: Final = "execution.batch-shuffle-mode"
SCHEDULER: Final = "jobmanager.scheduler"
CHAINING: Final = "pipeline.operator-chaining"
CHAINING_ENABLED: Final = "pipeline.operator-chaining.enabled"
INDEX_PREFIX: Final = "pipeline.vertex-name-include-index-prefix"
DESCRIPTION_MODE: Final = "pipeline.vertex-description-mode"
BUFFER_TIMEOUT: Final = "execution.buffer-timeout"
RUNTIME_MODE: Final = "execution.runtime-mode"
_TIMEOUT_INTERVAL: Final = "execution.buffer-timeout.interval"
_TIMEOUT_SWITCH: Final = "execution.buffer-timeout.enabled"
_CHECKPOINTING: Final = "execution.checkpointing."

Scalar = str | int | float | bool
Options = Mapping[str, Scalar]

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

Parse = Callable[[Scalar], Any]
"""Reads an option; raises ``ValueError`` or ``KeyError`` where Flink cannot, or what it throws."""


def is_true(value: Scalar) -> bool:
    """A Boolean option as Flink parses it, in any case; raises ``ValueError`` for another word."""
    return ("false", "true").index(str(value).lower()) == 1


def _whole(value: Scalar) -> int:
    if not _WHOLE.fullmatch(str(value)) or not fits_int(int(value)):
        raise ValueError(value)
    return int(value)


def _milliseconds(value: Scalar) -> int:
    match = _DURATION.fullmatch(str(value).lower())
    if match is None:
        raise ValueError(value)
    length = int(match[1]) * _NANOSECONDS[match[2]] // 10**6
    if not fits_long(length):
        raise ValueError(value)
    return length


def _bounded(parse: Callable[[Scalar], int], least: Least) -> Parse:
    """A number that Flink's setter takes."""

    def read(value: Scalar) -> int:
        number = parse(value)
        if number < least.number:
            raise FlinkRefusalError(least.words, exception="IllegalArgumentException")
        return number

    return read


def _one_of(*words: str) -> Callable[[Scalar], str]:
    """The enum constant that Flink finds for a text, in any case."""

    def parse(value: Scalar) -> str:
        return words[words.index(str(value).upper())]

    return parse


_FIELDS: Final[dict[str, tuple[str, Parse]]] = {
    "pipeline.auto-generate-uids": ("auto_generate_uids", is_true),
    "pipeline.max-parallelism": (
        "max_parallelism",
        _bounded(_whole, setters.OPERATOR_MAX_PARALLELISM),
    ),
    BUFFER_TIMEOUT: ("buffer_timeout", _milliseconds),
    _TIMEOUT_INTERVAL: ("buffer_timeout", _milliseconds),
    RUNTIME_MODE: ("runtime_mode", _one_of(*get_args(RuntimeMode))),
    f"{_CHECKPOINTING}interval": (
        "checkpoint_interval",
        _bounded(_milliseconds, setters.CHECKPOINT_INTERVAL),
    ),
}
"""By option, the environment's field that it sets, and how its value is read."""

_CHECKPOINT_FIELDS: Final[dict[str, tuple[str, Parse]]] = {
    f"{_CHECKPOINTING}mode": ("mode", _one_of(*get_args(CheckpointingMode))),
    f"{_CHECKPOINTING}timeout": (
        "timeout",
        _bounded(_milliseconds, setters.CHECKPOINT_TIMEOUT),
    ),
    f"{_CHECKPOINTING}min-pause": ("min_pause", _milliseconds),
    f"{_CHECKPOINTING}max-concurrent-checkpoints": (
        "max_concurrent",
        _bounded(_whole, setters.MAX_CONCURRENT),
    ),
    f"{_CHECKPOINTING}tolerable-failed-checkpoints": (
        "tolerable_failures",
        _bounded(_whole, setters.TOLERABLE_FAILURES),
    ),
    f"{_CHECKPOINTING}unaligned": ("unaligned", is_true),
    f"{_CHECKPOINTING}unaligned.enabled": ("unaligned", is_true),
    f"{_CHECKPOINTING}unaligned.forced": ("force_unaligned", is_true),
}
"""The same for the fields of ``environment.checkpointing``."""

_OTHERS: Final[dict[str, Parse]] = {
    CHAINING: is_true,
    CHAINING_ENABLED: is_true,
    DIFFERENT_MAX: is_true,
    INDEX_PREFIX: is_true,
    DESCRIPTION_MODE: _one_of("TREE", "CASCADING"),
    AUTO_PARALLELISM: is_true,
    _TIMEOUT_SWITCH: is_true,
}
"""By option that sets no field, how its value is read."""


_RENAMED: Final = {
    CHAINING: CHAINING_ENABLED,
    BUFFER_TIMEOUT: _TIMEOUT_INTERVAL,
    f"{_CHECKPOINTING}unaligned": f"{_CHECKPOINTING}unaligned.enabled",
}
"""By option, the name by which later releases know it; they read both."""


def known_options(release: Release) -> dict[str, bool]:
    """By option that the explorer understands, whether ``release`` reads it."""
    return dict.fromkeys((*_FIELDS, *_CHECKPOINT_FIELDS), release.reads_options) | {
        CHAINING: release.reads_options,
        CHAINING_ENABLED: release.max_parallelism_rule,
        DIFFERENT_MAX: release.max_parallelism_rule,
        INDEX_PREFIX: release.vertex_index_prefix,
        DESCRIPTION_MODE: release.descriptions,
        SHUFFLE_MODE: bool(release.batch_shuffle_option),
        AUTO_PARALLELISM: release.dynamic_batch_graphs,
        SCHEDULER: release.dynamic_batch_graphs,
        RUNTIME_MODE: release.batch_mode,
        _TIMEOUT_INTERVAL: release.buffer_timeout_switch != "none",
        _TIMEOUT_SWITCH: release.buffer_timeout_switch != "none",
        f"{_CHECKPOINTING}unaligned": release.unaligned_checkpoints,
        f"{_CHECKPOINTING}unaligned.enabled": release.max_parallelism_rule,
        f"{_CHECKPOINTING}unaligned.forced": bool(release.unaligned_iterations_refusal),
    }


def option_warnings(environment: Environment, release: Release) -> tuple[str, ...]:
    """One sentence for each configuration option that has no effect."""
    known = known_options(release)
    return tuple(
        f"environment.configuration: the option {option!r} "
        + (
            f"does not exist in Flink {release.version} and has no effect"
            if option in known
            else "is not one that the explorer reads; it is carried along and has no effect"
        )
        for option in environment.configuration
        if not known.get(option, False)
    )


def configured(environment: Environment, release: Release) -> Environment:
    """The environment with what its options say, where no field says otherwise.

    Raises ``FlinkRefusalError`` for a value that Flink cannot read. Options that ``release`` does
    not read are gone from ``configuration``, and the others are as Flink read them.
    """
    known = known_options(release)
    given = {name: v for name, v in environment.configuration.items() if known.get(name)}
    fields = _read(given, _FIELDS, environment, release)
    checkpoints = _read(given, _CHECKPOINT_FIELDS, environment.checkpointing, release)
    others = {
        name: _parsed(name, given[name], parse, release)
        for name, parse in _OTHERS.items()
        if name in given
    }
    if not others.get(_TIMEOUT_SWITCH, True) and (
        environment.buffer_timeout is None or release.buffer_timeout_switch == "always"
    ):
        fields["buffer_timeout"] = -1
    how = msgspec.structs.replace(environment.checkpointing, **checkpoints)
    return msgspec.structs.replace(
        environment, **{**fields, "configuration": {**given, **others}, "checkpointing": how}
    )


def _read(
    given: Options,
    table: Mapping[str, tuple[str, Parse]],
    record: Environment | Checkpointing,
    release: Release,
) -> dict[str, Any]:
    """By field of ``record`` that holds its default, what an option says."""
    untouched = type(record)()
    values: dict[str, Any] = {}
    for name, (field, parse) in table.items():
        if name in given:
            value = _parsed(name, given[name], parse, release)
            if getattr(record, field) == getattr(untouched, field):
                values[field] = value
    return values


def _parsed(name: str, value: Scalar, parse: Parse, release: Release) -> Any:
    try:
        return parse(value)
    except (ValueError, KeyError) as error:
        newer = _RENAMED.get(name, name)
        raise refusal(newer if known_options(release)[newer] else name, value) from error


def refusal(name: str, value: object) -> FlinkRefusalError:
    """What Flink throws for a value of an option that it cannot read."""
    msg = f"Could not parse value '{value}' for key '{name}'."
    return FlinkRefusalError(msg, exception="IllegalArgumentException")
