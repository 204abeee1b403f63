"""Commits the files of sinks when a run has finished; otherwise removes them.

Mirrors the committer of a ``FileSink``. Every attempt at a subtask writes its own part into a
hidden folder next to the target folder. The reports that reach the driver name the attempts that
count, and only their parts become the target folder.
"""

import atexit
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from explorer.engine.counters import SubtaskReport
from explorer.engine.planning.outputs import MANIFEST, SinkFolder, file_stamps, refuse_foreign
from explorer.engine.report.gathering import reports_in
from explorer.engine.rows.errors import SinkError
from explorer.engine.rows.sinks.part_files import part_name
from explorer.engine.rows.storage import FilePath, move, remove_folder
from explorer.engine.spark.workspace import is_alive

_STAGED: Final[set[FilePath]] = set()
"""Folders with the parts of running trials."""


@contextmanager
def staged(outputs: Sequence[SinkFolder]) -> Iterator[None]:
    """Make the folders for parts in progress, and remove them at the end."""
    paths: list[FilePath] = []
    try:
        for output in outputs:
            _sweep(output)
            missing = [parent for parent in output.target.parents if not parent.exists()]
            with _refused_writes(output):
                output.staging.parent.mkdir(parents=True, exist_ok=True)
                output.staging.mkdir()
            _STAGED.add(output.staging)
            paths += reversed(missing)
        yield
    finally:
        for output in outputs:
            _remove(output.staging)
        for folder in reversed(paths):
            # A folder that is not empty stays.
            with suppress(OSError):
                folder.rmdir()


def _remove(staging: FilePath) -> None:
    """Remove a folder to which workers may still write."""
    aside = staging.with_name(f"{staging.name}.ended")
    with suppress(OSError):
        move(staging, aside)
    remove_folder(aside)
    remove_folder(staging)
    _STAGED.discard(staging)


@atexit.register
def _remove_with_this_process() -> None:
    for staging in tuple(_STAGED):
        _remove(staging)


def _sweep(output: SinkFolder) -> None:
    """Remove the files of killed local runs."""
    prefix = f".{output.target.name}.inprogress."
    if not output.target.parent.is_dir():
        return
    for left in output.target.parent.iterdir():
        owner = left.name.removeprefix(prefix).partition("-")[0]
        if left.name.startswith(prefix) and owner.isdigit() and not is_alive(int(owner)):
            remove_folder(left)


def commit(outputs: Sequence[SinkFolder], frames: Iterable[bytes]) -> None:
    """Move the parts that the reports in these frames name to the folders; raises ``SinkError``.

    All folders are completed before the first is moved to its place.
    """
    reports = [*reports_in(frames)] if outputs else []
    ready: list[FilePath] = []
    try:
        for output in outputs:
            refuse_foreign(output)
            ready.append(_complete_folder(output, reports))
        for output, whole in zip(outputs, ready, strict=True):
            _replace_folder(output, whole)
    finally:
        for whole in ready:
            remove_folder(whole)


def _complete_folder(output: SinkFolder, reports: Sequence[SubtaskReport]) -> FilePath:
    """Make a folder with exactly the parts that count, under their final names."""
    whole = output.staging.with_name(f"{output.staging.name}.whole")
    with _refused_writes(output):
        whole.mkdir()
        for report in reports:
            part = report.parts.get(output.node)
            if part is not None and not part.too_large:
                name = part_name(report.subtask, output.format)
                move(output.staging / part.file, whole / name)
        (whole / MANIFEST).write_text(json.dumps({"files": file_stamps(whole)}))
    return whole


def _replace_folder(output: SinkFolder, whole: FilePath) -> None:
    """Replace the folder of an earlier trial by the new folder."""
    old = output.staging / "replaced"
    with _refused_writes(output):
        if output.target.exists():
            move(output.target, old)
        try:
            move(whole, output.target)
        except OSError:
            if old.exists():
                move(old, output.target)
            raise


@contextmanager
def _refused_writes(output: SinkFolder) -> Iterator[None]:
    """Turn an ``OSError`` into a ``SinkError`` that names the folder."""
    try:
        yield
    except OSError as error:
        msg = f"{output.who} cannot be written: {(error.strerror or str(error)).lower()}"
        raise SinkError(msg) from None
