"""Confines this process and all that it starts: no network, no writes outside one folder, limits.

Uses Linux namespaces (network, mount and, where the right is missing, user) through the C library,
so that no external program is needed. Must be called before the process starts a thread.
"""

import ctypes
import os
import resource
import socket
import struct
import sys
from pathlib import Path
from typing import Final

from explorer.model.rehearsal import Sandbox

_NEW_MOUNTS, _NEW_USER, _NEW_NETWORK = 0x0002_0000, 0x1000_0000, 0x4000_0000
"""Flags of ``unshare``."""
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x4_0000
"""Flags of ``mount``."""
_MOUNT_SETATTR: Final = 442
"""The system call's number, the same on all architectures; Linux 5.12."""
_HERE, _WHOLE_TREE, _READ_ONLY = -100, 0x8000, 1
_CAPBSET_DROP, _NO_NEW_PRIVILEGES = 24, 38
"""Options of ``prctl``."""
_LAST_CAPABILITY: Final = 63
_REMAINING_CAPABILITIES: Final = frozenset({0, 1, 2, 3, 5})
"""Of root: to read and own files and to signal processes, not to mount or to configure networks."""
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1
"""``ioctl`` requests for an interface's flags, and the flag of one that is up."""


class _MountAttributes(ctypes.Structure):
    """``struct mount_attr``."""

    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("user_namespace", ctypes.c_uint64),
    )


def confine(folder: Path, *, network: bool, memory_bytes: int, disk_bytes: int) -> Sandbox:
    """Confine this process and its later children to ``folder``.

    Raises ``OSError`` where the platform has no namespaces for it; with ``network`` the network
    stays as it is, and writes stay unconfined where the platform offers nothing.
    """
    writes = "own folder"
    try:
        flags = _NEW_MOUNTS if network else _NEW_MOUNTS | _NEW_NETWORK
        library = _library()
        # Root in a container may lack the right to do so outside a user namespace.
        if os.geteuid() != 0 or library.unshare(flags) < 0:
            _enter_user_namespace(flags)
        _allow_writes_only_in(folder)
        if not network:
            _bring_loopback_up()
        _give_up_privileges()
    except OSError:
        if not network:
            raise
        writes = "anywhere"
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_DATA: memory_bytes,
        resource.RLIMIT_FSIZE: disk_bytes,
    }
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (limit, limit))
    return Sandbox(network=network, writes=writes, memory_bytes=memory_bytes, disk_bytes=disk_bytes)


def _library() -> ctypes.CDLL:
    if not sys.platform.startswith("linux"):
        msg = f"{sys.platform} has no namespaces"
        raise OSError(msg)
    return ctypes.CDLL(None, use_errno=True)


def _check_result(result: int, what: str) -> None:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code).lower()}")


def _enter_user_namespace(flags: int) -> None:
    user, group = os.geteuid(), os.getegid()
    _check_result(_library().unshare(flags | _NEW_USER), "unshare")
    own = Path("/proc/self")
    (own / "setgroups").write_text("deny", encoding="ascii")
    (own / "uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    (own / "gid_map").write_text(f"{group} {group} 1", encoding="ascii")


def _allow_writes_only_in(folder: Path) -> None:
    """Make all mounts read-only but that of the folder."""
    library, own = _library(), os.fsencode(folder)
    _check_result(library.mount(None, b"/", None, _PRIVATE | _RECURSIVE, None), "mount /")
    _check_result(library.mount(own, own, None, _BIND, None), f"mount {folder}")
    _set_mount(b"/", _WHOLE_TREE, set=_READ_ONLY, clear=0)
    _set_mount(own, 0, set=0, clear=_READ_ONLY)
    # The current folder still is the one of the mount below.
    os.chdir(Path.cwd())


def _set_mount(path: bytes, flags: int, *, set: int, clear: int) -> None:  # noqa: A002
    attributes = _MountAttributes(set, clear, 0, 0)
    size, pointer = ctypes.sizeof(attributes), ctypes.byref(attributes)
    result = _library().syscall(_MOUNT_SETATTR, _HERE, path, flags, pointer, size)
    _check_result(result, "mount_setattr")


def _bring_loopback_up() -> None:
    """A new network namespace has its loopback interface down; Flink's BlobClient needs it."""
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, _GET_FLAGS, request))[1]
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", flags | _UP))


def _give_up_privileges() -> None:
    """Let no program that is started from here undo the mounts."""
    library = _library()
    _check_result(library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")
    if os.geteuid() == 0:
        for capability in range(_LAST_CAPABILITY + 1):
            if capability not in _REMAINING_CAPABILITIES:
                library.prctl(_CAPBSET_DROP, capability, 0, 0, 0)
