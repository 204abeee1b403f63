"""The parts of the playground that others publish, each in its pinned version, kept in the cache.

Pyodide comes from npm by ``pyodide/package-lock.json``, msgspec for its Python from PyPI by
``requirements.lock``; both files hold the hashes. PyYAML is the installed one without its C part.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import yaml

from explorer.errors import UsageError
from explorer.locations import cache_folder

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
LOCKED: Final = HERE / "pyodide" / "package-lock.json"
PLATFORM: Final = ("pyemscripten_2026_0_wasm32", "3.14")
"""Tag of the wheels that this Pyodide loads, and its Python."""
_MSGSPEC: Final = re.compile(r"^msgspec==\S+ (?:.*\\\n)+.*$", re.MULTILINE)
MINUTES: Final = 10
"""How long one download may take."""


def pyodide_version() -> str:
    """The pinned version of Pyodide."""
    lock = json.loads(LOCKED.read_text(encoding="utf-8"))
    version: str = lock["packages"]["node_modules/pyodide"]["version"]
    return version


def pyodide_folder() -> Path:
    """The folder of Pyodide's files; npm fetches it at the first use and compares its hash."""
    folder = cache_folder() / "playground" / f"pyodide-{pyodide_version()}"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory() as temporary:
            project = Path(shutil.copytree(LOCKED.parent, Path(temporary) / "pyodide"))
            npm = shutil.which("npm")
            if npm is None:
                msg = "npm is missing: run 'make playground', which installs it on Debian"
                raise UsageError(msg)
            _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], project)
            _keep(project / "node_modules" / "pyodide", folder)
    return folder


def msgspec_wheel() -> Path:
    """The wheel of msgspec for Pyodide; pip fetches it at the first use and compares its hash."""
    requirement = _MSGSPEC.search((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    if requirement is None:
        msg = "requirements.lock names no msgspec"
        raise UsageError(msg)
    version = requirement[0].partition(" ")[0].replace("==", "-")
    folder = cache_folder() / "playground" / f"{version}-{PLATFORM[0]}"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory() as temporary:
            file = Path(temporary) / "requirements.txt"
            file.write_text(requirement[0] + "\n", encoding="utf-8")
            platform, python = PLATFORM
            options = ["--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes"]
            target = [f"--platform={platform}", f"--python-version={python}", "-d", "wheels"]
            pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check"]
            _run([*pip, *options, *target, "-r", str(file)], Path(temporary))
            _keep(Path(temporary) / "wheels", folder)
    return next(folder.glob("msgspec-*.whl"))


def msgspec_files() -> dict[str, bytes]:
    """The modules of msgspec for Pyodide, by their paths."""
    with ZipFile(msgspec_wheel()) as wheel:
        names = [name for name in wheel.namelist() if name.endswith((".py", ".so"))]
        return {name: wheel.read(name) for name in names}


def yaml_files() -> dict[str, bytes]:
    """The modules of PyYAML, by their paths, without the one that needs its C part."""
    folder = Path(yaml.__file__).parent
    files = (path for path in folder.glob("*.py") if path.name != "cyaml.py")
    return {f"yaml/{path.name}": path.read_bytes() for path in files}


def _keep(made: Path, folder: Path) -> None:
    """Move what was fetched to its place in the cache, whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    staged = Path(tempfile.mkdtemp(dir=folder.parent)) / folder.name
    shutil.move(made, staged)
    try:
        staged.rename(folder)
    except OSError:  # another build was faster, with the same files
        pass
    finally:
        shutil.rmtree(staged.parent, ignore_errors=True)


def _run(command: list[str], folder: Path) -> None:
    result = subprocess.run(  # noqa: S603 - our own command, with pinned versions
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=MINUTES * 60
    )
    if result.returncode:
        last = (result.stderr or result.stdout).strip().rpartition("\n")[2]
        msg = f"{Path(command[0]).name} could not fetch a part of the playground: {last}"
        raise UsageError(msg)
