"""Resources of the Flink Kubernetes operator, as far as they decide about a job and its cluster.

Mirrors ``FlinkDeploymentSpec``, ``FlinkSessionJobSpec`` and ``JobSpec`` of the operator.
"""

from collections.abc import Mapping
from typing import Literal, get_args

from explorer.model.frozen import FrozenRecord

ResourceKind = Literal["FlinkDeployment", "FlinkSessionJob"]
UpgradeMode = Literal["stateless", "savepoint", "last-state"]
DeploymentMode = Literal["native", "standalone"]
JobState = Literal["running", "suspended"]
UPGRADE_MODES: tuple[UpgradeMode, ...] = get_args(UpgradeMode)
DEPLOYMENT_MODES: tuple[DeploymentMode, ...] = get_args(DeploymentMode)
JOB_STATES: tuple[JobState, ...] = get_args(JobState)


class PodSize(FrozenRecord, frozen=True, kw_only=True):
    """Resources of the pods of one kind."""

    cpu: float | None = None
    """Cores."""
    memory: str | None = None
    """As the resource spells it: Flink's units or a Kubernetes quantity."""
    replicas: int | None = None


class JobSpec(FrozenRecord, frozen=True, kw_only=True):
    """``spec.job``."""

    jar_uri: str | None = None
    entry_class: str | None = None
    args: tuple[str, ...] = ()
    parallelism: int = 0
    """0: not set."""
    upgrade_mode: UpgradeMode = "stateless"
    initial_savepoint_path: str | None = None
    savepoint_redeploy_nonce: int | None = None
    savepoint_trigger_nonce: int | None = None
    allow_non_restored_state: bool | None = None
    state: JobState = "running"


class FlinkResource(FrozenRecord, frozen=True, kw_only=True):
    """A FlinkDeployment or a FlinkSessionJob."""

    kind: ResourceKind
    name: str
    namespace: str | None = None
    place: str = ""
    """Where the stream holds it, such as ``document 2``; empty where it is the only one."""
    flink_version: str | None = None
    """As ``v1_20``."""
    image: str | None = None
    configuration: Mapping[str, str] = {}
    """``spec.flinkConfiguration``, flat."""
    mode: DeploymentMode = "native"
    service_account: str | None = None
    log_files: tuple[str, ...] = ()
    """Keys of ``spec.logConfiguration``."""
    has_pod_template: bool = False
    job_manager: PodSize | None = None
    task_manager: PodSize | None = None
    job: JobSpec | None = None
    """None: a session cluster."""
    deployment_name: str | None = None
    """Of a FlinkSessionJob: its session cluster."""
    unknown_fields: tuple[str, ...] = ()
    """Paths of fields that the operator's schema does not have."""

    @property
    def title(self) -> str:
        """``FlinkDeployment 'orders'``."""
        return f"{self.kind} {self.name!r}"
