"""Which clusters may the page ask? Those alone that its operator named when the page was started.

Addresses go from the command to the page's own process in its environment.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from explorer.rest.addresses import Address, ClusterError, read_address
from explorer.wording import quoted

VARIABLE: Final = "STREAMGRAPH_EXPLORER_FLINK"
"""Addresses, a space between two."""


def named_cluster(text: str) -> Address:
    """The cluster that an operator names; raises ``ClusterError``, also where it is one job."""
    address, job = read_address(text)
    if job is not None:
        msg = f"{quoted(text)} is one job: name its cluster, {address}"
        raise ClusterError(msg)
    return address


def written(addresses: Iterable[Address]) -> str:
    """The variable's value for these clusters."""
    return " ".join(map(str, addresses))


def named_clusters(environment: Mapping[str, str]) -> tuple[Address, ...]:
    """The clusters that were named, each once, in that order; raises ``ClusterError``."""
    texts = environment.get(VARIABLE, "").split()
    return tuple(dict.fromkeys(map(named_cluster, texts)))
