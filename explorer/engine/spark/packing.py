"""Packs the Python libraries that workers need into an archive for ``spark.archives``."""

import platform
import sys
import tarfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

from explorer.engine.spark.workers import NEEDED
from explorer.errors import TrialError

FOLDER: Final = "libraries"
"""The folder that executors unpack the archive into."""
ENDINGS: Final = (".tar.gz", ".tgz")
_LEFT_OUT: Final = frozenset({"tests", "include", "__pycache__"})
"""Folders of a library that no worker needs."""
_FLIGHT: Final = ("_flight", "libarrow_flight", "libarrow_python_flight")
"""How the files of Arrow's network protocol begin, a fifth of its library; no worker uses it."""


def pack_environment(archive: Path) -> dict[str, str]:
    """Write the archive; return the Spark settings with which executors use it.

    The archive fits workers of this machine's platform and Python version. Raises ``TrialError``
    where it cannot be written, or its name has no ending that Spark unpacks.
    """
    if not archive.name.endswith(ENDINGS):
        msg = f"{str(archive)!r} must end in {' or '.join(ENDINGS)}, which Spark unpacks"
        raise TrialError(msg)
    try:
        with tarfile.open(archive, "w:gz", compresslevel=1) as packed:
            for file, name in _files():
                packed.add(file, name, recursive=False)
    except OSError as error:
        msg = f"{str(archive)!r} cannot be written: {(error.strerror or str(error)).lower()}"
        raise TrialError(msg) from None
    return {
        "spark.archives": f"{archive.resolve()}#{FOLDER}",
        "spark.executorEnv.PYTHONPATH": FOLDER,
    }


def _files() -> Iterator[tuple[Path, str]]:
    for library in NEEDED:
        for package_path in metadata.files(library) or ():
            path = Path(str(package_path.locate()))
            if (
                ".." not in package_path.parts
                and not _LEFT_OUT.intersection(package_path.parts)
                and not path.name.startswith(_FLIGHT)
                and path.is_file()
            ):
                yield path, str(package_path)


def supported_workers() -> str:
    """Describe the workers that can use the archive."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"{platform.system()} on {platform.machine()} with Python {version}"
