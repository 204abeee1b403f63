"""The sample pipelines: what there is to open, each with its title and what it teaches."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from explorer.documents.loading import read_file, read_values
from explorer.documents.pipelines import to_pipeline
from explorer.locations import sample_folder


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A sample as a list shows it; ``path`` is its document, beside it lies ``data``."""

    key: str
    """The file's name without its ending: stable, fit for a link."""
    title: str
    teaches: str
    path: Path
    runs: bool
    """Whether its sources read real rows."""


@cache
def samples() -> Sequence[Sample]:
    """All samples, simplest first."""
    return tuple(_sample(path) for path in sorted(sample_folder().glob("*.yaml")))


def sample_data() -> Path:
    """The folder that the samples' ``rows.path`` are seen from."""
    return sample_folder() / "data"


def _sample(path: Path) -> Sample:
    pipeline = to_pipeline(read_values(read_file(path), path.name))
    return Sample(
        key=path.stem,
        title=pipeline.heading,
        teaches=pipeline.teaches or "",
        path=path,
        runs=any(one.rows is not None for one in pipeline.transformations),
    )
