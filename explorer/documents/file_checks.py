"""Whether a file that a document names can be one: those that sources read, and sinks' folders."""

from pathlib import PurePosixPath, PureWindowsPath
from typing import Final, get_args

from explorer.documents.faults import Fault, Program
from explorer.documents.limits import MAX_TEXT
from explorer.model.pipeline import Rows, TableFormat, Transformation, Write
from explorer.wording import listed, quoted

_ENDINGS: Final = {
    ".txt": "text",
    ".md": "text",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
_WRITTEN: Final = get_args(TableFormat)
"""The formats that a sink writes."""


def file_fault(rows: Rows) -> Fault | None:
    """What is wrong with the file that a source reads."""
    if rows.path is None:
        return None
    fault = _path_fault("rows.path", rows.path, "the data folder", "a file")
    if fault is not None or rows.format is not None:
        return fault
    return Fault("rows.format", _missing(("text", *_WRITTEN), rows.path))


def check_write(write: Write, transformation: Transformation, program: Program) -> Fault | None:
    """Ask every question about the folder that a sink writes, in order."""
    fault = _path_fault("write.path", write.path, "the output folder", "a folder")
    own = PurePosixPath(write.path)
    return fault or _format_fault(write) or _taken(own, transformation.id, program)


def _path_fault(place: str, path: str, folder: str, what: str) -> Fault | None:
    if not path.strip() or len(path) > MAX_TEXT:
        return Fault(place, f"must name {what}, in at most {MAX_TEXT:,} characters")
    if leaves_folder(path):
        problem = f"must stay inside {folder}, but is {quoted(path)}; name {what} in it"
        return Fault(place, problem)
    return None


def leaves_folder(path: str) -> bool:
    r"""Whether a relative path could leave its folder, on any system.

    >>> leaves_folder("a/../../b"), leaves_folder("C:\\b"), leaves_folder("a/b.csv")
    (True, True, False)
    """
    windows, posix = PureWindowsPath(path), PurePosixPath(path)
    rooted = posix.is_absolute() or bool(windows.drive or windows.root)
    return rooted or ".." in windows.parts or "\0" in path or "://" in path


def _told(path: str) -> str | None:
    """The format that a path's ending stands for."""
    return _ENDINGS.get(PurePosixPath(path).suffix.lower())


def _missing(formats: tuple[str, ...], path: str) -> str:
    guess = _told(path)
    hint = f"; this looks like {guess}" if guess in formats else ""
    return f"is missing: {listed(formats, 'or')}{hint}"


def _format_fault(write: Write) -> Fault | None:
    """A path that names a folder, and a format that its ending does not deny."""
    if not PurePosixPath(write.path).parts:
        return Fault("write.path", f"must name a folder of its own, but is {quoted(write.path)}")
    if write.format is None:
        return Fault("write.format", _missing(_WRITTEN, write.path))
    told = _told(write.path)
    if told in {None, write.format}:
        return None
    ending = PurePosixPath(write.path).suffix
    problem = f"ends in {quoted(ending)}, which stands for {told}, but the format is {write.format}"
    return Fault("write.path", f"{problem}; change one of them")


def _taken(own: PurePosixPath, id: str, program: Program) -> Fault | None:
    """No two sinks write the same folder, or one within the other's."""
    places = {
        "is also": [program.writers.get(own)],
        "lies within": [program.writers.get(around) for around in own.parents],
        "holds": [program.around_writers.get(own)],
    }
    for how, others in places.items():
        for other in others:
            if other not in {None, id}:
                problem = f"{how} the folder of {quoted(other)}; give each sink a folder of its own"
                return Fault("write.path", problem)
    return None
