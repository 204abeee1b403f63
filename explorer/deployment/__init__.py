"""What a job asks of a cluster, and what its processes have: memory, slots, as the release does."""

from explorer.deployment.changes import DeploymentChanges, deployment_changes
from explorer.deployment.deploying import Deployment, deploy
from explorer.deployment.memory import (
    JobManagerMemory,
    Memory,
    MemoryRefusalError,
    job_manager_memory,
    task_manager_memory,
)

__all__ = [
    "Deployment",
    "DeploymentChanges",
    "JobManagerMemory",
    "Memory",
    "MemoryRefusalError",
    "deploy",
    "deployment_changes",
    "job_manager_memory",
    "task_manager_memory",
]
