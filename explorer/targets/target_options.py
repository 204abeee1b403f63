"""Options for the conversion of a FILE to a document: paths of jars, configuration."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from explorer.documents.readers.compiled_plans import release_of_plan
from explorer.errors import DocumentError
from explorer.flink import releases
from explorer.locations import local_path
from explorer.model.frozen import FrozenRecord

REVISION: Final = "git:"
"""The prefix of a file at a git revision."""
_PROGRAMS: Final = (".jar", ".sql", ".py")
"""Endings of the programs that can be captured."""
DOCUMENT_ENDINGS: Final = (".json", ".yaml", ".yml")
"""Endings of documents and Kubernetes resources."""


class TargetOptions(FrozenRecord, frozen=True, kw_only=True):
    """How a program or a Kubernetes resource is captured."""

    artifacts: Mapping[str, str] = {}
    """Map the URI of a file that a resource names to the file's local path."""
    artifacts_folder: str | None = None
    """A folder in which such files are found by their names."""
    job: str | None = None
    """The job to select of several."""
    release: str | None = None
    """The release to use; None: the program's or the resource's own."""
    otherwise: str | None = None
    """The release for a program that names none."""
    otherwise_of: str | None = None
    """The side with that release, ``OLD`` or ``NEW``; None: the caller names the release."""
    flink_lib: str | None = None
    python: str | None = None
    """The interpreter that has apache-flink."""
    args: tuple[str, ...] = ()
    main_class: str | None = None
    classpath: tuple[str, ...] = ()
    parallelism: int | None = None
    conf_folder: str | None = None
    """A Flink configuration folder, with options that hold where nothing else sets them."""
    configuration: Mapping[str, str] = {}
    """Options that win over all others."""
    with_network: bool = False
    """Whether the program reaches the network."""
    without_sandbox: bool = False
    """Whether the program runs as any other process."""
    allow_read: tuple[str, ...] = ()
    """Further files and folders that the program reads."""
    new: str | None = None
    """For an old side: the path of the new one, which ``git:REVISION`` reads."""
    shown: str | None = None
    """The program's name in messages, in place of its path."""

    def with_configuration(self, more: Mapping[str, str]) -> "TargetOptions":
        """These options with further options of Flink, which win."""
        return msgspec.structs.replace(self, configuration={**self.configuration, **more})

    def base(self, release: str | None = None) -> dict[str, str]:
        """The options of the configuration folder, as that release reads them."""
        if self.conf_folder is None:
            return {}
        from explorer.documents.conf_folder import read_conf_folder

        version = self.release or release or self.otherwise or releases.LATEST
        return read_conf_folder(self.conf_folder, releases.release(version))


DEFAULTS: Final = TargetOptions()


def is_program(path: str, main_class: str | None = None) -> bool:
    """Whether a FILE names a program, a compiled plan or a cluster's job, not a document.

    ``main_class``: with one, a folder or several paths are a class path.
    """
    path = local_path(path)
    suffix = Path(path).suffix.lower()
    if suffix == ".json":
        return release_of_plan(path) is not None
    if "://" in path or suffix in _PROGRAMS:
        return True
    is_savepoint = Path(path, "_metadata").exists()
    is_class_path = os.pathsep in path or (Path(path).is_dir() and not is_savepoint)
    return main_class is not None and is_class_path


def is_revision(target: str) -> bool:
    """Whether a target is ``git:REVISION`` or ``git:REVISION:PATH``."""
    return target.startswith(REVISION)


def stdin_bytes(maximum: int) -> bytes:
    """Standard input, to one byte beyond ``maximum``.

    Raises ``DocumentError`` where it is empty, as behind a pipe from a command that failed.
    """
    content = b"" if sys.stdin is None else sys.stdin.buffer.read(maximum + 1)
    if not content.strip():
        raise DocumentError(path="", problem="standard input is empty: nothing was printed into it")
    return content


def existing_file(path: str) -> bool:
    """Whether a file is there; False for a path that no file can have."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False
