"""What the Flink Kubernetes operator refuses, in its words.

Mirrors ``DefaultValidator``: the rules in its order. The operator reports the first refusal.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from explorer.deployment.kubernetes_operator import (
    AUTOSCALER,
    CHECKPOINTS,
    SAVEPOINTS,
    OperatorJob,
    effective_options,
    is_available,
    notes_of,
    remarks_of,
    set_option,
    supported_release,
    unchecked_of,
    version_of,
    without_own,
)
from explorer.deployment.memory import job_manager_memory, task_manager_memory
from explorer.deployment.quantities import memory_bytes
from explorer.errors import ExplorerError
from explorer.model.kubernetes import FlinkResource, JobSpec, PodSize

_NAME: Final = re.compile(r"[a-z]([-a-z0-9]{0,43}[a-z0-9])?")
"""``DEPLOYMENT_NAME_PATTERN``: at most 45 characters."""
_BAD_NAME: Final = (
    "The FlinkDeployment name: {} is invalid, must consist of lower case alphanumeric characters "
    "or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. "
    "'my-name',  or 'abc-123'), and the length must be no more than 45 characters."
)
_FORBIDDEN: Final = (
    "kubernetes.namespace",
    "kubernetes.cluster-id",
    "high-availability.cluster-id",
)
_LOG_FILES: Final = ("log4j-console.properties", "logback-console.xml")
_NO_ACCOUNT: Final = (
    "spec.serviceAccount must be defined. If you use helm, its value should be the same with the "
    "name of jobServiceAccount."
)
_AUTOSCALER_NUMBERS: Final = (
    "scale-down.max-factor",
    "scale-up.max-factor",
    "target.utilization",
    "target.utilization.boundary",
)


class OperatorRefusalError(ExplorerError):
    """The operator refuses a resource; the text holds its sentence."""

    def __init__(self, resource: FlinkResource, sentence: str) -> None:
        super().__init__(f"the Kubernetes operator refuses {resource.title}: {sentence}")


def operator_job(
    resource: FlinkResource,
    resources: tuple[FlinkResource, ...] = (),
    base: Mapping[str, str] | None = None,
    flink_version: str | None = None,
) -> OperatorJob:
    """Return the job that the operator makes of a resource, with its refusals.

    Args:
        resource: The resource with the job.
        resources: All of the stream, among which a session job's cluster is looked for.
        base: The operator's default configuration.
        flink_version: The release that is used in place of the resource's own.
    """
    cluster = cluster_of(resource, resources)
    release = flink_version or supported_release(cluster.flink_version if cluster else None)
    whole, derived = effective_options(resource, cluster, base or {}, release)
    options, own = without_own(whole)
    set_by_user = {
        **(base or {}),
        **(cluster.configuration if cluster else {}),
        **resource.configuration,
    }
    return OperatorJob(
        resource=resource,
        cluster=cluster,
        session_jobs=tuple(
            flink_resource
            for flink_resource in resources
            if flink_resource.kind == resource.kind == "FlinkSessionJob"
            and flink_resource is not resource
            and flink_resource.deployment_name == resource.deployment_name
        ),
        release=release,
        version=flink_version or version_of(cluster),
        options=options,
        own_options=own,
        derived=tuple(derived),
        notes=tuple(notes_of(resource, cluster, options)),
        unchecked=tuple(unchecked_of(resource, cluster)),
        remarks=tuple(remarks_of(cluster)),
        refusals=tuple(_refusals(resource, cluster, set_by_user, options, release)),
    )


def cluster_of(
    resource: FlinkResource, resources: tuple[FlinkResource, ...]
) -> FlinkResource | None:
    """The FlinkDeployment on which a resource's job runs; None: it is not among the resources."""
    if resource.kind == "FlinkDeployment":
        return resource
    deployments = (
        flink_resource for flink_resource in resources if flink_resource.kind == "FlinkDeployment"
    )
    return next(
        (deployment for deployment in deployments if deployment.name == resource.deployment_name),
        None,
    )


def _refusals(
    resource: FlinkResource,
    cluster: FlinkResource | None,
    values: Mapping[str, str],
    options: Mapping[str, str],
    release: str,
) -> Iterator[str]:
    """``values``: options as they are set; ``options``: with what the operator derives.

    In the order of ``validateDeployment``, which returns the ``firstPresent``: in another order, a
    resource with two faults would be refused with another sentence.
    """
    if resource.kind == "FlinkSessionJob":
        yield from _of_session_job(resource, cluster, values)
        return
    if not _NAME.fullmatch(resource.name):
        yield _BAD_NAME.format(resource.name)
    if resource.flink_version is None:
        yield "Flink Version must be defined."
    yield from _of_configuration(values)
    for key in resource.log_files:
        if key not in _LOG_FILES:
            yield f"Invalid log config key: {key}. Allowed keys are [{', '.join(_LOG_FILES)}]"
    yield from _of_job(resource.job or JobSpec(), resource.task_manager, values)
    yield from _of_pods(resource, values, options, release)
    if resource.service_account is None:
        yield _NO_ACCOUNT
    yield from _of_autoscaler(values)


def _of_session_job(
    resource: FlinkResource, cluster: FlinkResource | None, values: Mapping[str, str]
) -> Iterator[str]:
    # ``validateSessionJobOnly`` judges the name of the cluster, not that of the resource.
    name = resource.deployment_name or ""
    if not _NAME.fullmatch(name):
        yield _BAD_NAME.format(name)
    if cluster is None:
        return
    if cluster.job is not None:
        yield "Can not submit session job to application cluster"
    yield from _of_job(resource.job or JobSpec(), None, values)
    yield from _of_autoscaler(values)


def _of_configuration(values: Mapping[str, str]) -> Iterator[str]:
    for key in _FORBIDDEN:
        if key in values:
            yield f"Forbidden Flink config key: {key}"
    rollback = values.get("kubernetes.operator.deployment.rollback.enabled", "")
    if rollback.lower() == "true" and not is_available(values):
        yield "HA must be enabled for rollback support."


def _of_job(job: JobSpec, pods: PodSize | None, values: Mapping[str, str]) -> Iterator[str]:
    if job.upgrade_mode != "stateless" and not set_option(values, *CHECKPOINTS):
        yield (
            f"Checkpoint directory[{CHECKPOINTS[0]}] must be defined for last-state and savepoint "
            "upgrade modes"
        )
    if not set_option(values, *SAVEPOINTS):
        yield from _without_savepoints(job, values)
    # ``validateJobSpec`` looks at the parallelism only without replicas, which decide it.
    if pods is not None and pods.replicas is not None:
        if pods.replicas < 1:
            yield "TaskManager replicas must be larger than 0"
    elif job.parallelism < 1:
        yield "Job parallelism must be larger than 0"


def _without_savepoints(job: JobSpec, values: Mapping[str, str]) -> Iterator[str]:
    """The refusal where no savepoint directory is set: ``validateJobSpec`` returns one of four."""
    key = SAVEPOINTS[0]
    if job.upgrade_mode == "savepoint":
        yield f"Job could not be upgraded with savepoint while config key[{key}] is not set"
    elif job.savepoint_trigger_nonce is not None:
        yield (
            "Savepoint could not be manually triggered for the running job while config "
            f"key[{key}] is not set"
        )
    elif "kubernetes.operator.periodic.savepoint.interval" in values:
        yield f"Periodic savepoints cannot be enabled when config key[{key}] is not set"
    elif "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age" in values:
        yield (
            f"In order to use max-checkpoint age functionality config key[{key}] must be set to "
            "allow triggering savepoint upgrades."
        )


def _of_pods(
    resource: FlinkResource, values: Mapping[str, str], options: Mapping[str, str], release: str
) -> Iterator[str]:
    yield from _of_memory("JobManager", resource.job_manager, options, release)
    pods = resource.job_manager
    if pods is not None and pods.replicas is not None:
        if pods.replicas < 1:
            yield "JobManager replicas should not be configured less than one."
        elif pods.replicas > 1 and not is_available(values):
            yield "High availability should be enabled when starting standby JobManagers."
    yield from _of_memory("TaskManager", resource.task_manager, options, release)


def _of_memory(
    component: str, pods: PodSize | None, options: Mapping[str, str], release: str
) -> Iterator[str]:
    # ``validateJmMemoryConfig`` and ``validateTmMemoryConfig`` ask Flink's own computation, and put
    # one sentence in place of its many.
    if pods is None or not (pods.memory or "").strip():
        split = job_manager_memory if component == "JobManager" else task_manager_memory
        try:
            split(options, release)
        except ExplorerError:
            field = f"{component[:1].lower()}{component[1:]}"
            yield (
                f"{component} resource memory must be defined using `spec.{field}.resource.memory`"
            )
        return
    try:
        memory_bytes(pods.memory or "")
    except ValueError as error:
        yield f"{component} resource memory parse error: {error}"


def _of_autoscaler(values: Mapping[str, str]) -> Iterator[str]:
    if set_option(values, *AUTOSCALER).lower() != "true":
        return
    for name in _AUTOSCALER_NUMBERS:
        key = f"job.autoscaler.{name}"
        text = set_option(values, key, f"kubernetes.operator.{key}")
        try:
            allowed = not text or float(text) >= 0
        except ValueError:
            yield f"Invalid value in the autoscaler config {key}"
            continue
        if not allowed:
            yield (
                f"The AutoScalerOption {key} is invalid, it should be a value within the range "
                "[0.0, +Infinity]"
            )


def refused_change(old: OperatorJob, new: OperatorJob) -> Iterator[str]:
    """Yield the operator's refusals of a change of one resource, in its words.

    ``validateFlinkVersion`` compares with the last reconciled spec before ``validateSpecChange``
    does, so a changed release comes before a changed mode.
    """
    previous, following = old.resource, new.resource
    if previous.kind != following.kind:
        return
    if following.kind == "FlinkSessionJob":
        if previous.deployment_name != following.deployment_name:
            yield "The deploymentName can't be changed"
        return
    if (
        new.job.upgrade_mode != "stateless"
        and old.job.state == "suspended"
        and old.job.upgrade_mode == "last-state"
        and previous.flink_version != following.flink_version
    ):
        yield (
            "Changing flinkVersion after last-state suspend is not allowed. Restore your cluster "
            "with the current flinkVersion and perform the version upgrade afterwards."
        )
    if previous.mode != following.mode:
        yield (
            f"Cannot switch from {previous.mode} kubernetes to {following.mode} kubernetes cluster"
        )
    nonce = new.job.savepoint_redeploy_nonce
    redeployed = nonce is not None and nonce != old.job.savepoint_redeploy_nonce
    if redeployed and not new.job.initial_savepoint_path:
        yield "InitialSavepointPath must not be empty for savepoint redeployment"
