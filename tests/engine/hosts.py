"""Two hosts for a cluster: network namespaces where this process is root, else loopback addresses.

A host of a namespace has an address, a host name and a ``/tmp`` of its own, and this checkout's
package is empty there: what a worker needs of it must be shipped.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

import explorer
from tests.network import changing_network

_NETWORK: Final = "10.231"
"""Of a bridge that only this machine's namespaces reach."""
_ISOLATED: Final = """
hostname {name}
mount -t tmpfs none {empty}
mount --bind {empty} {package}
exec "$@"
"""


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """Where processes of a cluster run."""

    name: str
    address: str
    command: tuple[str, ...] = ()
    """Runs the command that follows it on this host."""

    @property
    def is_isolated(self) -> bool:
        """Whether it has a network and a package folder of its own."""
        return bool(self.command)


@contextmanager
def two_hosts() -> Iterator[tuple[Host, ...]]:
    """Make the hosts, and remove them at the end."""
    if os.geteuid() != 0 or shutil.which("ip") is None or shutil.which("nsenter") is None:
        addresses = ("127.0.0.2", "127.0.0.3")
        yield tuple(Host(name=f"worker-{at}", address=one) for at, one in enumerate(addresses))
        return
    tag = f"sg{os.getpid() % 100_000}"
    try:
        with changing_network():
            hosts = tuple(_namespaces(tag))
        yield hosts
    finally:
        with changing_network():
            for at in range(2):
                _ip(f"link del {tag}v{at}", check=False)  # with its namespace it would go later
                _ip(f"netns del {tag}{at}", check=False)
            _ip(f"link del {tag}", check=False)


def _namespaces(tag: str) -> Iterator[Host]:
    """A bridge on this host, and two namespaces behind it."""
    third = 2 + os.getpid() % 200  # workers of xdist each have a bridge of their own
    network = f"{_NETWORK}.{third}"
    _ip(f"link add {tag} type bridge")
    _ip(f"addr add {network}.1/24 dev {tag}")
    _ip(f"link set {tag} up")
    for at in range(2):
        name, address = f"{tag}{at}", f"{network}.{at + 2}"
        _ip(f"netns add {name}")
        _ip(f"link add {tag}v{at} type veth peer name eth0 netns {name}")
        _ip(f"link set {tag}v{at} master {tag} up")
        _ip(f"-n {name} addr add {address}/24 dev eth0")
        _ip(f"-n {name} link set eth0 up")
        _ip(f"-n {name} link set lo up")
        yield Host(name=f"worker-{at}", address=address, command=_entered(name, f"worker-{at}"))


def _entered(namespace: str, name: str) -> tuple[str, ...]:
    package = Path(explorer.__file__).parent
    script = _ISOLATED.format(name=name, empty="/mnt", package=package)
    network = f"--net=/run/netns/{namespace}"
    return ("nsenter", network, "unshare", "--mount", "--uts", "sh", "-c", script, name)


def _ip(arguments: str, *, check: bool = True) -> None:
    subprocess.run([shutil.which("ip") or "ip", *arguments.split()], check=check)
