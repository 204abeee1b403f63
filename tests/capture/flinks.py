"""Released Flinks for tests: their jars, and programs compiled against them.

As a program it makes the archives with which the JVMs of the two in use start: a SQL script then
takes 6 instead of 11 seconds of CPU, and a jar 1.9 instead of 2.4.
"""

import atexit
import os
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from zipfile import ZipFile

from explorer.capture.installation import find_installation
from explorer.capture.preparing import prepare
from explorer.documents import load_document
from explorer.explain.flink_check import check_against_flink
from explorer.flink.compiler import compile_program
from tests.quick_java import compile_java

VERSIONS = ("1.9.3", "1.20.5", "2.2.1")
"""What `make test` brings with .ci/flink: the oldest, and the two in use."""

PROGRAMS = Path(__file__).parent / "programs"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser()


@cache
def brought(name: str) -> Path:
    """What `.ci/flink` brings under that name, a version or an interpreter."""
    root = Path(__file__).parents[2]
    subprocess.run([root / ".ci" / "flink", name], check=True, stdout=subprocess.DEVNULL)
    return CACHE / "streamgraph-explorer" / "flink" / name


def lib(version: str) -> Path:
    """The folder of a version's jars."""
    return brought(version) / "lib"


def jar(program: str, version: str, folder: Path, service: str = "") -> Path:
    """A jar of the program in programs/, compiled against that version.

    ``service``: the interface that its classes ``...Factory`` are found by.
    """
    return jar_of(PROGRAMS / f"{program}.java", version, folder, service)


def jar_of(source: Path, version: str, folder: Path, service: str = "") -> Path:
    """A jar of a program, compiled against that version."""
    program = source.stem
    classes = folder / f"{program}-{version}"
    shutil.copytree(_compiled(source, version), classes)
    made = zipped(classes, folder / f"{program}-{version}.jar", f"Main-Class: {program}\n")
    if service:
        with ZipFile(made, "a") as archive:
            names = sorted(path.stem for path in classes.glob(f"{program}$*Factory.class"))
            archive.writestr(f"META-INF/services/{service}", "\n".join(names))
    return made


@cache
def _compiled(source: Path, version: str) -> Path:
    """The folder of a program's classes, which Java compiles once a process."""
    classes = Path(mkdtemp(prefix="classes-"))
    atexit.register(shutil.rmtree, classes, ignore_errors=True)
    compile_java([source], classes, lib(version).glob("*.jar"), ["--release", "8"])
    return classes


def zipped(classes: Path, made: Path, manifest: str, without: str = "") -> Path:
    """A jar of the classes, but for that one."""
    with ZipFile(made, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", manifest)
        for file in sorted(classes.rglob("*.class")):
            if file.stem != without:
                archive.write(file, file.relative_to(classes))
    return made


def script(folder: Path) -> Path:
    """The PyFlink script of programs/, where its ending keeps pytest from reading it."""
    return Path(shutil.copy(PROGRAMS / "words.py.txt", folder / "words.py"))


def differences(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Where our JobGraph of a captured program is not Flink's own."""
    loaded = load_document(document)
    check = check_against_flink(compile_program(loaded), loaded)
    assert check is not None
    return check.differences


if __name__ == "__main__":
    for version in VERSIONS[1:]:
        for bare_planner in (False, True):
            prepare(find_installation(lib(version)), bare_planner=bare_planner)
