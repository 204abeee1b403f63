"""The samples: what there is to open, each with its title and what it teaches."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from explorer.documents.loading import load_document
from explorer.locations import sample_folder

_ENDINGS: Final = (".json", ".yaml")
"""Captured programs are JSON, what a person wrote is YAML."""


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
    paths = (path for path in sample_folder().iterdir() if path.suffix in _ENDINGS)
    return tuple(_sample(path) for path in sorted(paths))


def sample_data() -> Path:
    """The folder that the samples' ``rows.path`` are seen from."""
    return sample_folder() / "data"


def _sample(path: Path) -> Sample:
    document = load_document(path)
    pipeline = document.pipeline
    return Sample(
        key=path.stem,
        title=document.heading,
        teaches=document.teaches or "",
        path=path,
        runs=pipeline is not None and any(one.rows for one in pipeline.transformations),
    )
