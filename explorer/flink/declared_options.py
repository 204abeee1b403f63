"""Every configuration option that a Flink release declares, as the jars of all releases have it.

Mirrors the ``ConfigOption`` fields of Flink's option classes; ``declared_options.json.gz`` holds
them, written by ``tests/flink/ask_options.py``.
"""

import gzip
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from explorer.flink.releases import VERSIONS, Release

_FILE: Final = Path(__file__).with_name("declared_options.json.gz")
_NO_DEFAULT: Final = frozenset({"", "null", "[]", "{}"})


class DeclaredOption(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """A ``ConfigOption`` of one release."""

    type: str = ""
    """The simple name of the values' class, as ``Duration``, ``List<String>``, ``enum NAME``; empty
    up to 1.9 where the option has no default."""
    default: str = "null"
    """The default as text: durations in ms, sizes in bytes."""
    deprecated: tuple[str, ...] = ()
    """Deprecated keys, read where the key is not set."""
    alternative: tuple[str, ...] = ()
    """Fallback keys that are not deprecated, read likewise."""
    constants: tuple[str, ...] = ()
    """The texts of an enum's constants."""


class ChangedDefault(msgspec.Struct, frozen=True, kw_only=True):
    """An option with a default that differs between two releases."""

    key: str
    before: str
    after: str


Table = dict[str, dict[str, DeclaredOption | None]]
"""By key, the option from a release on, by release; None: the release does not declare it."""


@cache
def _load_table() -> Table:
    return msgspec.json.decode(gzip.decompress(_FILE.read_bytes()), type=Table)


@cache
def declared_options(version: str) -> Mapping[str, DeclaredOption]:
    """The options that a release declares, by key, sorted."""
    newest_first = VERSIONS[VERSIONS.index(version) :: -1]
    rows = (
        (key, next((row[since] for since in newest_first if since in row), None))
        for key, row in _load_table().items()
    )
    return {key: option for key, option in rows if option is not None}


@cache
def deprecated_keys(version: str) -> Mapping[str, str]:
    """The deprecated keys that a release reads, and the key of the option that reads each."""
    return {
        old: key
        for key, option in declared_options(version).items()
        for old in option.deprecated
        if old != key
    }


@cache
def read_keys(version: str) -> frozenset[str]:
    """Every key that a release reads: declared, deprecated and fallback keys."""
    options = declared_options(version)
    older = (
        key for option in options.values() for key in (*option.deprecated, *option.alternative)
    )
    return frozenset((*options, *older))


def versions_that_read(key: str) -> tuple[str, ...]:
    """The releases that read a key, oldest first."""
    return tuple(version for version in VERSIONS if key in read_keys(version))


def removed_options(keys: Iterable[str], old: Release, new: Release) -> Iterator[str]:
    """The keys that the old release reads and the new one does not, in the given order."""
    previous, following = read_keys(old.version), read_keys(new.version)
    return (key for key in keys if key in previous and key not in following)


def changed_defaults(old: Release, new: Release) -> Iterator[ChangedDefault]:
    """Options with a default in both releases that differs, by key."""
    old_options, new_options = declared_options(old.version), declared_options(new.version)
    for key, option in old_options.items():
        values = option.default, new_options[key].default if key in new_options else ""
        if values[0] != values[1] and _NO_DEFAULT.isdisjoint(values):
            yield ChangedDefault(key=key, before=values[0], after=values[1])
