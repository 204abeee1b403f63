"""Wheel and source distribution: their content, and what works once they are installed."""

import itertools
import json
import re
import shlex
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from explorer.extras import EXTRAS
from tests.installations import run

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("installed")]

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINS = re.findall(r"^(\S+)==(\S+)", LOCK, re.MULTILINE)
# msgspec imports typing_extensions where it is installed, PyYAML a runtime of Cython's.
OLDER = """
import sys
sys.version_info = (3, 10, 12, "final", 0)
from explorer.__main__ import run
sys.exit(run())
"""
LIGHT = {"msgspec", "mmh3", "yaml", "typing_extensions", "cython_runtime"}


@pytest.fixture(scope="module")
def wheel(core_python: Path) -> Path:
    """The wheel of the source distribution, which holds what is in both."""
    (built,) = core_python.parents[2].glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel; the tests' own environment provides the dependencies."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    install = ("install", "--quiet", "--no-deps", "--no-index", wheel)
    run(sys.executable, "-m", "pip", "--python", python, *install)
    (packages,) = folder.glob("lib/python3*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def test_the_base_dependencies_compile_explain_check_and_draw(
    core_python: Path, tmp_path: Path
) -> None:
    code = """
import sys
from explorer.cli.main import main
for command in (["compile"], ["explain"], ["check"], ["draw"], ["deploy"], ["plan"]):
    assert main([*command, sys.argv[1]]) == 0, command
assert main(["flink", "list"]) == 0
"""
    printed = run(
        core_python, "-c", code, ROOT / "sample_graphs" / "01-word-count.yaml", cwd=tmp_path
    )

    assert '"stream_graph"' in printed


def test_a_python_without_the_libraries_names_what_to_activate(tmp_path: Path) -> None:
    """What the README's lines meet after ``make run``, outside the environment that it made."""
    python = tmp_path / "bin" / "python"
    venv.create(tmp_path, symlinks=True)
    lines: list[list[str | Path]] = [
        [python, "-m", "explorer", "check", "job.yaml"],
        [python, "-c", OLDER],
    ]
    lacking, older = (
        subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
        for line in lines
    )

    assert (lacking.returncode, older.returncode) == (2, 2), lacking.stderr + older.stderr
    remedy = f"run '. {ROOT}/.venv/bin/activate' first\n"
    assert lacking.stderr.startswith("error: not installed in this Python: ")
    assert lacking.stderr.endswith(f" lacks the library msgspec: {remedy}")
    assert older.stderr.endswith(f" is Python 3.10, and 3.11 or newer is needed: {remedy}")


@pytest.mark.parametrize(("command", "extra"), [("preview", "trial"), ("ui", "page")])
def test_a_missing_library_is_named_with_the_extra_that_installs_it(
    core_python: Path, command: str, extra: str
) -> None:
    sample = [str(ROOT / "sample_graphs" / "01-word-count.yaml")] if command == "preview" else []
    done = subprocess.run(
        [core_python.with_name("streamgraph-explorer"), command, *sample],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    line = shlex.split(done.stderr.partition(": pip ")[2])
    pip = (sys.executable, "-m", "pip", "--python", str(core_python))
    run(*pip, *line, "--dry-run", "--no-deps", "--no-index")
    assert line[-1].endswith(f".whl[{extra}]")


def test_every_extra_lists_the_modules_that_it_installs() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert {*EXTRAS} | {"all"} == {*extras}
    for extra, modules in EXTRAS.items():
        requirements = [Requirement(text) for text in extras[extra]]
        named = {each.name for each in requirements if not each.marker} - {"streamgraph-explorer"}
        assert {name.removesuffix("-python").replace("-", "_") for name in named} == {*modules}


def test_the_console_script_prints_the_version(installed: Path, tmp_path: Path) -> None:
    printed = run(installed.with_name("streamgraph-explorer"), "--version", cwd=tmp_path)

    assert printed == f"streamgraph-explorer {PROJECT['project']['version']}\n"


def test_the_citation_file_has_the_version_of_the_project() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    assert citation["version"] == PROJECT["project"]["version"]
    assert citation["license"] == PROJECT["project"]["license"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {citation['version']} ({citation['date-released']})" in changelog


def test_the_wheel_adds_two_names_and_no_more(wheel: Path) -> None:
    names = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}

    assert {name for name in names if not name.endswith(".dist-info")} == {"components", "explorer"}


def test_the_wheel_holds_every_module_sample_and_asset_of_the_checkout(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    tracked = run("git", "ls-files", "explorer", "components", "sample_graphs").split("\n")
    wanted = {
        re.sub("^sample_graphs/", "explorer/sample_graphs/", name)
        for name in tracked
        if name and (ROOT / name).exists()
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
    extras = PROJECT["project"]["optional-dependencies"].values()
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]

    for text in itertools.chain(wanted, *extras):
        requirement = Requirement(text)
        if requirement.name == PROJECT["project"]["name"]:
            continue
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
