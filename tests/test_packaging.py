"""What a person gets who installs the wheel: two names, the page's files, the same command."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINS = re.findall(r"^(\S+)==(\S+)", LOCK, re.MULTILINE)
# msgspec takes typing_extensions along where it is installed, PyYAML a runtime of Cython's.
LIGHT = {"msgspec", "mmh3", "yaml", "typing_extensions", "cython_runtime"}


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command with no project on its path; return what it prints."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel; the tests' own lends the dependencies, but not itself."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    install = ("install", "--quiet", "--no-deps", "--no-index", wheel)
    run(sys.executable, "-m", "pip", "--python", python, *install)
    (packages,) = folder.glob("lib/python3*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def test_the_wheel_adds_two_names_and_no_more(wheel: Path) -> None:
    names = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}

    assert {name for name in names if not name.endswith(".dist-info")} == {"components", "explorer"}


def test_the_wheel_holds_every_module_sample_and_asset_of_the_checkout(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    tracked = run("git", "ls-files", "explorer", "components", "sample_graphs").split("\n")
    wanted = {
        re.sub("^sample_graphs/", "explorer/sample_graphs/", name)
        for name in tracked
        if name and name != "components/screenshot.png" and (ROOT / name).exists()
    }

    assert wanted - held == set()


def test_every_folder_of_modules_is_a_package_so_that_the_layer_rules_see_it() -> None:
    modules = [*(ROOT / "explorer").rglob("*.py"), *(ROOT / "components").rglob("*.py")]

    assert {path.parent for path in modules if not (path.parent / "__init__.py").exists()} == set()


def test_the_installed_package_finds_its_page_and_samples_in_itself(
    installed: Path, tmp_path: Path
) -> None:
    code = """
import json, explorer, components
from explorer.locations import app_file, sample_folder
samples = sorted(path.name for path in sample_folder().iterdir())
print(json.dumps([explorer.__file__, components.__file__, str(app_file()), samples]))
"""
    *files, samples = json.loads(run(installed, "-c", code, cwd=tmp_path))

    assert all(Path(file).is_relative_to(installed.parent.parent) for file in files)
    assert all(Path(file).is_file() for file in files)
    assert samples == sorted(path.name for path in (ROOT / "sample_graphs").iterdir())


def test_streamlit_finds_the_graph_component_of_the_installed_package(
    installed: Path, tmp_path: Path
) -> None:
    code = """
from streamlit.components.v2.manifest_scanner import scan_component_manifests
for manifest, root in scan_component_manifests():
    for component in manifest.components:
        print(f"{manifest.name}.{component.name}", component.resolve_asset_root(root))
"""
    found = dict(
        line.split(" ", 1) for line in run(installed, "-c", code, cwd=tmp_path).split("\n") if line
    )

    assets = Path(found["streamgraph-explorer.graph"])
    assert assets.is_relative_to(installed.parent.parent)
    assert (assets / "main.js").is_file()


def test_the_installed_page_runs_from_its_own_files(installed: Path, tmp_path: Path) -> None:
    code = """
from explorer.locations import app_file
from streamlit.testing.v1 import AppTest
page = AppTest.from_file(str(app_file()), default_timeout=120).run()
print([error.message for error in page.exception], len(page.get("bidi_component")) > 0)
"""
    assert run(installed, "-c", code, cwd=tmp_path).split("\n")[-2] == "[] True"


def test_the_installed_command_line_has_the_page_command(installed: Path, tmp_path: Path) -> None:
    assert "usage" in run(installed, "-m", "explorer", "ui", "--help", cwd=tmp_path).lower()


@pytest.mark.parametrize(
    "load",
    ["import explorer.datastream.compiled", "from explorer.cli.main import parser; parser()"],
)
def test_an_import_loads_nothing_but_what_reads_and_hashes_documents(load: str) -> None:
    code = f"import sys; before = {{*sys.modules}}; {load}; print(*{{*sys.modules}} - before)"
    loaded = {name.split(".")[0] for name in run(sys.executable, "-c", code).split()}
    known = {"explorer", *LIGHT, *sys.stdlib_module_names}

    assert {name for name in loaded - known if not name.startswith("_")} == set()


def test_the_lock_pins_every_dependency_within_its_range() -> None:
    pinned = {canonicalize_name(name): version for name, version in PINS}
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]

    for text in wanted:
        requirement = Requirement(text)
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), text


def test_the_lock_holds_hashes_and_no_address() -> None:
    assert "://" not in LOCK
    assert len(PINS) == len(re.findall(r"^\S+==.*\\\n    --hash=sha256:", LOCK, re.MULTILINE))


def test_the_components_manifest_has_the_projects_name_and_version() -> None:
    inner = tomllib.loads((ROOT / "components" / "pyproject.toml").read_text(encoding="utf-8"))

    assert inner["project"] == {key: PROJECT["project"][key] for key in ("name", "version")}


@pytest.mark.parametrize(
    "page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
)
def test_every_link_between_the_documents_leads_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", (ROOT / page).read_text(encoding="utf-8"))

    missing = [link for link in links if "://" not in link and not (ROOT / link).exists()]
    assert missing == []
