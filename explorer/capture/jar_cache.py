"""The user's cache of Flink jars: which releases are there, and how one is brought from PyPI.

PyPI has every release's jars in a source archive: apache-flink-libraries, before 1.13
apache-flink. Nothing of the archive is run; its jars are copied, after its SHA-256 is verified.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import urljoin

import msgspec

from explorer import locations
from explorer.capture.failures import CaptureError
from explorer.flink import releases
from explorer.sandbox.folders import own_folder
from explorer.wording import listed

INDEX: Final = "https://pypi.org/simple"
"""The package index, unless PIP_INDEX_URL names another."""
Report = Callable[[int, int], None]
"""Called with the bytes so far and the bytes in all."""

_JSON: Final = "application/vnd.pypi.simple.v1+json"
_ARCHIVE: Final = re.compile(r"apache[-_]flink(?:[-_]libraries)?-(\d+\.\d+\.\d+)\.tar\.gz")
_VERSION: Final = re.compile(r"\d+\.\d+(\.\d+)?")
_BLOCK: Final = 1 << 20
_INDEX_BYTES: Final = 16 << 20
_ARCHIVE_BYTES: Final = 1 << 30
_SECONDS: Final = 60.0
"""Without an answer, after which the index or its files count as out of reach."""


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """A source archive of the index that holds a release's jars."""

    version: str
    """With its patch level."""
    url: str
    sha256: str


def cache_folder() -> Path:
    """The folder with a subfolder for each version of Flink: its ``lib`` and its ``opt``."""
    return locations.cache_folder() / "flink"


def cached_versions() -> tuple[str, ...]:
    """The versions with jars in the cache, oldest first, with their patch levels."""
    result = (path.name for path in cache_folder().glob("*") if (path / "lib").is_dir())
    return tuple(sorted(filter(_VERSION.fullmatch, result), key=_order))


def cached_lib(expected: str | None = None) -> Path | None:
    """The ``lib`` folder of the newest version in the cache that ``expected`` names.

    ``expected``: a release (1.20) or a version (1.20.5); None: any. None where there is none.
    """
    versions = [
        cached_version
        for cached_version in cached_versions()
        if expected is None or is_version_of(expected, cached_version)
    ]
    return cache_folder() / versions[-1] / "lib" if versions else None


def cached_lib_of_release(version: str) -> Path | None:
    """The ``lib`` folder of a version, else of the newest patch level of its release.

    A patch level changes nothing of a program's graph.
    """
    return cached_lib(version) or cached_lib(releases.release(version).version)


def install(expected: str, report: Report | None = None) -> Path:
    """Bring a release's jars into the cache; at once where they are. Returns their ``lib`` folder.

    ``expected``: a release, which stands for its newest patch level, or a version. Raises
    ``CaptureError`` where the index does not have it, is out of reach, or sent other bytes.
    """
    releases.release(expected)
    if (path := cached_lib(expected)) is not None:
        return path
    archive = newest(available(expected), expected)
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / archive.version
    with own_folder("part-", folder) as part:
        packed, unpacked = part / "archive", part / archive.version
        try:
            _download(archive, packed, report)
            _unpack(packed, unpacked)
            unpacked.rename(target)
        except OSError as error:
            if not target.exists():  # another process may have been faster
                why = error.strerror or error
                msg = f"Flink {archive.version} cannot be stored in {folder}: {why}"
                raise CaptureError(msg) from None
    return target / "lib"


def available(expected: str) -> tuple[Archive, ...]:
    """The archives of the package that holds this release, as the index lists them."""
    package = "apache-flink" if _order(expected) < (1, 13) else "apache-flink-libraries"
    index = os.environ.get("PIP_INDEX_URL") or INDEX
    url = f"{index.rstrip('/')}/{package}/"
    with _open_address(url, accept=_JSON) as answer:
        text = answer.read(_INDEX_BYTES)
    return tuple(_archives(text, url))


def _archives(text: bytes, url: str) -> Iterator[Archive]:
    try:
        files: list[dict[str, Any]] = json.loads(text)["files"]
        for file in files:
            named = _ARCHIVE.fullmatch(file["filename"])
            if named and not file.get("yanked"):
                place = urljoin(url, file["url"])
                yield Archive(version=named[1], url=place, sha256=file["hashes"]["sha256"])
    except (ValueError, KeyError, TypeError):
        msg = f"{url} does not answer as a package index (PEP 691): set PIP_INDEX_URL to one"
        raise CaptureError(msg) from None


def newest(archives: Sequence[Archive], expected: str) -> Archive:
    """The newest archive that ``expected`` names; raises ``CaptureError`` where there is none."""
    fitting = [archive for archive in archives if is_version_of(expected, archive.version)]
    if not fitting:
        known = listed(sorted((archive.version for archive in archives), key=_order)) or "none"
        msg = f"the package index has no Flink {expected}; it has {known}"
        raise CaptureError(msg)
    return max(fitting, key=lambda one: _order(one.version))


def is_version_of(expected: str, version: str) -> bool:
    """Whether ``expected``, a release (1.20) or a version (1.20.5), names that version."""
    return f"{version}.".startswith(f"{expected}.")


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _open_address(url: str, accept: str = "*/*") -> Any:
    if not url.startswith(("https://", "http://")):
        msg = f"{url!r} is no address of a package index: it begins with neither https nor http"
        raise CaptureError(msg)
    import urllib.request  # it loads HTTP and TLS

    request = urllib.request.Request(url, headers={"Accept": accept})  # noqa: S310 - checked above
    try:
        return urllib.request.urlopen(request, timeout=_SECONDS)  # noqa: S310
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        msg = f"{url} is out of reach: {reason}; behind a mirror set PIP_INDEX_URL"
        raise CaptureError(msg) from None


def _download(archive: Archive, target: Path, report: Report | None) -> None:
    """Write the archive's bytes; raises ``CaptureError`` where their SHA-256 is another."""
    digest, result = hashlib.sha256(), 0
    with _open_address(archive.url) as answer, target.open("wb") as file:
        whole = int(answer.headers.get("Content-Length") or 0)
        for block in _blocks(answer, archive.url):
            digest.update(block)
            file.write(block)
            result += len(block)
            if report is not None:
                report(result, whole)
    if digest.hexdigest() != archive.sha256:
        msg = (
            f"{archive.url} has the SHA-256 {digest.hexdigest()}, and the index has "
            f"{archive.sha256}: nothing was installed; try again"
        )
        raise CaptureError(msg)


def _blocks(answer: Any, url: str) -> Iterator[bytes]:
    result = 0
    try:
        while block := answer.read(_BLOCK):
            result += len(block)
            if result > _ARCHIVE_BYTES:
                msg = f"{url} is larger than 1 GiB, as no release of Flink is"
                raise CaptureError(msg)
            yield block
    except OSError as error:
        msg = f"{url} could not be read to its end: {error}; try again"
        raise CaptureError(msg) from None


def _unpack(packed: Path, target: Path) -> None:
    """Copy the jars of the archive's ``lib`` folder, and flink-python of its ``opt`` folder."""
    import tarfile

    (target / "lib").mkdir(parents=True)
    (target / "opt").mkdir()
    with tarfile.open(packed, "r|gz") as archive:
        for member in archive:
            name = PurePosixPath(member.name)
            folder = name.parent.name
            is_needed = folder == "lib" or (
                folder == "opt" and name.name.startswith("flink-python")
            )
            expected = is_needed and name.suffix == ".jar" and member.isfile()
            if expected and (content := archive.extractfile(member)) is not None:
                with (target / folder / name.name).open("wb") as file:
                    shutil.copyfileobj(content, file, _BLOCK)
    if not any((target / "lib").glob("flink-dist*.jar")):
        msg = "the archive holds no flink-dist jar: nothing was installed"
        raise CaptureError(msg)
