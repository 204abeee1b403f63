"""The Flink release that a jar was built for, read from its Maven files.

A fat jar holds no Flink classes, which its cluster provides, but the build leaves descriptors: the
program's own ``pom.xml`` names Flink's version, and a bundled connector's ``pom.properties`` ends
with the release it was made for (``3.2.0-1.19``).
"""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from explorer.flink.releases import VERSIONS

_DESCRIPTORS: Final = re.compile(r"META-INF/maven/([^/]+)/([^/]+)/pom\.(xml|properties)")
_OWN_VERSION: Final = re.compile(rb"<flink\.version>\s*(\d+\.\d+)(?:\.\d+)?[^<]*</flink\.version>")
_DEPENDENCY: Final = re.compile(
    rb"<groupId>\s*org\.apache\.flink\s*</groupId>\s*"
    rb"<artifactId>\s*flink-(?:streaming-java|clients|core|table-[a-z-]+)[^<]*</artifactId>\s*"
    rb"<version>\s*(\d+\.\d+)(?:\.\d+)?[^<]*</version>"
)
_CONNECTOR: Final = re.compile(rb"^version=\d+\.\d+\.\d+-(\d+\.\d+)\s*$", re.MULTILINE)
_MODULE: Final = re.compile(rb"^version=(\d+\.\d+)\.\d+\s*$", re.MULTILINE)
_DESCRIPTOR_BYTES: Final = 1 << 20
_MOST_DESCRIPTORS: Final = 2_000


def release_of_jar(jar: Path) -> str | None:
    """The supported release that the jar's descriptors name; None where they name none, or two."""
    try:
        with zipfile.ZipFile(jar) as archive:
            result = {release.decode() for release in _releases(archive)}
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError):
        return None
    supported = result & set(VERSIONS)
    return supported.pop() if len(supported) == 1 else None


def _releases(archive: zipfile.ZipFile) -> Iterator[bytes]:
    members = [
        zip_info for zip_info in archive.infolist() if _DESCRIPTORS.fullmatch(zip_info.filename)
    ]
    for member in members[:_MOST_DESCRIPTORS]:
        named = _DESCRIPTORS.fullmatch(member.filename)
        if named is None or member.file_size > _DESCRIPTOR_BYTES:
            continue
        group, artifact, kind = named.groups()
        text = archive.read(member)
        if kind == "xml" and group != "org.apache.flink":
            yield from _OWN_VERSION.findall(text)
            yield from _DEPENDENCY.findall(text)
        elif kind == "properties" and group == "org.apache.flink":
            # A connector has a version of its own; Flink's modules have Flink's.
            yield from _CONNECTOR.findall(text)
            if not artifact.startswith("flink-connector"):
                yield from _MODULE.findall(text)
