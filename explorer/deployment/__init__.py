"""What a job asks of a cluster, and what its processes have: memory, slots, as the release does."""

from explorer.deployment.deploying import Deployment, resources
from explorer.deployment.deployment_changes import DeploymentChanges, deployment_changes
from explorer.deployment.memory import (
    JobManagerMemory,
    Memory,
    job_manager_memory,
    task_manager_memory,
)
from explorer.deployment.memory_options import MemoryRefusalError

__all__ = [
    "Deployment",
    "DeploymentChanges",
    "JobManagerMemory",
    "Memory",
    "MemoryRefusalError",
    "deployment_changes",
    "job_manager_memory",
    "resources",
    "task_manager_memory",
]
