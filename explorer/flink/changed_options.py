"""Options that a Flink release removed, and defaults that it changed, as the jars declare them.

Mirrors the ``ConfigOption`` fields of Flink's option classes; ``changed_options.json`` holds them.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from explorer.flink.releases import VERSIONS, Release

T = TypeVar("T")
_FILE: Final = Path(__file__).with_name("changed_options.json")
_NO_DEFAULT: Final = frozenset({"", "null", "[]", "{}"})


class _ChangedOptions(msgspec.Struct, frozen=True):
    presence: dict[str, dict[str, bool]]
    """Whether options are read from a release on, by key and release."""
    defaults: dict[str, dict[str, str]]
    """Defaults from a release on, by key and release."""


class ChangedDefault(msgspec.Struct, frozen=True, kw_only=True):
    """An option with a default that differs between two releases."""

    key: str
    before: str
    after: str


@cache
def _load_changed_options() -> _ChangedOptions:
    return msgspec.json.decode(_FILE.read_bytes(), type=_ChangedOptions)


def removed_options(keys: Iterable[str], old: Release, new: Release) -> Iterator[str]:
    """The keys that the old release reads and the new one does not, in the given order."""
    presence = _load_changed_options().presence
    for key in keys:
        row = presence.get(key)
        if row and _at(row, old, default=False) and not _at(row, new, default=False):
            yield key


def changed_defaults(old: Release, new: Release) -> Iterator[ChangedDefault]:
    """Options with a default in both releases that differs, by key."""
    for key, row in _load_changed_options().defaults.items():
        before, after = _at(row, old, default=""), _at(row, new, default="")
        if before != after and _NO_DEFAULT.isdisjoint({before, after}):
            yield ChangedDefault(key=key, before=before, after=after)


def _at(row: Mapping[str, T], release: Release, *, default: T) -> T:
    """The entry that applies in a release: the newest one that is not newer."""
    newest = VERSIONS.index(release.version)
    since = [one for one in VERSIONS[: newest + 1] if one in row]
    return row[since[-1]] if since else default
