"""The settings of a job that decide about its JobGraph, and the options that were set."""

from typing import Any, Final

from explorer.capture.jvm.java_objects import JavaObjects
from explorer.flink.passes.generation.options import BATCH_RECOVERY

_MODES: Final = ("getGlobalStreamExchangeMode", "getGlobalDataExchangeMode")
_RETENTIONS: Final = ("getExternalizedCheckpointRetention", "getExternalizedCheckpointCleanup")
_OWN: Final = (
    "$internal.",
    "__",
    "execution.target",
    "execution.attached",
    "python.client.executable",
)
"""Options of which the program knows nothing: Flink's own, and those that a capture sets."""
_HIDDEN: Final = "******"
_LAZY: Final = "LAZY_FROM_SOURCES_WITH_BATCH_SLOT_REQUEST"


def job_settings(objects: JavaObjects, graph: Any) -> dict[str, Any]:
    """The members of ``settings``; a switch that the release does not have is left out."""
    checkpoints = graph.getCheckpointConfig()
    on = checkpoints.isCheckpointingEnabled()
    switches = {
        "dynamic": objects.call(graph, "isDynamic"),
        "auto_parallelism": objects.call(graph, "isAutoParallelismEnabled"),
        "chain_different_max_parallelism": objects.call(
            graph, "isChainingOfOperatorsWithDifferentMaxParallelismEnabled"
        ),
        "vertex_index_prefix": objects.call(graph, "isVertexNameIncludeIndexPrefix"),
        "savepoint": _savepoint(objects, graph),
    }
    described = objects.call(graph, "getVertexDescriptionMode")
    return {
        "batch": str(objects.call(graph, "getJobType", "getScheduleMode").name())
        in {"BATCH", _LAZY},
        "parallelism": graph.getExecutionConfig().getParallelism(),
        "exchange_mode": _exchange_mode(objects, graph),
        "cascading_descriptions": described is not None and described.name() == "CASCADING",
        "object_reuse": graph.getExecutionConfig().isObjectReuseEnabled(),
        "slot_groups_by_region": not objects.call(
            graph, "isAllVerticesInSameSlotSharingGroupByDefault", default=True
        ),
        "checkpoint_interval": checkpoints.getCheckpointInterval() if on else None,
        "checkpointing": _checkpointing(objects, checkpoints),
        "artifacts": _artifacts(objects, graph),
        "slot_profiles": _slot_profiles(objects, graph),
        **{name: value for name, value in switches.items() if value is not None},
    }


def _slot_profiles(objects: JavaObjects, graph: Any) -> dict[str, Any]:
    """The ``ResourceProfile`` of each slot sharing group that has one, from 1.13 on."""
    profiles = objects.field(graph, "slotSharingGroupResources", default=None)
    if profiles is None:
        return {}
    return {str(group): _profile(objects, profile) for group, profile in objects.entries(profiles)}


def _profile(objects: JavaObjects, profile: Any) -> dict[str, Any]:
    external = objects.entries(profile.getExtendedResources())
    return {
        "cpu": float(profile.getCpuCores().getValue().doubleValue()),
        "task_heap": profile.getTaskHeapMemory().getBytes(),
        "task_off_heap": profile.getTaskOffHeapMemory().getBytes(),
        "managed": profile.getManagedMemory().getBytes(),
        "external": {str(name): float(value.getValue().doubleValue()) for name, value in external},
    }


def _exchange_mode(objects: JavaObjects, graph: Any) -> str:
    """Return the mode of an UNDEFINED exchange; up to 1.10 a flag sets whether it blocks."""
    mode = objects.call(graph, *_MODES)
    if mode is not None:
        return str(mode.name())
    blocking = objects.call(graph, "isBlockingConnectionsBetweenChains", default=False)
    return "ALL_EDGES_BLOCKING" if blocking else "ALL_EDGES_PIPELINED"


def _checkpointing(objects: JavaObjects, config: Any) -> dict[str, Any]:
    tolerable = config.getTolerableCheckpointFailureNumber()
    retention = objects.call(config, *_RETENTIONS)
    members = {
        "mode": config.getCheckpointingMode().name(),
        "timeout": config.getCheckpointTimeout(),
        "min_pause": config.getMinPauseBetweenCheckpoints(),
        "max_concurrent": config.getMaxConcurrentCheckpoints(),
        "tolerable_failures": max(0, tolerable),
        "unaligned": objects.call(config, "isUnalignedCheckpointsEnabled", default=False),
        "force": objects.call(config, "isForceCheckpointing", default=False),
        "force_unaligned": objects.call(config, "isForceUnalignedCheckpoints", default=False),
    }
    return members if retention is None else {**members, "retention": retention.name()}


def cluster_settings(cluster: Any) -> dict[str, Any]:
    """The members of ``settings`` that the cluster's configuration decides, where it sets them.

    ``AdaptiveBatchSchedulerFactory`` reads them of the cluster's options, not of the job's.
    """
    recovery = cluster.toMap().get(BATCH_RECOVERY)
    return {} if recovery is None else {"batch_job_recovery": str(recovery).lower() == "true"}


def _savepoint(objects: JavaObjects, graph: Any) -> dict[str, Any] | None:
    restore = objects.call(graph, "getSavepointRestoreSettings")
    if restore is None or not restore.restoreSavepoint():
        return None
    members = {
        "path": restore.getRestorePath(),
        "allow_non_restored_state": restore.allowNonRestoredState(),
    }
    mode = objects.call(restore, "getRecoveryClaimMode", "getRestoreMode")
    return members if mode is None else {**members, "claim_mode": mode.name()}


def _artifacts(objects: JavaObjects, graph: Any) -> dict[str, str]:
    """Return the files of ``registerCachedFile``: a list of pairs, a map from 2.0 on."""
    registered = objects.call(graph, "getUserArtifacts")
    if registered is None:
        return {}
    if objects.has(registered, "entrySet"):
        pairs = objects.entries(registered)
    else:
        # py4j reads no public field by its name, and a Tuple2 has no getters for its fields.
        pairs = [
            (objects.field(value, "f0"), objects.field(value, "f1"))
            for value in objects.each(registered)
        ]
    return {name: objects.field(entry, "filePath") for name, entry in pairs}


def options(objects: JavaObjects, configuration: Any) -> dict[str, str]:
    """The options that a job is submitted with, by their keys; without those that Flink hides.

    What Flink prints as stars, a password or a token, is stars here: a document is passed on.
    """
    known = objects.java.org.apache.flink.configuration.GlobalConfiguration
    pairs = sorted((str(key), str(value)) for key, value in objects.entries(configuration.toMap()))
    return {
        key: _HIDDEN if known.isSensitive(key) else value
        for key, value in pairs
        if not key.startswith(_OWN)
    }
