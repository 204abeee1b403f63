"""What a job asks of a cluster, and what its processes have: memory, as the release computes it."""

from explorer.deployment.memory import (
    JobManagerMemory,
    Memory,
    MemoryRefusalError,
    job_manager_memory,
    task_manager_memory,
)

__all__ = [
    "JobManagerMemory",
    "Memory",
    "MemoryRefusalError",
    "job_manager_memory",
    "task_manager_memory",
]
