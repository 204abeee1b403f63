"""Released Flinks for tests: their jars, and programs compiled against them."""

import os
import subprocess
from functools import cache
from pathlib import Path
from zipfile import ZipFile

VERSIONS = ("1.9.3", "1.20.5", "2.2.1")
"""What `make test` brings with .ci/flink: the oldest, and the two in use."""

PROGRAMS = Path(__file__).parent / "programs"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser()


@cache
def lib(version: str) -> Path:
    """The folder of a version's jars; `.ci/flink` brings them where they are missing."""
    root = Path(__file__).parents[2]
    subprocess.run([root / ".ci" / "flink", version], check=True, stdout=subprocess.DEVNULL)
    return CACHE / "streamgraph-explorer" / "flink" / version / "lib"


def jar(program: str, version: str, folder: Path) -> Path:
    """A jar of the program in programs/, compiled against that version."""
    classes = folder / f"{program}-{version}"
    classes.mkdir(parents=True)
    class_path = os.pathsep.join(map(str, lib(version).glob("*.jar")))
    source = PROGRAMS / f"{program}.java"
    javac = ["javac", "-nowarn", "-Xlint:-options", "--release", "8", "-cp", class_path]
    subprocess.run([*javac, "-d", classes, source], check=True, capture_output=True)
    made = folder / f"{program}-{version}.jar"
    with ZipFile(made, "w") as zipped:
        zipped.writestr("META-INF/MANIFEST.MF", f"Main-Class: {program}\n")
        for file in sorted(classes.rglob("*.class")):
            zipped.write(file, file.relative_to(classes))
    return made
