"""Environments as users have them: the built package with what an installation brings, no more."""

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.archives import unpack

ROOT = Path(__file__).resolve().parent.parent
PROJECT = "streamgraph-explorer"


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command with no project on its path; return what it prints."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ended = subprocess.run(
        command, cwd=cwd, env=variables, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def install_core(folder: Path) -> Path:
    """Install the wheel of the sdist with the base dependencies alone; return its Python."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder)
    (archive,) = folder.iterdir()
    unpack(archive, folder)
    (unpacked,) = (path for path in folder.iterdir() if path.is_dir())
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=unpacked)
    (wheel,) = folder.glob("*.whl")
    python = _new_environment(folder / "core")
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", wheel)
    link_distributions(packages_of(python), [PROJECT])
    return python


def install_extra(core: Path, folder: Path, extra: str) -> Path:
    """An environment with what ``core`` has and one extra's libraries; return its Python."""
    python = _new_environment(folder)
    packages = packages_of(python)
    for installed in packages_of(core).iterdir():
        (packages / installed.name).symlink_to(installed)
    script = core.with_name(PROJECT).read_text().replace(str(core.parent), str(python.parent))
    python.with_name(PROJECT).write_text(script)
    python.with_name(PROJECT).chmod(0o755)
    link_distributions(packages, [f"{PROJECT}[{extra}]"])
    return python


def packages_of(python: Path) -> Path:
    """The folder of an environment's packages."""
    (packages,) = python.parent.parent.glob("lib/python3*/site-packages")
    return packages


def _new_environment(folder: Path) -> Path:
    venv.create(folder, symlinks=True)
    return folder / "bin" / "python"


def link_distributions(packages: Path, requirements: Iterable[str]) -> None:
    """Link what is installed here of the requirements, and of all that those require."""
    for found in _required(requirements):
        names = {file.parts[0] for file in found.files or () if ".." not in file.parts}
        for name in names - {"__pycache__"}:
            if not (packages / name).exists():
                (packages / name).symlink_to(Path(str(found.locate_file(name))))


def _required(requirements: Iterable[str]) -> Iterator[Distribution]:
    """Distributions in the order in which they are required; the project itself is left out."""
    waiting, seen = list(map(Requirement, requirements)), set[str]()
    while waiting:
        wanted = waiting.pop(0)
        name = canonicalize_name(wanted.name)
        key = f"{name}{sorted(wanted.extras)}"
        if key in seen:
            continue
        seen.add(key)
        found = distribution(name)
        assert wanted.specifier.contains(found.version), wanted
        waiting += _requirements(found, wanted.extras)
        if name != PROJECT:
            yield found


def _requirements(found: Distribution, extras: Iterable[str]) -> Iterator[Requirement]:
    for text in found.requires or ():
        wanted = Requirement(text)
        marker = wanted.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield wanted


def extras_of(command: str) -> list[str]:
    """The extras that a recipe's ``pip install`` names, as in ``streamgraph-explorer[capture]``."""
    return [
        one
        for names in re.findall(r"\[([a-z,]+)\]\"?$", command, re.MULTILINE)
        for one in names.split(",")
    ]
