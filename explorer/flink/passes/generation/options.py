"""Flink's configuration options that a release reads, and the settings that they change.

Mirrors ``StreamExecutionEnvironment.configure``, ``ExecutionConfig`` and ``CheckpointConfig``. A
setter of the environment is called after the options are read, so what the program sets wins.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, get_args

import msgspec

from explorer.errors import FlinkRefusalError
from explorer.flink.declared_options import declared_options, deprecated_keys
from explorer.flink.option_advice import advise
from explorer.flink.option_types import is_readable
from explorer.flink.option_values import (
    CHECKPOINT_INTERVAL,
    CHECKPOINT_TIMEOUT,
    MAX_CONCURRENT,
    OPERATOR_MAX_PARALLELISM,
    OVERRIDES,
    TOLERABLE_FAILURES,
    Least,
    is_true,
    milliseconds,
    one_of,
    unreadable,
    whole,
)
from explorer.flink.releases import Release
from explorer.flink.rules import DIFFERENT_MAX
from explorer.model.pipeline import Checkpointing, CheckpointingMode, Environment, RuntimeMode
from explorer.wording import spelled

AUTO_PARALLELISM: Final = "execution.batch.adaptive.auto-parallelism.enabled"
SHUFFLE_MODE: Final = "execution.batch-shuffle-mode"
ALL_BLOCKING: Final = "fine-grained.shuffle-mode.all-blocking"
SCHEDULER: Final = "jobmanager.scheduler"
BATCH_RECOVERY: Final = "execution.batch.job-recovery.enabled"
CHAINING: Final = "pipeline.operator-chaining"
CHAINING_ENABLED: Final = "pipeline.operator-chaining.enabled"
INDEX_PREFIX: Final = "pipeline.vertex-name-include-index-prefix"
DESCRIPTION_MODE: Final = "pipeline.vertex-description-mode"
OBJECT_REUSE: Final = "pipeline.object-reuse"
_TIMEOUT_INTERVAL: Final = "execution.buffer-timeout.interval"
_TIMEOUT_SWITCH: Final = "execution.buffer-timeout.enabled"
_CHECKPOINTING: Final = "execution.checkpointing."

Scalar = str | int | float | bool
Options = Mapping[str, Scalar]


class ReadOption(msgspec.Struct, frozen=True):
    """An option that the explorer understands."""

    name: str
    parse: Callable[[Scalar], Any]
    """Reads a value; raises ``ValueError`` where Flink cannot, or what Flink's setter throws."""
    field: str = ""
    """The setting of the environment that it sets; empty: callers look the option up."""
    checkpointing: str = ""
    """The setting of ``environment.checkpointing`` that it sets."""
    read: Callable[[Release], object] = lambda release: release.reads_options
    """Whether a release reads it."""


def _at_least(minimum: Least, parse: Callable[[object], int] = whole) -> Callable[[Scalar], int]:
    """Parse a number and refuse one that Flink's setter refuses."""

    def read(value: Scalar) -> int:
        number = parse(value)
        if number < minimum.number:
            raise FlinkRefusalError(minimum.words, exception="IllegalArgumentException")
        return number

    return read


def _renames(release: Release) -> bool:
    return release.max_parallelism_rule


def _has_timeout_switch(release: Release) -> bool:
    return release.buffer_timeout_switch != "none"


def _dynamic(release: Release) -> bool:
    return release.dynamic_batch_graphs


def _checkpoint(name: str, field: str, parse: Callable[[Scalar], Any], **more: Any) -> ReadOption:
    return ReadOption(f"{_CHECKPOINTING}{name}", parse, checkpointing=field, **more)


READ_OPTIONS: Final = (
    ReadOption("pipeline.auto-generate-uids", is_true, "auto_generate_uids"),
    ReadOption("pipeline.max-parallelism", _at_least(OPERATOR_MAX_PARALLELISM), "max_parallelism"),
    ReadOption("execution.buffer-timeout", milliseconds, "buffer_timeout"),
    ReadOption(_TIMEOUT_INTERVAL, milliseconds, "buffer_timeout", read=_has_timeout_switch),
    ReadOption(
        "execution.runtime-mode",
        one_of(*get_args(RuntimeMode)),
        "runtime_mode",
        read=lambda release: release.batch_mode,
    ),
    ReadOption(
        f"{_CHECKPOINTING}interval",
        _at_least(CHECKPOINT_INTERVAL, milliseconds),
        "checkpoint_interval",
    ),
    _checkpoint("mode", "mode", one_of(*get_args(CheckpointingMode))),
    _checkpoint("timeout", "timeout", _at_least(CHECKPOINT_TIMEOUT, milliseconds)),
    _checkpoint("min-pause", "min_pause", milliseconds),
    _checkpoint("max-concurrent-checkpoints", "max_concurrent", _at_least(MAX_CONCURRENT)),
    _checkpoint(
        "tolerable-failed-checkpoints", "tolerable_failures", _at_least(TOLERABLE_FAILURES)
    ),
    _checkpoint(
        "unaligned",
        "unaligned",
        is_true,
        read=lambda release: release.unaligned_checkpoints,
    ),
    _checkpoint("unaligned.enabled", "unaligned", is_true, read=_renames),
    _checkpoint(
        "unaligned.forced",
        "force_unaligned",
        is_true,
        read=lambda release: release.unaligned_iterations_refusal,
    ),
    ReadOption(CHAINING, is_true),
    ReadOption(CHAINING_ENABLED, is_true, read=_renames),
    ReadOption(DIFFERENT_MAX, is_true, read=lambda release: release.max_parallelism_rule),
    ReadOption(INDEX_PREFIX, is_true, read=lambda release: release.vertex_index_prefix),
    ReadOption(
        DESCRIPTION_MODE,
        one_of("TREE", "CASCADING"),
        read=lambda release: release.descriptions,
    ),
    ReadOption(OBJECT_REUSE, is_true),
    ReadOption(AUTO_PARALLELISM, is_true, read=_dynamic),
    ReadOption(SCHEDULER, str, read=_dynamic),
    ReadOption(BATCH_RECOVERY, is_true, read=lambda release: release.batch_vertices_made_late),
    ReadOption(SHUFFLE_MODE, str, read=lambda release: release.batch_shuffle_option),
    ReadOption(ALL_BLOCKING, is_true, read=lambda release: release.profiles_block_batch_exchanges),
    ReadOption(_TIMEOUT_SWITCH, is_true, read=_has_timeout_switch),
)
"""In the order in which they are read: of two that set one field the later wins."""

OPTION_CALLED: Final = {option.name: option for option in READ_OPTIONS}
"""The same by name."""


CLUSTER_OPTIONS: Final = (
    *("taskmanager.", "jobmanager.memory.", "state.backend", SCHEDULER, "scheduler-mode"),
    *("slotmanager.number-of-slots.max", "kubernetes.taskmanager.replicas"),
    *("job.autoscaler.", "kubernetes.operator.job.autoscaler."),
)
"""Prefixes of options that a deployment reads, not the translation."""


def option_warnings(environment: Environment, release: Release) -> tuple[str, ...]:
    """One sentence for each configuration option that has no effect."""
    warnings = []
    for name in environment.configuration:
        if option := OPTION_CALLED.get(name):
            is_read = option.read(release) or name.startswith(CLUSTER_OPTIONS)
            why = f"does not exist in Flink {release.version} and has no effect"
        else:
            advice = advise(name, "", release)
            if advice is not None and advice.kind == "misspelled":
                warnings.append(f"environment.configuration: {advice.sentence}")
                continue
            overrides = name == OVERRIDES and release.applies_parallelism_overrides
            is_read = overrides or name.startswith(CLUSTER_OPTIONS)
            why = "is not one that the explorer reads; it is carried along and has no effect"
        if not is_read:
            warnings.append(f"environment.configuration: the option {name!r} {why}")
    return tuple(warnings)


def configured(environment: Environment, release: Release) -> Environment:
    """The environment with the values of its options, where no field sets another.

    Raises ``FlinkRefusalError`` for a value that Flink cannot read. Options that ``release`` does
    not read are gone from ``configuration``, and the others are as Flink read them.
    """
    configuration = environment.configuration
    read = [
        option for option in READ_OPTIONS if option.name in configuration and option.read(release)
    ]
    values = {option: _parse_option(option, configuration[option.name], release) for option in read}
    fields = _default_values(environment, ((option.field, values[option]) for option in read))
    checkpoints = _default_values(
        environment.checkpointing, ((option.checkpointing, values[option]) for option in read)
    )
    remaining_values = {option.name: value for option, value in values.items()}
    # ``StreamGraphGenerator.getBufferTimeout`` asks the switch before any timeout, so it wins over
    # a setter too; in releases that read it in ``configure`` a later setter wins.
    if not remaining_values.get(_TIMEOUT_SWITCH, True) and (
        environment.buffer_timeout is None or release.buffer_timeout_switch == "always"
    ):
        fields["buffer_timeout"] = -1
    checkpointing = msgspec.structs.replace(environment.checkpointing, **checkpoints)
    return msgspec.structs.replace(
        environment, **{**fields, "configuration": remaining_values, "checkpointing": checkpointing}
    )


def _default_values(
    record: Environment | Checkpointing, values: Iterable[tuple[str, Any]]
) -> dict[str, Any]:
    """Values for the fields of ``record`` that have their default, so that no setter was called."""
    plain = type(record)()
    return {
        field: value
        for field, value in values
        # ``StreamExecutionEnvironment.configure`` reads the options first and the program's setters
        # win; a field with its default stands for a setter that was not called.
        if field and getattr(record, field) == getattr(plain, field)
    }


def _parse_option(option: ReadOption, value: Scalar, release: Release) -> Any:
    key = deprecated_keys(release.version).get(option.name, option.name)
    declared = declared_options(release.version).get(key)
    try:
        if declared is not None and not is_readable(declared, spelled(value), release):
            raise refusal(key, value)
        return option.parse(value)
    except ValueError as error:
        raise refusal(key, value) from error


def refusal(name: str, value: object) -> FlinkRefusalError:
    """The exception that Flink throws for an option's value that it cannot read."""
    return FlinkRefusalError(unreadable(name, value), exception="IllegalArgumentException")
