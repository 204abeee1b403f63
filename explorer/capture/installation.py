"""Finds the folder of a Flink release's jars and reads the release from their names."""

import os
import re
from collections.abc import Iterator
from importlib import util
from pathlib import Path
from typing import Final

import msgspec

from explorer.capture.failures import CaptureError
from explorer.capture.jar_cache import cached_lib, cached_lib_of_release
from explorer.errors import MissingFlinkError
from explorer.flink import releases
from explorer.locations import PROGRAM

_DIST: Final = re.compile(r"flink-dist(?:_\d+\.\d+)?-(\d+\.\d+(?:\.\d+)?)\S*\.jar")


def _advice(release: str | None = None) -> str:
    expected = release or releases.VERSIONS[-1]
    return (
        f"bring a release with '{PROGRAM} flink install {expected}', name the lib folder "
        "of a Flink installation with --flink-lib DIR, or set FLINK_HOME"
    )


class Installation(msgspec.Struct, frozen=True, kw_only=True):
    """A release's jars."""

    folder: Path
    version: str
    """With its patch level, as in 1.20.5."""
    jars: tuple[Path, ...]

    @property
    def release(self) -> str:
        """The release without its patch level."""
        return self.behaviour.version

    @property
    def behaviour(self) -> releases.Release:
        """Behaviour of the release, which determines the calls of its classes."""
        return releases.release(self.version)

    def is_of(self, version: str) -> bool:
        """Whether these are the jars of that release; the patch level may be another."""
        return self.release == releases.release(version).version

    @property
    def configuration_folder(self) -> Path | None:
        """The folder of the installation's own options, if there is one."""
        folder = self.folder.parent / "conf"
        files = ("config.yaml", "flink-conf.yaml")
        return folder if any((folder / name).is_file() for name in files) else None

    @property
    def optional_folder(self) -> Path:
        """The folder of jars that a program may request, next to ``lib``."""
        return self.folder.absolute().parent / "opt"

    def optional_jar(self, name: str) -> Path | None:
        """A jar of that folder, such as flink-python; None: not there."""
        paths = sorted(self.optional_folder.glob(f"{name}*.jar"))
        return paths[0] if paths else None


def find_installation(flink_lib: str | Path | None, release: str | None = None) -> Installation:
    """The jars in ``flink_lib``, else in $FLINK_HOME, an installed package or the user's cache.

    ``release``: the release for which the program was built, or a version of it; the cache returns
    that version, else the newest patch level; without one the newest version. Raises
    ``MissingFlinkError`` without an installation, and ``CaptureError`` for a folder without a
    release and for an unsupported release.
    """
    folders = [Path(flink_lib)] if flink_lib is not None else list(_usual_folders(release))
    if not folders:
        named = "Flink" if release is None else f"Flink {release}"
        msg = f"this needs the jars of {named}, and none are here: {_advice(release)}"
        raise MissingFlinkError(msg, release)
    folder = folders[0]
    if not folder.is_dir():
        msg = f"there is no folder {str(folder)!r} to read Flink's jars from: {_advice()}"
        raise CaptureError(msg)
    jars = tuple(sorted(folder.glob("*.jar")))
    dist = [match for jar in jars if (match := _DIST.fullmatch(jar.name))]
    if len(dist) != 1:
        result = "no flink-dist jar" if not dist else f"{len(dist)} flink-dist jars"
        msg = f"{str(folder)!r} has {result}, and the lib folder of a release has one: {_advice()}"
        raise CaptureError(msg)
    version = dist[0][1]
    releases.release(version)
    return Installation(folder=folder, version=version, jars=jars)


def _usual_folders(release: str | None) -> Iterator[Path]:
    if home := os.environ.get("FLINK_HOME"):
        yield Path(home) / "lib"
    # apache-flink-libraries puts its jars into the package pyflink.
    package = util.find_spec("pyflink")
    for place in (package.submodule_search_locations or ()) if package else ():
        if (Path(place) / "lib").is_dir():
            yield Path(place) / "lib"
    cached = cached_lib() if release is None else cached_lib_of_release(release)
    if cached is not None:
        yield cached
