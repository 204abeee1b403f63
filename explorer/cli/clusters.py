"""Jobs of a cluster, and the job that ``capture`` reads from an address."""

from datetime import UTC, datetime
from typing import Final

from explorer.drawing.one_line import shortened
from explorer.rest import ClusterError, JobEntry, jobs_of, read_address
from explorer.rest.jobs import names_of
from explorer.wording import counted, quoted

_NAME: Final = 40
"""Characters of a job's name in a list."""
_NAMED: Final = 10
_LAST: Final = 253_402_300_799
"""The last second of the year 9999: a cluster's times may be nonsense."""


def names_no_job(target: str) -> bool:
    """Whether an address is that of a cluster, not of a job."""
    return read_address(target)[1] is None


def job_list(target: str, *, timeout: float) -> str:
    """The cluster's jobs, a line each: state, name, start and the address that selects it."""
    address, _ = read_address(target)
    jobs = jobs_of(address, timeout=timeout)
    lines = [
        f"{job.state:<12}{shortened(job.name, _NAME):<{_NAME + 2}}"
        f"{_moment(job):<21}{address}/jobs/{job.id}"
        for job in jobs
    ]
    return "\n".join([f"{address} has {counted(len(jobs), 'job')}", *lines])


def _moment(job: JobEntry) -> str:
    seconds = min(max(job.start_time // 1000, 0), _LAST)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def job_address(target: str, job: str | None, *, timeout: float) -> str:
    """Return the address of the job with a name or ID; without one, the target itself."""
    address, id = read_address(target)
    if job is None or id is not None:
        return target
    jobs = jobs_of(address, timeout=timeout)
    named = [one for one in jobs if job in {one.id, one.name}]
    running = [one for one in named if not one.ended] or named
    if len(running) != 1:
        what = "there is no job" if not named else "several jobs are named"
        msg = (
            f"{what} {quoted(job)} on {address}; its jobs are {names_of(jobs, _NAMED)}: give an ID"
        )
        raise ClusterError(msg)
    return f"{address}/jobs/{running[0].id}"
