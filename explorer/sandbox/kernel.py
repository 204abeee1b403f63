"""Linux's means of confinement, through the C library: namespaces, mounts, Landlock, seccomp.

No external program is needed. A call that the kernel refuses raises ``OSError``. Must be called
before the process starts a thread.
"""

import ctypes
import os
import platform
import socket
import stat
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

NEW_MOUNTS, NEW_IPC, NEW_USER = 0x0002_0000, 0x0800_0000, 0x1000_0000
NEW_PROCESSES, NEW_NETWORK = 0x2000_0000, 0x4000_0000
"""Flags of ``unshare``."""
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_EXEC = 1, 2, 4, 8
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x4_0000
_COVER: Final = _NO_SUID | _NO_DEVICES | _NO_EXEC
"""Flags of ``mount``."""
_MOUNT_SETATTR: Final = 442
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
"""System calls, of the same number on all architectures; Linux 5.12 and 5.13."""
_HERE, _WHOLE_TREE = -100, 0x8000
_DEATH_SIGNAL, _DUMPABLE, _SECCOMP, _DROP, _SUBREAPER, _NO_NEW_PRIVILEGES = 1, 4, 22, 24, 36, 38
"""Options of ``prctl``."""
_FILTER: Final = 2
_LAST_CAPABILITY: Final = 63
_REMAINING_CAPABILITIES: Final = frozenset({0, 1, 3})
"""Of root: to read and own files by their paths, not to open them by their numbers, to signal, to
mount or to configure networks."""
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1
"""``ioctl`` requests for an interface's flags, and the flag of one that is up."""
_DEVICES: Final = ("null", "zero", "full", "random", "urandom")
_LINKS: Final = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
}
_WRITE_FILE: Final = 1 << 1
_CHANGES: Final = _WRITE_FILE | sum(1 << right for right in range(4, 13))
"""Landlock's rights to change files and folders. Opening a FIFO or a device to write is one, which
no read-only mount refuses."""
_ABSTRACT_SOCKETS_AND_SIGNALS: Final = 3
"""What Landlock confines to the process's own domain, from Linux 6.12 on."""
_SCOPES_SINCE: Final = 6
_LATER_RIGHTS: Final = {2: 1 << 13, 3: 1 << 14}
"""Rights to move and to truncate files, by the version of Landlock that has them first."""


class _MountAttributes(ctypes.Structure):
    """``struct mount_attr``."""

    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("user_namespace", ctypes.c_uint64),
    )


class _Ruleset(ctypes.Structure):
    """``struct landlock_ruleset_attr``."""

    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    """``struct landlock_path_beneath_attr``."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _Filter(ctypes.Structure):
    """``struct sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check_result(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code).lower()}")
    return result


def enter_namespaces(flags: int) -> None:
    """Enter new namespaces, in a user namespace where the right is missing outside of one.

    Root in a container may lack that right as well.
    """
    if os.geteuid() == 0 and _library().unshare(flags) == 0:
        return
    user, group = os.geteuid(), os.getegid()
    _check_result(_library().unshare(flags | NEW_USER), "unshare")
    process_folder = Path("/proc/self")
    (process_folder / "setgroups").write_text("deny", encoding="ascii")
    (process_folder / "uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    (process_folder / "gid_map").write_text(f"{group} {group} 1", encoding="ascii")


def allow_writes_only_in(
    folder: Path, memory_disk: int, view: Sequence[tuple[str, str]] = ()
) -> None:
    """Make all mounts read-only but that of the folder, and hide all devices that can harm.

    ``memory_disk``: bytes of a file system in memory that covers the folder; 0: its own stays.
    ``view``: actions and paths, as of ``visible_files``.
    """
    own, path = os.fsencode(folder), Path.cwd()
    _mount(None, b"/", flags=_PRIVATE | _RECURSIVE)
    _hide_devices()
    _make_view([*view, ("show", str(folder))])
    if not memory_disk:
        _mount(own, own, flags=_BIND)
    _set_mount(b"/", _WHOLE_TREE, set=_READ_ONLY, clear=0)
    if memory_disk:
        options = f"size={memory_disk},mode=0700".encode()
        _mount(b"tmpfs", own, b"tmpfs", _NO_SUID | _NO_DEVICES, options)
    else:
        _set_mount(own, 0, set=0, clear=_READ_ONLY)
    # The current folder still is the one of the mount below.
    os.chdir(path)


def _make_view(view: Sequence[tuple[str, str]]) -> None:
    """Cover folders and files, and show others where they were."""
    sources = {
        path: place for action, path in view if (place := _open_source(action, path)) is not None
    }
    null_device = os.open("/dev/null", os.O_PATH)
    for action, path in view:
        # What is below a covered folder, or is gone by now, cannot be seen in any case.
        with suppress(FileNotFoundError):
            if action == "hide":
                _mount(b"tmpfs", os.fsencode(path), b"tmpfs", _COVER, b"size=1m,mode=0755")
            elif action == "blank":
                _bind(null_device, path)
            elif action == "folder":
                Path(path).mkdir(parents=True, exist_ok=True)
            elif path in sources and not _is_at(sources[path], path):
                _make_place(sources[path], Path(path))
                _bind(sources[path], path)
    for place in (null_device, *sources.values()):
        os.close(place)


def _open_source(action: str, path: str) -> int | None:
    """Open what is to be shown, as it is before anything is covered."""
    if action == "show":
        with suppress(OSError):
            return os.open(path, os.O_PATH)
    return None


def _is_at(place: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(place), os.stat(path))  # noqa: PTH116
    except OSError:
        return False


def _make_place(place: int, path: Path) -> None:
    """Make a file or folder to mount on, within the folders that cover others."""
    if stat.S_ISDIR(os.fstat(place).st_mode):
        path.mkdir(parents=True, exist_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def _bind(place: int, path: str) -> None:
    # Without what is mounted below, a namespace of a user's may not.
    _mount(f"/proc/self/fd/{place}".encode(), os.fsencode(path), flags=_BIND | _RECURSIVE)


def _hide_devices() -> None:
    """Cover ``/dev`` with the few devices that a program needs."""
    places = {name: os.open(f"/dev/{name}", os.O_PATH) for name in _DEVICES}
    _mount(b"tmpfs", b"/dev", b"tmpfs", _NO_SUID | _NO_EXEC, b"size=64k,mode=0755")
    for name, place in places.items():
        Path("/dev", name).touch()
        _mount(f"/proc/self/fd/{place}".encode(), f"/dev/{name}".encode(), flags=_BIND)
        os.close(place)
    for name, target in _LINKS.items():
        Path("/dev", name).symlink_to(target)


def _mount(
    source: bytes | None,
    target: bytes,
    kind: bytes | None = None,
    flags: int = 0,
    options: bytes | None = None,
) -> None:
    result = _library().mount(source, target, kind, ctypes.c_ulong(flags), options)
    _check_result(result, f"mount {os.fsdecode(target)}")


def _set_mount(path: bytes, flags: int, *, set: int, clear: int) -> None:  # noqa: A002
    attributes = _MountAttributes(set, clear, 0, 0)
    size, pointer = ctypes.sizeof(attributes), ctypes.byref(attributes)
    result = _library().syscall(_MOUNT_SETATTR, _HERE, path, flags, pointer, size)
    _check_result(result, "mount_setattr")


def mount_own_processes() -> None:
    """Let ``/proc`` show the processes of the own namespace alone, and change no setting."""
    _mount(b"proc", b"/proc", b"proc", _READ_ONLY | _NO_SUID | _NO_DEVICES | _NO_EXEC)


def bring_loopback_up() -> None:
    """A new network namespace has its loopback interface down; Java and Flink need it."""
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, _GET_FLAGS, request))[1]
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", flags | _UP))


def adopt_orphans() -> None:
    """Become the parent of each descendant that loses its own."""
    _check_result(_library().prctl(_SUBREAPER, 1, 0, 0, 0), "prctl")


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent ends."""
    _check_result(_library().prctl(_DEATH_SIGNAL, 9, 0, 0, 0), "prctl")


def refuse_inspection() -> None:
    """Let no other process of this user read or change this one."""
    _check_result(_library().prctl(_DUMPABLE, 0, 0, 0, 0), "prctl")


def give_up_privileges() -> None:
    """Let no program that is started from here undo its confinement."""
    library = _library()
    _check_result(library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")
    if os.geteuid() == 0:
        for capability in range(_LAST_CAPABILITY + 1):
            if capability not in _REMAINING_CAPABILITIES:
                library.prctl(_DROP, capability, 0, 0, 0)


def forbid_changes_outside(folder: Path) -> None:
    """Landlock: change no file, FIFO or device outside the folder; signal no foreign process.

    Raises ``OSError`` where the kernel has no Landlock.
    """
    library = _library()
    version = _check_result(library.syscall(_LANDLOCK_CREATE, None, 0, 1), "landlock")
    changes = _CHANGES | sum(right for since, right in _LATER_RIGHTS.items() if version >= since)
    scoped = _ABSTRACT_SOCKETS_AND_SIGNALS if version >= _SCOPES_SINCE else 0
    rules = _Ruleset(changes, 0, scoped)
    # Older kernels refuse a record with more than the fields that they know.
    size = ctypes.sizeof(rules) if scoped else ctypes.sizeof(ctypes.c_uint64)
    created = library.syscall(_LANDLOCK_CREATE, ctypes.byref(rules), size, 0)
    ruleset = _check_result(created, "landlock_create_ruleset")
    _allow_beneath(ruleset, folder, changes)
    for name in _DEVICES:
        _allow_beneath(ruleset, Path("/dev", name), _WRITE_FILE)
    _check_result(library.syscall(_LANDLOCK_RESTRICT, ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)


def _allow_beneath(ruleset: int, path: Path, rights: int) -> None:
    place = os.open(path, os.O_PATH)
    rule = _PathBeneath(rights, place)
    result = _library().syscall(_LANDLOCK_ADD, ruleset, 1, ctypes.byref(rule), 0)
    _check_result(result, "landlock_add_rule")
    os.close(place)


_SOCKET: Final[Mapping[str, int]] = {"x86_64": 41, "aarch64": 198}
_KEYS: Final[Mapping[str, tuple[int, ...]]] = {
    "x86_64": (248, 249, 250),
    "aarch64": (217, 218, 219),
}
"""The calls of the kernel's keyrings, which belong to a user and not to a namespace."""
_ARCHITECTURE: Final[Mapping[str, int]] = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_IO_RINGS: Final = 425
"""``io_uring_setup``: a ring opens sockets without a call of its own."""
_FIRST_X32: Final = 0x4000_0000
_FAMILIES: Final = (socket.AF_INET, socket.AF_INET6, 16)
"""Families of sockets that a network namespace confines: IPv4, IPv6, netlink."""
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF_0000, 0x0005_0000
_NOT_PERMITTED, _NO_SUCH_CALL, _NO_FAMILY = 1, 38, 97
"""Results of ``seccomp``'s filters and the numbers of errors in them."""


def forbid_other_sockets() -> None:
    """seccomp: open no socket of a family that no network namespace confines, as Unix sockets.

    Raises ``OSError`` on an architecture with unknown calls.
    """
    machine = platform.machine()
    if machine not in _ARCHITECTURE:
        raise OSError(0, f"no filter of system calls for {machine}")
    program = b"".join(_instructions(machine))
    filtering = _Filter(len(program) // 8, program)
    result = _library().prctl(_SECCOMP, _FILTER, ctypes.byref(filtering), 0, 0)
    _check_result(result, "seccomp")


def _instructions(machine: str) -> list[bytes]:
    """The filter's program: each test goes on with the next line, or over the one after it."""

    def line(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
        return struct.pack("<HBBI", code, if_so, if_not, value)

    lines = [
        line(_LOAD, 4),  # the architecture, since each has numbers of its own
        line(_EQUAL, _ARCHITECTURE[machine], 1),
        line(_RETURN, _REFUSE | _NOT_PERMITTED),
        line(_LOAD, 0),  # the number of the call
        line(_AT_LEAST, _FIRST_X32, 0, 1),
        line(_RETURN, _REFUSE | _NO_SUCH_CALL),
    ]
    for call in (_IO_RINGS, *_KEYS[machine]):
        lines += [line(_EQUAL, call, 0, 1), line(_RETURN, _REFUSE | _NO_SUCH_CALL)]
    lines += [
        line(_EQUAL, _SOCKET[machine], 1),
        line(_RETURN, _ALLOW),
        line(_LOAD, 16),  # the lower half of the first argument: the family
    ]
    for family in _FAMILIES:
        lines += [line(_EQUAL, family, 0, 1), line(_RETURN, _ALLOW)]
    return [*lines, line(_RETURN, _REFUSE | _NO_FAMILY)]


def available_memory() -> int:
    """Bytes that processes may still allocate, as Linux estimates; 0: unknown."""
    with suppress(OSError):
        for row in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if row.startswith("MemAvailable:"):
                return int(row.split()[1]) * 1024
    return 0
