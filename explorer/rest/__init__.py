"""Reads the REST interface of a Flink cluster, and never writes to it.

Only GET is asked, no redirect is followed, and each answer has limits of size and time.
"""

from explorer.rest.addresses import (
    Address,
    ClusterError,
    is_address,
    named_cluster,
    named_clusters,
    read_address,
)
from explorer.rest.jobs import JobEntry, cluster_version, jobs_at, jobs_of, read_job

__all__ = [
    "Address",
    "ClusterError",
    "JobEntry",
    "cluster_version",
    "is_address",
    "jobs_at",
    "jobs_of",
    "named_cluster",
    "named_clusters",
    "read_address",
    "read_job",
]
