"""Classes and members of Flink's public API that releases removed or deprecated.

``changed_api.json.gz`` holds what the jars of all releases declare; the tests have the program that
reads them.
"""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from explorer.flink.releases import VERSIONS, Release
from explorer.model.api_use import ApiChange, ApiUse
from explorer.model.frozen import FrozenRecord

TABLE: Final = Path(__file__).with_name("changed_api.json.gz")
_Place = tuple[str, str]
"""A class and a member of it; the member is empty for the class itself."""


class _Changes(FrozenRecord, frozen=True, kw_only=True):
    """Content of the file: each text once, and the positions of changed texts by release."""

    texts: tuple[str, ...]
    removed: Mapping[str, Sequence[int]]
    """Triples: class, member, and what replaces it."""
    deprecated: Mapping[str, Sequence[int]]
    """Pairs: class and member."""


@cache
def _table() -> tuple[Mapping[_Place, ApiChange], Mapping[_Place, ApiChange]]:
    """Removals and deprecations by class and member."""
    changes = msgspec.json.decode(gzip.decompress(TABLE.read_bytes()), type=_Changes)
    texts = changes.texts
    removed = {
        (texts[owner], texts[member]): ApiChange(release=release, replacement=texts[replacement])
        for release, row in changes.removed.items()
        for owner, member, replacement in _groups(row, 3)
    }
    deprecated = {
        (texts[owner], texts[member]): ApiChange(release=release)
        for release, row in changes.deprecated.items()
        for owner, member in _groups(row, 2)
    }
    return removed, deprecated


def _groups(row: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (row[at : at + size] for at in range(0, len(row), size))


def is_changed(owner: str, member: str = "") -> bool:
    """Whether some release removed or deprecated a class, or a member that it declares."""
    return any((owner, member) in changes for changes in _table())


def removes_api(old: Release, new: Release) -> bool:
    """Whether a release after ``old``, up to ``new``, removed anything."""
    later = _releases_after(old, new)
    return any(change.release in later for change in _table()[0].values())


def _releases_after(old: Release, new: Release) -> Sequence[str]:
    return VERSIONS[VERSIONS.index(old.version) + 1 : VERSIONS.index(new.version) + 1]


def removed_api(
    uses: Sequence[ApiUse], old: Release, new: Release
) -> Iterator[tuple[ApiUse, ApiChange]]:
    """The uses of what the releases after ``old``, up to ``new``, removed.

    A class that is gone is reported once, without its members.
    """
    yield from _find_changed(uses, _table()[0], old, new)


def deprecated_api(
    uses: Sequence[ApiUse], old: Release, new: Release
) -> Iterator[tuple[ApiUse, ApiChange]]:
    """The uses of what the releases after ``old``, up to ``new``, deprecated."""
    yield from _find_changed(uses, _table()[1], old, new)


def _find_changed(
    uses: Sequence[ApiUse], changes: Mapping[_Place, ApiChange], old: Release, new: Release
) -> Iterator[tuple[ApiUse, ApiChange]]:
    later = _releases_after(old, new)
    for use in uses:
        change = changes.get((use.owner, use.member))
        if change is not None and change.release in later:
            yield use, change
