"""Settings of the whole job, from the program's environment.

Mirrors the parts of ``StreamGraphGenerator.configureStreamGraph`` and ``ExecutionConfig`` that the
translation reads.
"""

from collections.abc import Sequence

from explorer.errors import FlinkRefusalError, UnsupportedReleaseError
from explorer.flink.key_groups import MAX_PARALLELISM, TOO_WIDE
from explorer.flink.kinds import KINDS, types_with
from explorer.flink.passes.generation.options import (
    ALL_BLOCKING,
    AUTO_PARALLELISM,
    BATCH_RECOVERY,
    CHAINING,
    CHAINING_ENABLED,
    DESCRIPTION_MODE,
    INDEX_PREFIX,
    OBJECT_REUSE,
    SCHEDULER,
    SHUFFLE_MODE,
    Options,
    refusal,
)
from explorer.flink.releases import Release, to_choose
from explorer.flink.rules import DIFFERENT_MAX
from explorer.model.chains import JobSettings, SlotProfile
from explorer.model.pipeline import Environment, Pipeline, SlotSharingGroup
from explorer.wording import step


def ignored_warnings(pipeline: Pipeline) -> tuple[str, ...]:
    """One sentence for each field without effect: it has no setter, or its group no operator.

    The group ``default`` has operators wherever one sets no group.
    """
    groups = pipeline.environment.slot_sharing_groups
    joined = {t.slot_sharing_group for t in pipeline.transformations} if groups else set()
    without_operators = tuple(
        f"environment.slot_sharing_groups.{step(name)}: no operator is in this group, so it has "
        "no effect"
        for name in groups
        if name not in joined | {"default"}
    )
    ignoring = types_with(lambda kind: kind.ignored, pipeline)
    if not ignoring:
        return without_operators
    return without_operators + tuple(
        f"transformations[{position}].{field}: a {t.type!r} has no setter for it in Flink, so it "
        "has no effect"
        for position, t in enumerate(pipeline.transformations)
        if t.type in ignoring
        for field in KINDS[t.type].ignored
        if getattr(t, field) is not None
    )


def chaining_enabled(environment: Environment) -> bool:
    """Whether the job may chain at all."""
    options = environment.configuration
    enabled = options.get(CHAINING_ENABLED, options.get(CHAINING, True))
    return environment.chaining and bool(enabled)


def job_settings(
    environment: Environment, release: Release, unbounded_sources: Sequence[str]
) -> JobSettings:
    """Resolve the environment for ``release``; raises where that release refuses it.

    ``environment``: as ``options.configured`` gives it.
    ``unbounded_sources``: ids of the sources that never end, among those that the job reads.
    """
    _check(environment, release, unbounded_sources)
    options = environment.configuration
    # ``StreamGraphGenerator.shouldExecuteInBatchMode``: AUTOMATIC is BATCH where all sources end.
    batch = environment.runtime_mode != "STREAMING" and not unbounded_sources
    return JobSettings(
        batch=batch,
        parallelism=environment.parallelism,
        # ``StreamGraphGenerator.setDynamic``: without an option the scheduler is AdaptiveBatch.
        dynamic=batch
        and release.dynamic_batch_graphs
        and str(options.get(SCHEDULER, "AdaptiveBatch")).lower() == "adaptivebatch",
        auto_parallelism=bool(options.get(AUTO_PARALLELISM, True)),
        batch_job_recovery=bool(options.get(BATCH_RECOVERY, False)),
        exchange_mode=_exchange_mode(environment, release, batch=batch),
        chain_different_max_parallelism=not release.max_parallelism_rule
        or bool(options.get(DIFFERENT_MAX, True)),
        vertex_index_prefix=bool(options.get(INDEX_PREFIX, False)),
        object_reuse=bool(options.get(OBJECT_REUSE, False)),
        cascading_descriptions=options.get(DESCRIPTION_MODE) == "CASCADING",
        slot_groups_by_region=batch and release.batch_slot_groups_by_region,
        # ``configureStreamGraphBatch`` disables checkpoints, and logs that it does.
        checkpoint_interval=None if batch else environment.checkpoint_interval,
        checkpointing=environment.checkpointing,
        savepoint=environment.savepoint,
        artifacts=environment.artifacts,
        slot_profiles={
            name: _slot_profile(group) for name, group in environment.slot_sharing_groups.items()
        },
    )


def _slot_profile(group: SlotSharingGroup) -> SlotProfile:
    """Mirrors ``ResourceProfile.fromResourceSpec``, which drops external resources of nothing."""
    return SlotProfile(
        cpu=group.cpu,
        task_heap=group.heap_mb << 20,
        task_off_heap=group.off_heap_mb << 20,
        managed=group.managed_mb << 20,
        external={name: amount for name, amount in group.external.items() if amount},
    )


def _check(environment: Environment, release: Release, unbounded_sources: Sequence[str]) -> None:
    if environment.runtime_mode != "STREAMING" and not release.batch_mode:
        msg = (
            f"environment.runtime_mode: Flink {release.version} has no BATCH mode for the "
            f"DataStream API; choose {to_choose(lambda other_release: other_release.batch_mode)}"
        )
        raise UnsupportedReleaseError(msg)
    if environment.slot_sharing_groups and not release.slot_profiles:
        msg = (
            f"environment.slot_sharing_groups: a slot sharing group of Flink {release.version} "
            f"states no resources; choose {to_choose(lambda other: other.slot_profiles)}"
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
    # Only an option can ask for more; Flink refuses it with the first transformation.
    maximum = environment.max_parallelism
    if maximum is not None and maximum > MAX_PARALLELISM:
        raise FlinkRefusalError(TOO_WIDE.format(maximum), exception="IllegalArgumentException")


def _exchange_mode(environment: Environment, release: Release, *, batch: bool) -> str:
    options = environment.configuration
    if not batch:
        return "ALL_EDGES_PIPELINED"
    if environment.slot_sharing_groups and release.profiles_block_batch_exchanges:
        return _exchange_mode_of_profiles(options)
    shuffle_mode = options.get(SHUFFLE_MODE)
    if shuffle_mode is None or not release.batch_shuffle_option:
        return release.batch_exchange
    if shuffle_mode not in release.batch_shuffle_option:
        raise refusal(SHUFFLE_MODE, shuffle_mode)
    # ``GlobalStreamExchangeMode`` has the option's constants under names of its own.
    return str(shuffle_mode).replace("ALL_EXCHANGES", "ALL_EDGES")


def _exchange_mode_of_profiles(options: Options) -> str:
    """Mirrors ``StreamGraphGenerator.setFineGrainedGlobalStreamExchangeMode``."""
    if options.get(ALL_BLOCKING, False):
        return "ALL_EDGES_BLOCKING"
    msg = (
        "At the moment, fine-grained resource management requires batch workloads to be executed "
        "with types of all edges being BLOCKING. To do that, you need to configure "
        f"'{ALL_BLOCKING}' to 'true'. Notice that this may affect the performance. See "
        "FLINK-20865 for more details."
    )
    raise FlinkRefusalError(msg, exception="IllegalConfigurationException")
