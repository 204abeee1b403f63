"""The release to start a jar with that names none: one that has the API that its classes use."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from explorer.capture.jar.built_for import release_of_jar
from explorer.capture.jar_cache import cached_versions
from explorer.capture.recording.api_uses import api_uses
from explorer.errors import ExplorerError
from explorer.flink.releases import VERSIONS, release
from explorer.flink.upgrades.changed_api import removed_api

_LARGEST: Final = 64 << 20
"""Bytes of a jar with classes that are read; a capture starts after that."""


def release_to_start(jar: Path) -> str | None:
    """The release that the jar's descriptors name, else the newest installed one that suits it.

    None: every release suits it, none of those is installed, or its classes cannot be read.
    """
    named = release_of_jar(jar)
    newest = None if named else newest_with_api(jar)
    if named or newest is None or newest == VERSIONS[-1]:
        return named
    suitable = VERSIONS[: VERSIONS.index(newest) + 1]
    installed = (release(version).version for version in reversed(cached_versions()))
    return next((version for version in installed if version in suitable), None)


def newest_with_api(jar: Path) -> str | None:
    """The newest release before one that removed what the jar's classes use; None: unreadable."""
    try:
        status = jar.stat()
    except OSError:
        return None
    if status.st_size > _LARGEST or not jar.is_file():
        return None
    return _newest_with_api(jar, status.st_mtime_ns)


@lru_cache(maxsize=8)
def _newest_with_api(jar: Path, _changed_at: int) -> str | None:
    try:
        uses = api_uses((jar,))
    except ExplorerError:
        return None
    if uses is None:
        return None
    # An override of a method that a release has no more fails in none.
    called = [use for use in uses if not use.overrides]
    removals = removed_api(called, release(VERSIONS[0]), release(VERSIONS[-1]))
    positions = [VERSIONS.index(change.release) for _, change in removals]
    return VERSIONS[min(positions, default=len(VERSIONS)) - 1]
