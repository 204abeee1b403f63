"""Commits the files of sinks when a run has finished; otherwise removes them.

Mirrors the committer of a ``FileSink``. Every attempt at a subtask writes a part of its own into a
hidden folder next to the target folder; the reports that reach the driver say which attempts
count, and those parts alone become the folder.
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
"""Folders in which parts of running trials lie."""


@contextmanager
def staged(outputs: Sequence[SinkFolder]) -> Iterator[None]:
    """Make the folders for parts in progress; at the end nothing is left of them."""
    made: list[FilePath] = []
    try:
        for output in outputs:
            _sweep(output)
            made += _make_folders(output)
        yield
    finally:
        for output in outputs:
            _remove(output.staging)
        for folder in reversed(made):
            # One that has got its folder, or a stranger's file, stays.
            with suppress(OSError):
                folder.rmdir()


def _make_folders(output: SinkFolder) -> list[FilePath]:
    """Make the folder for parts, and those above it that are missing; give the latter."""
    above = [one for one in output.target.parents if not one.exists()]
    with _text(output):
        output.staging.parent.mkdir(parents=True, exist_ok=True)
        output.staging.mkdir()
    _STAGED.add(output.staging)
    return above[::-1]


def _remove(staging: FilePath) -> None:
    """Remove a folder, which workers may still write to after the end."""
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
    """Remove the files of local runs that were killed."""
    prefix = f".{output.target.name}.inprogress."
    if not output.target.parent.is_dir():
        return
    for left in output.target.parent.iterdir():
        owner = left.name.removeprefix(prefix).partition("-")[0]
        if left.name.startswith(prefix) and owner.isdigit() and not is_alive(int(owner)):
            remove_folder(left)


def commit(outputs: Sequence[SinkFolder], frames: Iterable[bytes]) -> None:
    """Let the parts that reports in these frames name become the folders; raises ``SinkError``.

    First all folders are made whole, then each is moved to its place.
    """
    reports = [*reports_in(frames)] if outputs else []
    ready: list[FilePath] = []
    try:
        for output in outputs:
            refuse_foreign(output)
            ready.append(_made_whole(output, reports))
        for output, whole in zip(outputs, ready, strict=True):
            _put(output, whole)
    finally:
        for whole in ready:
            remove_folder(whole)


def _made_whole(output: SinkFolder, reports: Sequence[SubtaskReport]) -> FilePath:
    """A folder that holds the parts that count, under their final names, and no others."""
    whole = output.staging.with_name(f"{output.staging.name}.whole")
    with _text(output):
        whole.mkdir()
        for report in reports:
            part = report.parts.get(output.node)
            if part is not None and not part.too_large:
                name = part_name(report.subtask, output.format)
                move(output.staging / part.file, whole / name)
        (whole / MANIFEST).write_text(json.dumps({"files": file_stamps(whole)}))
    return whole


def _put(output: SinkFolder, whole: FilePath) -> None:
    """Put the new folder in the place of the one that an earlier trial wrote."""
    old = output.staging / "replaced"
    with _text(output):
        if output.target.exists():
            move(output.target, old)
        try:
            move(whole, output.target)
        except OSError:
            if old.exists():
                move(old, output.target)
            raise


@contextmanager
def _text(output: SinkFolder) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        msg = f"{output.who} cannot be written: {(error.strerror or str(error)).lower()}"
        raise SinkError(msg) from None
