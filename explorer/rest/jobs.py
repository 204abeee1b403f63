"""Reads the jobs of a cluster; mirrors ``MultipleJobsDetails`` and ``JobDetailsInfo``."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec

from explorer.documents.checks.faults import node_hash_problem
from explorer.documents.limits import MAX_TRANSFORMATIONS
from explorer.documents.readers.job_graphs import job_document
from explorer.documents.readers.submitted_plans import submitted_job
from explorer.documents.records import to_record
from explorer.errors import DocumentError
from explorer.flink.releases import UnknownReleaseError, release
from explorer.model.document import JobGraphDocument
from explorer.model.running_job import ENDED
from explorer.rest.addresses import Address, ClusterError, read_address
from explorer.rest.answers import Cluster, NotThereError
from explorer.rest.figures import (
    metric_names,
    operator_names,
    state_sizes_of_job,
    task_figures,
)
from explorer.wording import listed, quoted, spelled

TIMEOUT: Final = 60.0
"""Seconds for all that is asked of a cluster for one job."""
_NAMED: Final = 5
_SETTLING: Final = 1.0
"""Seconds that the cluster gets for its metrics: ``MetricFetcherImpl`` answers with those that it
has, however old, and fetches newer ones after that."""
_SENSITIVE: Final = (
    *("password", "secret", "account.key", "apikey", "api-key", "auth-params", "service-key"),
    *("token", "basic-auth", "jaas.config", "http-headers"),
)
"""Parts of the names of settings with secret values: ``GlobalConfiguration.isSensitive``. Among
the job's settings are its program's arguments, which older clusters report in clear text."""
Made = TypeVar("Made")


class JobEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A job as a cluster lists it; its start in milliseconds since 1970."""

    id: str = msgspec.field(name="jid")
    name: str
    state: str
    start_time: int = msgspec.field(name="start-time")

    @property
    def has_ended(self) -> bool:
        """Whether its state is terminal."""
        return self.state in ENDED


class _Jobs(msgspec.Struct, kw_only=True):
    jobs: tuple[JobEntry, ...]


class _ClusterConfig(msgspec.Struct, kw_only=True):
    version: str = msgspec.field(name="flink-version")


class _VertexStatus(msgspec.Struct, kw_only=True):
    id: str
    status: str


class _JobStatus(msgspec.Struct, kw_only=True):
    state: str
    vertices: tuple[_VertexStatus, ...]


class _JobConfig(msgspec.Struct, kw_only=True):
    config: dict[str, Any] = msgspec.field(name="execution-config", default_factory=dict)


def jobs_of(address: Address, *, timeout: float = TIMEOUT) -> tuple[JobEntry, ...]:
    """The jobs of a cluster, those that run first, the latest first; raises ``ClusterError``."""
    return _jobs(Cluster(address, timeout=timeout))


def names_of(jobs: Sequence[JobEntry], maximum: int) -> str:
    """The first jobs, by ID and name, as a sentence lists them."""
    names = [f"{job.id} {quoted(job.name)}" for job in jobs[:maximum]]
    return listed([*names, *(["others"] if len(jobs) > maximum else [])] or ["none"])


def _jobs(cluster: Cluster) -> tuple[JobEntry, ...]:
    jobs = _read(cluster, lambda: _read_overview(cluster))
    return tuple(sorted(jobs, key=lambda job: (job.has_ended, -job.start_time, job.id)))


def _read_overview(cluster: Cluster) -> tuple[JobEntry, ...]:
    jobs = to_record(cluster.ask("/jobs/overview"), _Jobs).jobs
    for position, job in enumerate(jobs):
        if node_hash_problem(job.id):
            problem = f"{quoted(job.id)} is no job's ID"
            raise DocumentError(path=f"jobs[{position}].jid", problem=problem)
    return jobs


def jobs_at(text: str, *, timeout: float = TIMEOUT) -> tuple[JobGraphDocument, ...]:
    """Read the job at an address, or a cluster's running jobs; raises ``ClusterError``."""
    address, id = read_address(text)
    if id is not None:
        return (read_job(address, id, timeout=timeout),)
    running = [job for job in jobs_of(address, timeout=timeout) if not job.has_ended]
    if not running:
        msg = f"no job runs on {address}; read one that has ended with {address}/jobs/ID"
        raise ClusterError(msg)
    return tuple(read_job(address, job.id, timeout=timeout) for job in running)


def cluster_version(text: str, *, timeout: float = TIMEOUT) -> str:
    """The version of the cluster at the address of it or of a job; raises ``ClusterError``."""
    address, _ = read_address(text)
    cluster = Cluster(address, timeout=timeout)
    return _read(cluster, lambda: _version(cluster))


def read_job(address: Address, id: str, *, timeout: float = TIMEOUT) -> JobGraphDocument:
    """One job with its figures, as the cluster reports it now.

    ``timeout``: seconds for all answers together. Raises ``ClusterError``, also for a job that the
    cluster does not have, or forgot while it was asked.
    """
    cluster = Cluster(address, timeout=timeout)
    try:
        return _read(cluster, lambda: _read_job(cluster, id))
    except NotThereError:
        jobs = _jobs(cluster)
        known = f"its jobs are {names_of(jobs, _NAMED)}" if jobs else "it has no jobs"
        msg = (
            f"{cluster.address} has no job {id}: it ended and was forgotten, or the ID is another "
            f"one's; {known}"
        )
        raise ClusterError(msg) from None


def _read(cluster: Cluster, read: Callable[[], Made]) -> Made:
    """Read answers; content that Flink does not send is the cluster's fault."""
    try:
        return read()
    except DocumentError as error:
        msg = f"{cluster.address} does not answer as Flink's REST interface does: {error}"
        raise ClusterError(msg) from None


def _read_job(cluster: Cluster, id: str) -> JobGraphDocument:
    version = _version(cluster)
    path = f"/jobs/{id}"
    details = cluster.ask(path)
    if isinstance(details, dict) and "plan" not in details:
        details |= cluster.ask(f"{path}/plan")
    states = to_record(details, _JobStatus)
    if states.state not in ENDED:
        time.sleep(_SETTLING)
    metrics = {
        vertex.id: () if states.state in ENDED else metric_names(cluster, _vertex(path, vertex.id))
        for vertex in states.vertices
    }
    names = {id: operator_names(result) for id, result in metrics.items()}
    job = submitted_job(details, names, limit=MAX_TRANSFORMATIONS)
    lively = states.state not in ENDED and not _samples_stacks(version)
    state_sizes = state_sizes_of_job(cluster, path)
    state_of = {vertex.id: vertex.status for vertex in states.vertices}
    reported = msgspec.structs.replace(
        job,
        version=version,
        configuration=dict(_configuration(cluster, path)),
        figures=tuple(
            task_figures(
                cluster,
                _vertex(path, task.id),
                task,
                state_of[task.id],
                metrics[task.id],
                lively=lively,
                state_bytes=state_sizes.get(task.id),
            )
            for task in job.tasks
            if task.id in state_of
        ),
    )
    return job_document(reported, limit=MAX_TRANSFORMATIONS)


def _version(cluster: Cluster) -> str:
    return to_record(cluster.ask("/config"), _ClusterConfig).version


def _vertex(path: str, id: str) -> str:
    if node_hash_problem(id):
        raise DocumentError(path="vertices", problem=f"{quoted(id)} is no task's ID")
    return f"{path}/vertices/{id}"


def _samples_stacks(version: str) -> bool:
    """Return whether the cluster would sample stacks to answer; an unknown release does not."""
    try:
        return release(version).samples_stacks
    except UnknownReleaseError:
        return False


def _configuration(cluster: Cluster, path: str) -> Iterator[tuple[str, str]]:
    """Yield the job's settings in the dashboard, as text by path."""
    config = to_record(cluster.ask(f"{path}/config"), _JobConfig).config
    yield from _flat(config)
    try:
        checkpoints = cluster.ask(f"{path}/checkpoints/config")
    except NotThereError:
        return  # Checkpoints are off.
    if isinstance(checkpoints, dict):
        yield from _flat({"checkpoints": checkpoints})


def _flat(values: Mapping[str, Any], previous: str = "") -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{previous}{name}.")
        elif value is not None:
            secret = any(word in name.lower() for word in _SENSITIVE)
            yield f"{previous}{name}", "******" if secret else spelled(value)
