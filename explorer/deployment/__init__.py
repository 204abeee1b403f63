"""Resources of a job on a cluster, by release: slots, memory, network buffers, schedulers."""

from explorer.deployment.deploying import ClusterResources, resources
from explorer.deployment.memory import (
    JobManagerMemory,
    Memory,
    job_manager_memory,
    task_manager_memory,
)
from explorer.deployment.memory_options import MemoryRefusalError
from explorer.deployment.resource_changes import ResourceChanges, resource_changes

__all__ = [
    "ClusterResources",
    "JobManagerMemory",
    "Memory",
    "MemoryRefusalError",
    "ResourceChanges",
    "job_manager_memory",
    "resource_changes",
    "resources",
    "task_manager_memory",
]
