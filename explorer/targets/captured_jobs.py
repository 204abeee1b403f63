"""The jobs of a captured program, by name or by number."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from explorer.errors import ExplorerError
from explorer.wording import counted, listed, quoted

Captured: TypeAlias = Mapping[str, Any]
"""A job as ``explorer.capture`` returns it."""


def job_called(documents: Sequence[Captured], job: str) -> Captured:
    """The job of that name; of several with one name, the one of that number, from 1 on.

    Raises ``ExplorerError`` where there is none.
    """
    named = [document for document in documents if document["name"] == job]
    if len(named) == 1:
        return named[0]
    if job.isdecimal() and 0 < int(job) <= len(documents):
        return documents[int(job) - 1]
    problem = "there is no job" if not named else "several jobs are named"
    jobs = _list_by_number(documents)
    msg = f"{problem} {quoted(job)}; the jobs are {jobs}: give a name or a number"
    raise ExplorerError(msg)


def only_job(documents: Sequence[Captured], program: str, otherwise: str) -> Captured:
    """The only job; raises ``ExplorerError`` where ``program`` has another number of jobs.

    ``otherwise``: what to do with several jobs, apart from ``--job``.
    """
    if len(documents) == 1:
        return documents[0]
    jobs = f": {_list_by_number(documents)}" if documents else ""
    msg = (
        f"{program} has {counted(len(documents), 'job')}{jobs}; pick one with --job NAME or "
        f"--job NUMBER, or {otherwise}"
    )
    raise ExplorerError(msg)


def _list_by_number(documents: Sequence[Captured]) -> str:
    return listed(
        [f"{at} {quoted(values['name'])}" for at, values in enumerate(documents, start=1)]
    )
