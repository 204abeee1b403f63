"""The golden cases: savepoints, the programs that are started from them, and what clusters did."""

import json
import tarfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from explorer.rehearsal import Rehearsal, rehearse
from tests.archives import unpack
from tests.capture.flinks import lib
from tests.golden_files import GOLDEN
from tests.patience import PATIENCE


def unpacked(folder: Path) -> Path:
    """The folder of the cases, made below ``folder``."""
    unpack(GOLDEN / "rehearsals.tar.xz", folder)
    return folder / "rehearsals"


@cache
def outcomes() -> dict[str, dict[str, Any]]:
    """By name, what a real cluster of that release did."""
    with tarfile.open(GOLDEN / "rehearsals.tar.xz") as archive:
        file = archive.extractfile("rehearsals/cases.json")
        assert file is not None
        return {case["name"]: case for case in json.load(file)}


def rehearsed(
    folder: Path, name: str, configuration: Mapping[str, str] | None = None, **options: Any
) -> Rehearsal:
    """The rehearsal of a case, with the cluster's state backend and further options of Flink."""
    _, version, backend, _ = name.rsplit("-", 3)
    return rehearse(
        folder / name / "savepoint",
        folder / name / "new.jar",
        flink_lib=lib(version),
        configuration={"state.backend.type": backend, **(configuration or {})},
        **{"timeout": PATIENCE, **options},
    )
