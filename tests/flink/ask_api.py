"""Which public classes and members each release removed or deprecated, as its jars hold them.

``python -m tests.flink.ask_api FOLDER...`` reads lib folders, one of each release, oldest first,
and writes ``explorer/flink/upgrades/changed_api.json.gz``.
"""

import gzip
import json
import re
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from explorer.documents.readers.class_files import ClassFile, read_class
from explorer.flink.upgrades.changed_api import TABLE

PUBLIC: Final = 0x0001
PROTECTED: Final = 0x0004
SYNTHETIC: Final = 0x1000
STABLE: Final = frozenset(
    f"Lorg/apache/flink/annotation/{name};" for name in ("Public", "PublicEvolving", "Experimental")
)
INTERNAL: Final = "Lorg/apache/flink/annotation/Internal;"
SKIPPED: Final = re.compile(
    r"org/apache/flink/(shaded|calcite|kubernetes|yarn|mesos|table/planner|table/runtime/"
    r"|runtime/(rest|dispatcher|rpc|webmonitor|jobmaster|resourcemanager))|.*\$\d"
)
"""Packages and classes to which no program refers."""
USED: Final = re.compile(
    r"org/apache/flink/(api|streaming/(api|connectors)|table/(api|functions|types|sources|sinks"
    r"|factories|catalog|descriptors)|configuration|connector|core/(fs|io|memory|execution)|metrics"
    r"|types|util|cep|contrib|formats|queryablestate|runtime/state)/"
)
"""Packages with classes that programs use although they have no annotation."""


class Api:
    """The classes of one release."""

    def __init__(self, lib: Path) -> None:
        self.classes = {one.name: one for one in _classes(lib)}
        self.members: dict[str, dict[str, tuple[bool, bool]]] = {}

    @cached_property
    def public(self) -> set[str]:
        """Names of the public classes of the API."""
        return {one.name for one in self.classes.values() if self._is_public(one)}

    def _is_public(self, one: ClassFile) -> bool:
        if not one.access & PUBLIC:
            return False
        outer = one.name.split("$")
        around = [self.classes.get("$".join(outer[: at + 1])) for at in range(len(outer))]
        found = frozenset[str]().union(*(each.annotations for each in around if each))
        return bool(found & STABLE) or (INTERNAL not in found and bool(USED.match(one.name)))

    def resolved(self, name: str) -> dict[str, tuple[bool, bool]]:
        """By member that a reference to the class finds, whether it is synthetic and deprecated."""
        if name not in self.members:
            found: dict[str, tuple[bool, bool]] = {}
            for each in self._hierarchy(name):
                for member in each.members:
                    inherited = each.name != name and member.key.startswith("<")
                    if member.access & (PUBLIC | PROTECTED) and not inherited:
                        synthetic = bool(member.access & SYNTHETIC)
                        found.setdefault(member.key, (synthetic, member.deprecated))
            self.members[name] = found
        return self.members[name]

    def _hierarchy(self, name: str) -> Iterator[ClassFile]:
        """The class, then its superclasses and interfaces, the nearest first."""
        left, done = [name], set[str]()
        while left:
            one = self.classes.get(left.pop(0))
            if one is not None and one.name not in done:
                done.add(one.name)
                yield one
                left += [*([one.super_name] if one.super_name else []), *one.interfaces]


def _classes(lib: Path) -> Iterator[ClassFile]:
    for jar in sorted(lib.glob("flink-*.jar")):
        with zipfile.ZipFile(jar) as archive:
            for name in archive.namelist():
                wanted = name.startswith("org/apache/flink/") and name.endswith(".class")
                if wanted and not SKIPPED.match(name):
                    yield read_class(archive.read(name))


class Changes:
    """Removed and deprecated classes and members, release by release."""

    def __init__(self) -> None:
        self.gone: dict[tuple[str, str], tuple[str, str]] = {}
        self.deprecated: dict[tuple[str, str], str] = {}

    def add(self, release: str, old: Api, new: Api) -> None:
        """What differs between two consecutive releases."""
        for name in old.public:
            self._class(release, name, old, new)
        for name, member in [*self.gone]:  # a later release may bring something back
            back = name in new.classes and (not member or member in new.resolved(name))
            if back:
                del self.gone[name, member]

    def _class(self, release: str, name: str, old: Api, new: Api) -> None:
        if name not in new.classes:
            self.gone[name, ""] = release, _moved(name, old, new)
            return
        if new.classes[name].deprecated and not old.classes[name].deprecated:
            self.deprecated[name, ""] = release
        after = new.resolved(name)
        for member, (synthetic, deprecated) in old.resolved(name).items():
            if member not in after and not synthetic:
                self.gone[name, member] = release, _other(member, after)
            elif member in after and after[member][1] and not deprecated:
                self.deprecated[name, member] = release


def _moved(name: str, old: Api, new: Api) -> str:
    """A new class of the same simple name; empty where there is none, or several."""
    simple = name.rpartition("/")[2]
    found = [one for one in new.classes if one.endswith(f"/{simple}") and one not in old.classes]
    return found[0] if len(found) == 1 else ""


def _other(member: str, after: Mapping[str, tuple[bool, bool]]) -> str:
    """The only other member of that name that is not deprecated; empty: none or several."""
    name = re.split("[(:]", member)[0]
    found = [
        one
        for one, (synthetic, deprecated) in after.items()
        if re.split("[(:]", one)[0] == name and not synthetic and not deprecated
    ]
    return found[0] if len(found) == 1 else ""


def table(changes: Changes) -> dict[str, Any]:
    """The file's content: texts once, then by class and member what happened when."""
    texts = sorted(
        {text for pair in changes.gone for text in pair}
        | {text for pair in changes.deprecated for text in pair}
        | {other for _, other in changes.gone.values()}
    )
    place = {text: at for at, text in enumerate(texts)}
    gone: dict[str, Any] = defaultdict(list)
    for (name, member), (release, other) in sorted(changes.gone.items()):
        gone[release] += [place[name], place[member], place[other]]
    deprecated: dict[str, Any] = defaultdict(list)
    for (name, member), release in sorted(changes.deprecated.items()):
        if (name, member) not in changes.gone and (name, "") not in changes.gone:
            deprecated[release] += [place[name], place[member]]
    return {"texts": texts, "removed": gone, "deprecated": deprecated}


def main(folders: list[str]) -> None:
    """Read the folders and write the table."""
    changes, old = Changes(), None
    for folder in map(Path, folders):
        new = Api(folder)
        release = ".".join(folder.parent.name.split(".")[:2])
        if old is not None:
            changes.add(release, old, new)
        old = new
        print(release, len(new.public), len(changes.gone), len(changes.deprecated))  # noqa: T201
    content = json.dumps(table(changes), separators=(",", ":")).encode()
    TABLE.write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
