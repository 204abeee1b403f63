"""Makes the archives of classes with which later JVMs start: once for each Java and release.

No foreign program runs in the JVM that leaves an archive: it captures a sample in the sandbox, with
the release's own jars. In a CI system, where a cache serves one run, none is made.
"""

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from py4j.protocol import Py4JError

from explorer.capture.failures import CaptureError
from explorer.capture.installation import Installation
from explorer.capture.jar.jars import JavaProgram, run_program
from explorer.capture.jvm.start_files import (
    LEFT,
    StartFiles,
    archive_folder,
    archive_name,
    find_archive,
    lay_out,
    start_class_path,
)
from explorer.capture.recording.recording_session import Session, session
from explorer.capture.sql.scripts import run_script
from explorer.locations import sample_folder
from explorer.sandbox.folders import own_folder
from explorer.sandbox.launching import SandboxRequest

_SCRIPTS: Final = ("airport-report.sql", "hourly-delays.sql")
"""Samples that use much of the planner."""
_JAR: Final = "upgrade/orders-1.jar"
"""A sample that uses much of the DataStream API."""
_SECONDS: Final = 300.0
"""Limit for the captures and for writing the archive, on a busy machine."""
_ROOM: Final = 256 << 20
"""Free bytes of the cache's disk without which none is tried: twice what the largest takes."""
_MAGIC: Final = 4
"""Bytes with which an archive's header begins; Java writes it last, over zeros."""
_READ_ONLY: Final = 0o444
"""Mode of the file: Java maps it, and nothing may change it."""


def prepare(flink: Installation, *, bare_planner: bool) -> None:
    """Make the archive of a release in the user's cache, unless one was made or tried before.

    Nothing is reported where it fails: programs start without it.
    """
    folder = archive_folder(flink)
    if folder is None or os.environ.get("CI"):
        return
    if find_archive(folder, bare_planner=bare_planner) is not None:
        return
    with suppress(OSError):  # of a cache that cannot be written, or a disk that fills up
        if shutil.disk_usage(flink.folder.parent).free < _ROOM:
            return
        lay_out(flink, folder)
        _leave_archive(flink, folder, bare_planner=bare_planner)


def _leave_archive(flink: Installation, folder: Path, *, bare_planner: bool) -> None:
    """Write the archive, or an empty file where Java, before 13, leaves none.

    What a killed process has left of one is removed, and hinders none.
    """
    prefix = f"{archive_name(0, bare_planner=bare_planner)}.part-"
    with own_folder(prefix, folder) as own:
        if any(part != own for part in folder.resolve().glob(f"{prefix}*")):
            return  # another process is at it
        if sys.stderr.isatty():
            sys.stderr.write(f"Preparing Flink {flink.version} for later starts, once ...\n")
        part = own / LEFT
        part.touch()
        class_path = start_class_path(flink, folder, bare_planner=bare_planner)
        start = StartFiles(class_path=class_path, leaves_archive=True)
        _fill_archive(part, flink, start, scripts=bare_planner)
        part.chmod(_READ_ONLY)
        part.rename(folder / archive_name(part.stat().st_size, bare_planner=bare_planner))


def _fill_archive(part: Path, flink: Installation, start: StartFiles, *, scripts: bool) -> None:
    """Copy the archive that a JVM leaves after samples; nothing where it leaves none."""
    sandbox = SandboxRequest(in_memory=False, readable=(sample_folder(),))
    with (
        suppress(CaptureError),
        session(flink, {}, start=start, timeout=_SECONDS, sandbox=sandbox) as running,
    ):
        _run_samples(running, scripts=scripts)
        running.machine.exit()
        left = running.machine.folder / LEFT
        if _is_complete(left):
            shutil.copyfile(left, part)


def _run_samples(running: Session, *, scripts: bool) -> None:
    samples = sample_folder()
    with suppress(CaptureError, Py4JError):  # a release may lack what a sample uses
        if not scripts:
            run_program(running, JavaProgram(jar=samples / _JAR))
    for name in _SCRIPTS if scripts else ():
        with suppress(CaptureError, Py4JError):
            run_script(running, (samples / "programs" / name).read_text(encoding="utf-8"))


def _is_complete(archive: Path) -> bool:
    """Whether Java has written an archive, to its end."""
    with suppress(OSError), archive.open("rb") as file:
        return any(file.read(_MAGIC))
    return False
