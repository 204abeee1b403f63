"""The job and cluster that the Flink Kubernetes operator makes of a FlinkDeployment.

Mirrors ``FlinkConfigBuilder``: the effective configuration of the cluster, with its defaults by
upgrade mode.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from explorer.deployment.cluster_options import JOB_MANAGER_SIZE, TASK_MANAGER_SIZE
from explorer.deployment.legacy_heap import LEGACY_KEYS, legacy_heaps, size_of
from explorer.deployment.memory import slots_offered
from explorer.deployment.memory_options import MemoryRefusalError
from explorer.deployment.quantities import memory_bytes, memory_text
from explorer.deployment.schedulers import ClusterKind
from explorer.deployment.slots import TASK_MANAGERS, task_managers_for
from explorer.flink import releases
from explorer.flink.option_values import OVERRIDES
from explorer.flink.releases import LATEST, VERSIONS
from explorer.model.frozen import FrozenRecord
from explorer.model.kubernetes import FlinkResource, JobSpec, PodSize
from explorer.wording import listed, quoted

OPERATOR_PREFIXES: Final = ("kubernetes.operator.", "job.autoscaler.")
"""Options that the operator reads and does not pass to the cluster."""
AUTOSCALER: Final = ("job.autoscaler.enabled", "kubernetes.operator.job.autoscaler.enabled")
CHECKPOINTS: Final = ("execution.checkpointing.dir", "state.checkpoints.dir")
SAVEPOINTS: Final = ("execution.checkpointing.savepoint-dir", "state.savepoints.dir")
HIGH_AVAILABILITY: Final = ("high-availability.type", "high-availability")
"""By meaning, an option's key and its earlier one."""
JOB_MANAGERS: Final = "kubernetes.jobmanager.replicas"
_RETENTION: Final = "execution.checkpointing.externalized-checkpoint-retention"
_INTERVAL: Final = "execution.checkpointing.interval"
_IMAGE: Final = re.compile(r"(?:^|/)flink:((\d+\.\d+)(?:\.\d+)?)")


class OperatorJob(FrozenRecord, frozen=True, kw_only=True):
    """A job as the operator submits it."""

    resource: FlinkResource
    cluster: FlinkResource | None
    """The FlinkDeployment of the cluster; the resource itself of an application cluster, None of
    a FlinkSessionJob without its session cluster."""
    release: str
    """The supported release that sets the rules."""
    version: str | None = None
    """The version that the cluster names, with its image's patch level; None: none is known."""
    options: Mapping[str, str]
    """The effective configuration, without the operator's own options."""
    session_jobs: tuple[FlinkResource, ...] = ()
    """The other FlinkSessionJobs of the same session cluster."""
    own_options: Mapping[str, str] = {}
    """The operator's own options, which it does not pass to the cluster."""
    derived: tuple[str, ...] = ()
    """What the operator derives, a sentence each."""
    notes: tuple[str, ...] = ()
    """What is unusual or assumed, a sentence each."""
    unchecked: tuple[str, ...] = ()
    """What is not known and so cannot be checked, a sentence each."""
    remarks: tuple[str, ...] = ()
    """What the computation leaves out, a sentence each."""
    refusals: tuple[str, ...] = ()
    """The operator's sentences where it refuses the resource, in its order."""

    @property
    def job(self) -> JobSpec:
        """``spec.job``."""
        return self.resource.job or JobSpec()

    @property
    def cluster_kind(self) -> ClusterKind | None:
        """The kind of its cluster; None of a session job without its session cluster."""
        if self.cluster is None:
            return None
        session = self.cluster.job is None
        if self.cluster.mode == "standalone":
            return "standalone session" if session else "standalone application"
        return "native session" if session else "native application"

    @property
    def other_jobs(self) -> Mapping[str, int]:
        """By name, the parallelism of the running jobs with which it shares a session cluster."""
        default = self.options.get("parallelism.default", "1")
        return {
            session_job.name: session_job.job.parallelism
            or (int(default) if default.isdecimal() else 1)
            for session_job in self.session_jobs
            if session_job.job is not None and session_job.job.state == "running"
        }

    @property
    def autoscaled(self) -> bool:
        """Whether the autoscaler decides the parallelism of vertices."""
        return set_option(self.own_options, *AUTOSCALER).lower() == "true"


def set_option(options: Mapping[str, str], *keys: str) -> str:
    """Return the value of the first key that is set; empty where none is."""
    return next((options[key].strip() for key in keys if key in options), "")


def is_available(options: Mapping[str, str]) -> bool:
    """``HighAvailabilityMode.isHighAvailabilityModeActivated``."""
    return set_option(options, *HIGH_AVAILABILITY).lower() not in {"", "none"}


def effective_options(
    resource: FlinkResource, cluster: FlinkResource | None, base: Mapping[str, str], release: str
) -> tuple[dict[str, str], list[str]]:
    """Return the whole configuration that the operator computes, and the options that it derived.

    Args:
        resource: The resource with the job.
        cluster: The FlinkDeployment of its cluster, if it is known.
        base: The operator's own default configuration.
        release: The cluster's release.
    """
    # In the order of ``buildFrom``: the defaults fill gaps, pods and job win over the options.
    options = {**base, **(cluster.configuration if cluster else {}), **resource.configuration}
    defaults = dict(_defaults(resource, options))
    derived = [(key, value) for key, value in defaults.items() if key not in options]
    options |= derived
    sizes = list(_sizes(cluster, release))
    options |= sizes
    with suppress(MemoryRefusalError):  # refused again when the memory is computed
        heaps = legacy_heaps(options, releases.release(release), containers=True)
        options |= {heap.stands_for: size_of(heap) for heap in heaps}
        options = {key: value for key, value in options.items() if key not in LEGACY_KEYS}
    of_job = list(_of_job(resource, cluster, options)) if resource.job is not None else []
    options |= of_job
    return options, [f"{key}={value}" for key, value in (*derived, *sizes, *of_job)]


def _defaults(resource: FlinkResource, options: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Options that ``applyFlinkConfiguration`` sets where the resource does not."""
    yield "web.cancel.enable", "false"
    job = resource.job
    if job is None or resource.kind == "FlinkSessionJob":
        return
    yield "pipeline.name", resource.name
    if job.upgrade_mode == "last-state":  # Without checkpoints there is no last state.
        yield _INTERVAL, "5 min"
    if is_available(options):
        yield "execution.submit-failed-job-on-application-error", "true"
    yield _RETENTION, "RETAIN_ON_CANCELLATION"


def _sizes(cluster: FlinkResource | None, release: str) -> Iterator[tuple[str, str]]:
    """Process sizes, CPU and replicas; a size that cannot be read is refused elsewhere."""
    if cluster is None:
        return
    # ``configureCpu`` writes the earlier key to a release that does not know the later one.
    amount = ".amount" if releases.release(release).kubernetes_cpu_amount else ""
    for pods, key, process in (
        (cluster.job_manager, JOB_MANAGER_SIZE, "jobmanager"),
        (cluster.task_manager, TASK_MANAGER_SIZE, "taskmanager"),
    ):
        if pods is None:
            continue
        if pods.memory:
            with suppress(ValueError):
                yield key, memory_text(memory_bytes(pods.memory))
        if pods.cpu is not None:
            yield f"kubernetes.{process}.cpu{amount}", str(pods.cpu)
    if cluster.job_manager and (cluster.job_manager.replicas or 0) > 1:
        yield JOB_MANAGERS, str(cluster.job_manager.replicas)


def _of_job(
    resource: FlinkResource, cluster: FlinkResource | None, options: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    job = resource.job or JobSpec()
    if resource.kind == "FlinkDeployment":
        # Overwrites the user's value: the operator asks the cluster how the job ended.
        yield "execution.shutdown-on-application-finish", "false"
    pods = cluster.task_manager if cluster and cluster is resource else None
    parallelism = _parallelism(job, pods, options)
    if parallelism > 0:
        yield "parallelism.default", str(parallelism)
    if cluster is not None and cluster.mode == "standalone":
        replicas = _replicas(cluster, parallelism, options)
        if replicas is not None:
            yield TASK_MANAGERS, str(replicas)
    if job.allow_non_restored_state is not None:
        allowed = "true" if job.allow_non_restored_state else "false"
        yield "execution.savepoint.ignore-unclaimed-state", allowed


def _replicas(cluster: FlinkResource, parallelism: int, options: Mapping[str, str]) -> int | None:
    """Task managers of a standalone cluster, as ``applyTaskManagerSpec`` counts them.

    None where its slots are refused elsewhere.

    A session cluster has the replicas of its own resource, one by default, whatever its jobs need.
    """
    pods = cluster.task_manager
    if pods is not None and pods.replicas:
        return pods.replicas
    if cluster.job is None:
        return 1
    slots = _slots(options)
    return task_managers_for(parallelism, slots) if slots and parallelism > 0 else None


def _parallelism(job: JobSpec, pods: PodSize | None, options: Mapping[str, str]) -> int:
    """Replicas times slots, else the autoscaler's highest override, else the job's own.

    In the order of ``getParallelism``: with replicas, the job's own parallelism has no effect.
    """
    if pods and pods.replicas and (slots := _slots(options)):
        return pods.replicas * slots
    pairs = (option.partition(":") for option in options.get(OVERRIDES, "").split(","))
    overrides = {vertex.strip(): number.strip() for vertex, _, number in pairs}
    decimals = (int(number) for number in overrides.values() if number.isdecimal())
    return max(decimals, default=0) or job.parallelism


def _slots(options: Mapping[str, str]) -> int | None:
    """Slots of a task manager; None where the value is refused elsewhere."""
    try:
        return slots_offered(options)
    except MemoryRefusalError:
        return None


def supported_release(version: str | None) -> str:
    """Return the release with the rules of a ``flinkVersion``: itself, else the newest."""
    named = version[1:].replace("_", ".") if version else LATEST
    return named if named in VERSIONS else LATEST


def version_of(cluster: FlinkResource | None) -> str | None:
    """The version of a cluster's Flink: its ``flinkVersion`` with the patch level of its image.

    None without a supported ``flinkVersion``.
    """
    named = _named_release(cluster) if cluster else None
    if cluster is None or named not in VERSIONS:
        return None
    result = _IMAGE.search(cluster.image or "")
    return result[1] if result and result[2] == named else named


def without_own(options: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the options that the operator passes to the cluster, and its own."""
    passed = {k: value for k, value in options.items() if not k.startswith(OPERATOR_PREFIXES)}
    return passed, {k: value for k, value in options.items() if k not in passed}


def notes_of(
    resource: FlinkResource, cluster: FlinkResource | None, options: Mapping[str, str]
) -> Iterator[str]:
    """Yield a sentence on each unusual or assumed part of a resource."""
    resources = [resource] if cluster is None or cluster is resource else [resource, cluster]
    unknown = [
        f"{flink_resource.title}: {listed(flink_resource.unknown_fields)}"
        for flink_resource in resources
        if flink_resource.unknown_fields
    ]
    if unknown:
        yield f"The operator has no such fields, which are ignored ({'; '.join(unknown)})."
    if cluster is None:
        return
    named = _named_release(cluster)
    result = _IMAGE.search(cluster.image or "")
    if named and result and result[2] != named:
        yield (
            f"The image {quoted(cluster.image or '')} is of Flink {result[2]}, and flinkVersion is "
            f"{cluster.flink_version}: the operator goes by flinkVersion."
        )
    if "taskmanager.numberOfTaskSlots" not in options:
        yield (
            "taskmanager.numberOfTaskSlots is not set: one slot is assumed unless the operator's "
            "default configuration sets another value (give that with --conf DIR)."
        )


def unchecked_of(resource: FlinkResource, cluster: FlinkResource | None) -> Iterator[str]:
    """Yield a sentence on each unknown part of a resource."""
    if cluster is None:
        yield (
            f"The session cluster {quoted(resource.deployment_name or '')} is not in the stream: "
            "its release, configuration and pods are not known."
        )
        return
    named, used = _named_release(cluster), supported_release(cluster.flink_version)
    if named not in {None, used}:
        yield (
            f"Flink {named} (flinkVersion {cluster.flink_version}) is not known: the rules of "
            f"Flink {used}, the newest known release, are used."
        )


def remarks_of(cluster: FlinkResource | None) -> Iterator[str]:
    """Yield a sentence on each part of a cluster that the computation leaves out."""
    if cluster is not None and cluster.has_pod_template:
        yield "A podTemplate is there: volumes, sidecars and their resources are not counted."


def _named_release(cluster: FlinkResource) -> str | None:
    """The release that ``flinkVersion`` names, known or not."""
    version = cluster.flink_version
    return None if version is None else version[1:].replace("_", ".")
