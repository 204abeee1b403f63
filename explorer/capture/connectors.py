"""Well-known connectors, formats and catalogs of SQL: the jar that has each, by release.

Flink finds them by an identifier, as in ``'connector' = 'kafka'``. Connectors left Flink's own
releases one by one and have versions of their own since, which end with the release.
"""

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from explorer.flink.releases import VERSIONS, release

_FILE: Final = Path(__file__).with_suffix(".toml")
_OWN: Final = "own"
"""The version of Flink itself."""
_ANY: Final = "VERSION"
"""A version that its project decides, whatever Flink's is."""
_SCALA_UNTIL: Final = "1.15"
"""The first release with connector names that do not end with Scala's version."""


def _age(version: str) -> int:
    return VERSIONS.index(version)


class Library(msgspec.Struct, frozen=True, kw_only=True):
    """A jar with the factories of some identifiers."""

    identifiers: tuple[str, ...]
    artifact: str
    """Its name; {release} stands for Flink's release."""
    versions: dict[str, str]
    """By the release from which on it holds; ``own`` is Flink's version."""
    scala: bool = False
    """Whether its name ended with Scala's version up to 1.14."""
    newest: str = VERSIONS[-1]
    """The last release that it was made for, so far as is known."""
    group: str = "org.apache.flink"

    def version_for(self, flink: str) -> str:
        """The connector's newest known version that fits a version of Flink; empty: none."""
        wanted_version = release(flink).version
        known = [
            item for item in VERSIONS[: VERSIONS.index(wanted_version) + 1] if item in self.versions
        ]
        if not known:
            return ""
        named = self.versions[known[-1]]
        return (
            flink
            if named == _OWN
            else named.format(release=min(wanted_version, self.newest, key=_age))
        )


@cache
def libraries() -> tuple[Library, ...]:
    """The jars of ``connectors.toml``."""
    rows = msgspec.toml.decode(_FILE.read_bytes(), type=dict[str, tuple[Library, ...]])
    return rows["library"]


_UNKNOWN: Final = "add the jar of the connector or format {what!r} with --classpath JAR"
_ADD: Final = (
    "add the jar of {what!r} with --classpath: {jar} (Maven: {group}:{artifact}:{version}){note}"
)
_NOT_OURS: Final = ", whatever VERSION your cluster has"
_OLDER: Final = "; it was made for Flink {made}, so look for a newer one made for {wanted}"


def jar_to_add(identifier: str, flink: str) -> str:
    """Say which jar to add for a connector, a format or a catalog that a version lacks.

    >>> jar_to_add("mine", "1.20.5")
    "add the jar of the connector or format 'mine' with --classpath JAR"
    """
    library = next((item for item in libraries() if identifier in item.identifiers), None)
    version = "" if library is None else library.version_for(flink)
    if library is None or not version:
        return _UNKNOWN.format(what=identifier)
    wanted_version = release(flink).version
    scala = library.scala and VERSIONS.index(wanted_version) < VERSIONS.index(_SCALA_UNTIL)
    artifact = library.artifact.format(release=wanted_version) + ("_2.12" if scala else "")
    note = _NOT_OURS if version == _ANY else ""
    if version not in {_ANY, flink} and not version.endswith(f"-{wanted_version}"):
        result = version.rpartition("-")[2]
        note = _OLDER.format(made=result, wanted=wanted_version)
    return _ADD.format(
        what=identifier,
        jar=f"{artifact}-{version}.jar",
        group=library.group,
        artifact=artifact,
        version=version,
        note=note,
    )
