"""Archives of test data, unpacked."""

import tarfile
from pathlib import Path


def unpack(path: Path, folder: Path) -> None:
    """Extract the files of an archive below ``folder``.

    Python 3.11 has filters since 3.11.4, and Debian 12 has 3.11.2.
    """
    with tarfile.open(path) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)  # noqa: S202 - archives of our own
