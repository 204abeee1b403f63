"""What a program's environment decides for the whole job.

Mirrors the parts of ``StreamGraphGenerator.configureStreamGraph`` and ``ExecutionConfig`` that the
translation reads. Options that a release does not know become warnings, never silence.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from explorer.errors import FlinkRefusalError, UnsupportedReleaseError
from explorer.model.chains import JobSettings
from explorer.model.kinds import KINDS
from explorer.model.pipeline import Environment, Pipeline
from explorer.model.release import Release

AUTO_PARALLELISM: Final = "execution.batch.adaptive.auto-parallelism.enabled"
SHUFFLE_MODE: Final = "execution.batch-shuffle-mode"
DIFFERENT_MAX: Final = "pipeline.operator-chaining.chain-operators-with-different-max-parallelism"
CHAINING: Final = "pipeline.operator-chaining"
CHAINING_ENABLED: Final = "pipeline.operator-chaining.enabled"
INDEX_PREFIX: Final = "pipeline.vertex-name-include-index-prefix"
DESCRIPTION_MODE: Final = "pipeline.vertex-description-mode"

_GLOBAL_MODES: Final = {
    "ALL_EXCHANGES_BLOCKING": "ALL_EDGES_BLOCKING",
    "ALL_EXCHANGES_PIPELINED": "ALL_EDGES_PIPELINED",
    "ALL_EXCHANGES_HYBRID_FULL": "ALL_EDGES_HYBRID_FULL",
    "ALL_EXCHANGES_HYBRID_SELECTIVE": "ALL_EDGES_HYBRID_SELECTIVE",
}

Options = Mapping[str, str | int | float | bool]


def known_options(release: Release) -> dict[str, bool]:
    """By option that the explorer understands, whether ``release`` has it."""
    renamed = release.max_parallelism_rule
    return {
        CHAINING: True,
        CHAINING_ENABLED: renamed,
        DIFFERENT_MAX: release.max_parallelism_rule,
        INDEX_PREFIX: release.vertex_index_prefix,
        DESCRIPTION_MODE: release.descriptions,
        SHUFFLE_MODE: bool(release.batch_shuffle_option),
        AUTO_PARALLELISM: release.dynamic_batch_graphs,
    }


def option_warnings(environment: Environment, release: Release) -> tuple[str, ...]:
    """One sentence for each configuration option that has no effect."""
    known = known_options(release)
    return tuple(
        f"environment.configuration: the option {option!r} "
        + (
            f"does not exist in Flink {release.version} and has no effect"
            if option in known
            else "is not one that changes the graph; it is carried along unread"
        )
        for option in environment.configuration
        if not known.get(option, False)
    )


def unheard_warnings(pipeline: Pipeline) -> tuple[str, ...]:
    """One sentence for each field whose API class has no setter for it."""
    return tuple(
        f"transformations[{position}].{field}: a {t.type!r} has no setter for it in Flink, so it "
        "has no effect"
        for position, t in enumerate(pipeline.transformations)
        for field in KINDS[t.type].unheard
        if getattr(t, field) is not None
    )


def is_on(options: Options, name: str, *, default: bool = False) -> bool:
    """A Boolean option as Flink parses it: true in any case, else false."""
    value = options.get(name, default)
    return value if isinstance(value, bool) else str(value).lower() == "true"


def chaining_enabled(environment: Environment, release: Release) -> bool:
    """Whether the job may chain at all."""
    options, known = environment.configuration, known_options(release)
    name = CHAINING_ENABLED if known[CHAINING_ENABLED] else CHAINING
    if name not in options and CHAINING in options:
        name = CHAINING
    return environment.chaining and is_on(options, name, default=True)


def job_settings(
    environment: Environment, release: Release, unbounded_sources: Sequence[str]
) -> JobSettings:
    """Resolve the environment for ``release``; raises where that release refuses it.

    ``unbounded_sources``: ids of the sources that never end, among those that the job reads.
    """
    options = environment.configuration
    batch = environment.runtime_mode != "STREAMING"
    if batch and not release.batch_mode:
        msg = (
            f"environment.runtime_mode: Flink {release.version} has no BATCH mode for the "
            "DataStream API; choose 1.12 or later"
        )
        raise UnsupportedReleaseError(msg)
    if unbounded_sources and environment.runtime_mode == "BATCH":
        msg = (
            "Detected an UNBOUNDED source with the 'execution.runtime-mode' set to 'BATCH'. This "
            "combination is not allowed, please set the 'execution.runtime-mode' to STREAMING or "
            "AUTOMATIC"
        )
        raise FlinkRefusalError(
            msg, exception="IllegalStateException", transformations=unbounded_sources
        )
    batch = batch and not unbounded_sources
    return JobSettings(
        batch=batch,
        dynamic=batch and release.dynamic_batch_graphs,
        auto_parallelism=is_on(options, AUTO_PARALLELISM, default=True),
        exchange_mode=_exchange_mode(options, release, batch=batch),
        chain_different_max_parallelism=not release.max_parallelism_rule
        or is_on(options, DIFFERENT_MAX, default=True),
        vertex_index_prefix=release.vertex_index_prefix and is_on(options, INDEX_PREFIX),
        cascading_descriptions=str(options.get(DESCRIPTION_MODE, "")).upper() == "CASCADING",
        slot_groups_by_region=batch and release.batch_slot_groups_by_region,
        checkpoint_interval=None if batch else environment.checkpoint_interval,
        checkpointing=environment.checkpointing,
        savepoint=environment.savepoint,
        artifacts=dict(environment.artifacts),
    )


def _exchange_mode(options: Options, release: Release, *, batch: bool) -> str:
    if not batch:
        return "ALL_EDGES_PIPELINED"
    asked = options.get(SHUFFLE_MODE)
    if asked is None or not release.batch_shuffle_option:
        return release.batch_exchange
    if asked not in release.batch_shuffle_option:
        msg = f"Could not parse value '{asked}' for key '{SHUFFLE_MODE}'."
        raise FlinkRefusalError(msg, exception="IllegalArgumentException")
    return _GLOBAL_MODES[str(asked)]
