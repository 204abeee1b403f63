"""Addresses of clusters and jobs, and the clusters that the page may ask.

The page asks only the clusters that its operator named at the start; their addresses go from the
command to the page's own process in an environment variable.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import SplitResult, urlsplit

import msgspec

from explorer.errors import ExplorerError
from explorer.wording import quoted

VARIABLE: Final = "STREAMGRAPH_EXPLORER_FLINK"
"""The environment variable with the clusters' addresses, a space between two."""
_SCHEMES: Final = {"http": 80, "https": 443}
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_NO_SCHEME: Final = re.compile(
    r"(?:[a-z0-9.-]+|\[[0-9a-f:]+\]):[0-9]{1,5}(?:[/#].*)?", re.IGNORECASE
)
"""An address without a scheme, such as 127.0.0.1:8081, which means http."""
_JOB: Final = re.compile(r"/jobs/([0-9a-fA-F]{32})(?:/.*)?")
_DASHBOARD: Final = re.compile(r"/?job/(?:running/|completed/)?([0-9a-fA-F]{32})(?:/.*)?")
"""The fragment of a job's URL in Flink's dashboard."""
_SHOWN: Final = 120
_ELSEWHERE: Final = "; copy a file from elsewhere to this machine, and name the copy"


class ClusterError(ExplorerError):
    """A cluster cannot be asked, or does not answer as a cluster does: a sentence, what to do."""


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """A cluster's REST interface."""

    secure: bool
    host: str
    port: int
    path: str = ""
    """Path before Flink's own paths, as behind a proxy; without a trailing slash."""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' * self.secure}://{host}:{self.port}{self.path}"


def is_address(target: str) -> bool:
    """Whether a target of ``capture`` is an address and no file."""
    return _ADDRESS.match(target) is not None or _NO_SCHEME.fullmatch(target) is not None


def read_address(text: str) -> tuple[Address, str | None]:
    """A cluster, and the ID of the job where one is named; raises ``ClusterError``.

    >>> address, job = read_address("http://localhost:8081")
    >>> str(address), job
    ('http://localhost:8081', None)
    >>> str(read_address("127.0.0.1:8081/jobs")[0])
    'http://127.0.0.1:8081'
    """
    parts, port = _split(f"http://{text}" if _NO_SCHEME.fullmatch(text) else text)
    if parts.scheme not in _SCHEMES or not parts.hostname:
        msg = (
            f"{quoted(text, _SHOWN)} is no address of a cluster: write http://HOST:8081, or "
            f"http://HOST:8081/jobs/ID for one of its jobs{_ELSEWHERE * (parts.netloc != '')}"
        )
        raise ClusterError(msg)
    if parts.username is not None or parts.password is not None:
        msg = "the address of a cluster holds no user and no password: leave them out"
        raise ClusterError(msg)
    path, job = _job(parts)
    address = Address(
        secure=parts.scheme == "https",
        host=parts.hostname,
        port=port or _SCHEMES[parts.scheme],
        path=path,
    )
    return address, job


def named_cluster(text: str) -> Address:
    """Read the address of a cluster; raises ``ClusterError``, also for the address of a job."""
    address, job = read_address(text)
    if job is not None:
        msg = f"{quoted(text)} is one job: name its cluster, {address}"
        raise ClusterError(msg)
    return address


def join_addresses(addresses: Iterable[Address]) -> str:
    """Return the variable's value for these clusters."""
    return " ".join(map(str, addresses))


def named_clusters(environment: Mapping[str, str]) -> tuple[Address, ...]:
    """Return the clusters in the variable, each once, in its order; raises ``ClusterError``."""
    return tuple(dict.fromkeys(map(named_cluster, environment.get(VARIABLE, "").split())))


def _split(text: str) -> tuple[SplitResult, int | None]:
    if not text.isascii() or any(letter.isspace() or not letter.isprintable() for letter in text):
        msg = f"{quoted(text, _SHOWN)} is no address: it holds a space or a letter that none has"
        raise ClusterError(msg)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        msg = f"{quoted(text, _SHOWN)} is no address: {str(error).lower()}"
        raise ClusterError(msg) from None
    return parts, port


def _job(parts: SplitResult) -> tuple[str, str | None]:
    """Split the path into the part before Flink's own and the job's ID."""
    if dashboard := _DASHBOARD.fullmatch(parts.fragment):
        return parts.path.rstrip("/"), dashboard[1].lower()
    path = parts.path.rstrip("/")
    previous, jobs, remainder = path.rpartition("/jobs")
    if not jobs or (remainder and not remainder.startswith("/")):
        return path, None
    if not remainder or remainder == "/overview":
        return previous, None
    named = _JOB.fullmatch(jobs + remainder)
    if named is None:
        msg = f"{quoted(remainder[1:], _SHOWN)} is no job ID: it is 32 hex digits"
        raise ClusterError(msg)
    return previous, named[1].lower()
