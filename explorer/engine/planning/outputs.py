"""Plans the folders that the sinks of a run write, and checks them before they are replaced."""

import json
import os
import uuid
from collections.abc import Iterable
from typing import Final

import msgspec

from explorer.engine import plan
from explorer.engine.operators.collect import Collect, PartFiles
from explorer.engine.rows.errors import SinkError
from explorer.engine.rows.sources.confinement import URLS_REFUSED
from explorer.engine.rows.storage import FilePath, StoredPath, file_path, is_within, url_path
from explorer.engine.steps.planned import Outcome
from explorer.engine.steps.step import RowTypes
from explorer.model.pipeline import Pipeline, TableFormat, Write
from explorer.wording import quoted

MANIFEST: Final = "_trial.json"
"""A file in each written folder, with the names, sizes and write times of the other files."""


class SinkFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder that a sink writes."""

    sink: str
    node: int
    name: str
    """The folder's name in the document."""
    target: FilePath
    staging: FilePath
    """Folder of parts in progress: next to the target, under a unique name."""
    format: TableFormat

    @property
    def who(self) -> str:
        """The subject of a message about the folder."""
        return f"sink {quoted(self.sink)}: the folder {quoted(self.name)}"


def planned_output(
    sink: str, node: int, write: Write, folder: FilePath, row_types: RowTypes, *, urls: bool = False
) -> SinkFolder:
    """Plan a sink's folder; raises ``SinkError`` for a refused folder, or rows that do not fit.

    ``urls``: whether the document may name a URL.
    """
    if len(row_types) > 1:
        shown = "; and ".join(map(str, row_types))
        msg = f"sink {quoted(sink)}: a file has rows of one type, and these come: {shown}"
        raise SinkError(msg)
    url = url_path(write.path)
    if url is not None and not urls:
        msg = f"sink {quoted(sink)} writes {quoted(write.path)}: {URLS_REFUSED}"
        raise SinkError(msg)
    try:
        root = folder.resolve()
        target = (url or root / write.path).resolve()
        target.exists()
    except OSError as error:
        why = (error.strerror or "it cannot be written").lower()
        msg = f"sink {quoted(sink)}: the folder {quoted(write.path)} cannot be written: {why}"
        raise SinkError(msg) from None
    sink_folder = SinkFolder(
        sink=sink,
        node=node,
        name=write.path,
        target=target,
        staging=target.parent / f".{target.name}.inprogress.{os.getpid()}-{uuid.uuid4()}",
        format=write.format or "csv",
    )
    if url is None and (not is_within(target, root) or target == root):
        msg = f"{sink_folder.who} is outside the output folder; a link leads there"
        raise SinkError(msg)
    refuse_foreign(sink_folder)
    return sink_folder


def unwritten_warnings(pipeline: Pipeline | None) -> tuple[str, ...]:
    """Warn of the sinks that write no files, since no output folder is given."""
    every = () if pipeline is None else pipeline.transformations
    why = "writes no files here: no output folder is given"
    return tuple(
        f"sink {quoted(transformation.id)} {why}"
        for transformation in every
        if transformation.write
    )


def refuse_own_inputs(outputs: Iterable[SinkFolder], sources: Iterable[plan.Source]) -> None:
    """Raise ``SinkError`` for a folder from which a source of the same trial reads."""
    read = [file for source in sources for file in source.files]
    for output in outputs:
        for file in read:
            read_from = file_path(file.path)
            if is_within(read_from, output.target) or is_within(output.target, read_from):
                place = f"is where a source reads {quoted(file.name)}"
                msg = f"{output.who} {place}; write to another folder"
                raise SinkError(msg)


def with_part_files(work: Outcome, output: SinkFolder, maximum: int | None) -> Outcome:
    """Let a sink also write part files; ``maximum``: bytes for each subtask."""
    to = PartFiles(folder=str(output.staging), name=output.name, format=output.format, most=maximum)
    steps = tuple(
        (number, row_type, msgspec.structs.replace(step, write=to))
        for number, row_type, step in work.steps
        if isinstance(step, Collect)
    )
    return msgspec.structs.replace(work, steps=steps)


def refuse_foreign(output: SinkFolder) -> None:
    """Raise ``SinkError`` for a folder that no trial wrote, or that changed since."""
    target = output.target
    if not target.exists() or (target.is_dir() and _is_ours(target)):
        return
    what = "holds something that no trial wrote" if target.is_dir() else "is a file"
    msg = (
        f"{output.who} {what}, and a trial replaces only what one wrote; move it away, or write to "
        "another folder"
    )
    raise SinkError(msg)


def _is_ours(folder: FilePath) -> bool:
    """Whether a folder is empty, or unchanged since a trial wrote it."""
    try:
        if not any(folder.iterdir()):
            return True
        value = json.loads((folder / MANIFEST).read_bytes())
        return isinstance(value, dict) and value.get("files") == file_stamps(folder)
    except (OSError, ValueError):
        return False


def file_stamps(folder: FilePath) -> dict[str, list[int]]:
    """Map each file's name to its size, and to its write time in nanoseconds.

    In a shared storage the time is 0, since the storage changes it when a file is moved.
    """
    stored = isinstance(folder, StoredPath)
    pairs = ((path.name, path.stat()) for path in folder.iterdir() if path.name != MANIFEST)
    return {name: [stat.st_size, 0 if stored else stat.st_mtime_ns] for name, stat in sorted(pairs)}
