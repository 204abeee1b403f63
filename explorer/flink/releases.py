"""Which Flink releases there are, and what each does.

What differs between them is told by the fields of ``Release``, a row a behaviour.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import msgspec

from explorer.errors import ExplorerError, did_you_mean
from explorer.flink.release import Behaviour, Release

VERSIONS: Final = (
    "1.9",
    "1.10",
    "1.11",
    "1.12",
    "1.13",
    "1.14",
    "1.15",
    "1.16",
    "1.17",
    "1.18",
    "1.19",
    "1.20",
    "2.0",
    "2.1",
    "2.2",
    "2.3",
)
"""Every supported release, oldest first."""

LATEST: Final = VERSIONS[-1]


class UnknownReleaseError(ExplorerError):
    """A Flink release that the explorer does not know."""

    def __init__(self, version: str) -> None:
        self.version = version
        hint = did_you_mean(version, VERSIONS)
        super().__init__(
            f"no Flink release {version!r}; supported are {VERSIONS[0]} to {VERSIONS[-1]}{hint}"
        )


class Switch(msgspec.Struct, frozen=True):
    """One behaviour that some release changed: a field of ``Release`` under its name."""

    name: str
    behaviour: Behaviour

    def value(self, version: str) -> object:
        """The value in force in ``version``."""
        values = self.behaviour.values
        reached = VERSIONS[: VERSIONS.index(version) + 1]
        return next(values[old] for old in reversed(reached) if old in values)


SWITCHES: Final = tuple(
    Switch(field.name, field.default)
    for field in msgspec.structs.fields(Release)
    if isinstance(field.default, Behaviour)
)
"""Every behaviour that differs, in the order of the record."""


@cache
def release(version: str) -> Release:
    """The release called ``version``, such as ``"1.20"``; patch levels as in 1.20.5 are cut.

    Raises ``UnknownReleaseError`` for one that is not supported.
    """
    short = ".".join(version.split(".")[:2])
    if short not in VERSIONS:
        raise UnknownReleaseError(version)
    values: dict[str, Any] = {switch.name: switch.value(short) for switch in SWITCHES}
    return Release(version=short, **values)


def to_choose(has: Callable[[Release], bool]) -> str:
    """In which releases something is to be had, one row of ``Release`` telling where.

    >>> to_choose(lambda release: release.sink_v2), to_choose(lambda release: release.iterations)
    ('1.15 or later', '1.20 or earlier')
    """
    known = [version for version in VERSIONS if has(release(version))]
    return f"{known[0]} or later" if LATEST in known else f"{known[-1]} or earlier"
