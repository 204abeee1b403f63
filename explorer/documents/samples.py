"""The bundled samples, each with its title and what it teaches."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from explorer.documents.lesson_files import is_lesson_file, lesson_file_of, parse_lesson
from explorer.documents.loading import load_document, read_file
from explorer.documents.rehearsals import ENDING
from explorer.errors import UsageError, did_you_mean
from explorer.locations import sample_folder
from explorer.model.lesson import GROUPS, Lesson
from explorer.wording import quoted

_ENDINGS: Final = (".json", ".yaml")
"""Captured programs are JSON, written documents are YAML."""
_SAMPLE: Final = re.compile(r"\d\d-[a-z0-9-]+(?:\.json|\.yaml)?")
"""Names of samples, with or without their endings."""
_NAME: Final = re.compile(r"\w[\w-]*(?:\.json|\.yaml)?")
"""Names that may be meant so: no path, no address, no revision's file."""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A sample as a list shows it; ``path`` is its document, next to the folder ``data``."""

    key: str
    """The file's name without its ending: stable, fit for a link."""
    title: str
    teaches: str
    path: Path
    runs: bool
    """Whether its sources read real rows."""
    lesson: Lesson | None
    """The sample's lesson."""

    @property
    def numbered_title(self) -> str:
        """The title behind the file's number, by which the guides and links name the sample."""
        return f"{self.key.partition('-')[0]} {self.title}"


def sample_or_path(name: str) -> str:
    """The path of the sample of that name, where no such file exists; else the name as it is.

    Raises ``UsageError`` for a name like those of samples that none has.
    """
    if not _NAME.fullmatch(name) or Path(name).exists():
        return name
    paths = [sample_folder() / name, *(sample_folder() / f"{name}{end}" for end in _ENDINGS)]
    path = next(filter(Path.is_file, paths), None)
    if path is None:
        known = (path.stem for path in sample_folder().iterdir() if path.suffix in _ENDINGS)
        nearest = did_you_mean(name, known)
        if not nearest and not _SAMPLE.fullmatch(name):
            return name
        msg = f"there is no file and no sample {quoted(name)}{nearest}"
        raise UsageError(msg)
    return str(path)


@cache
def samples() -> Sequence[Sample]:
    """All samples, simplest first."""
    paths = (path for path in sample_folder().iterdir() if path.suffix in _ENDINGS)
    return tuple(
        _sample(path)
        for path in sorted(paths)
        if not (is_lesson_file(path) or path.name.endswith(ENDING))
    )


def course() -> Sequence[Sample]:
    """The samples with a lesson, group by group, simplest first."""
    taught = [(sample.lesson, sample) for sample in samples()]
    return tuple(
        sample for group in GROUPS for lesson, sample in taught if lesson and lesson.group == group
    )


@cache
def sample_titles() -> Mapping[str, str]:
    """Map each key to its list entry; the course comes first, with the lesson's group."""
    taught = {
        item.key: f"{item.numbered_title} · {item.lesson.group}" for item in course() if item.lesson
    }
    return taught | {
        sample.key: sample.numbered_title for sample in samples() if sample.key not in taught
    }


def sample_data() -> Path:
    """The folder that the samples' ``rows.path`` are relative to."""
    return sample_folder() / "data"


def _sample(path: Path) -> Sample:
    document = load_document(path)
    pipeline = document.pipeline
    file = lesson_file_of(path)
    return Sample(
        key=path.stem,
        title=document.heading,
        teaches=document.teaches or "",
        path=path,
        runs=pipeline is not None
        and any(transformation.rows for transformation in pipeline.transformations),
        lesson=None if file is None else parse_lesson(read_file(file), name=file.name),
    )
