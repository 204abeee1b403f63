"""The shipped editor is what its lock file and its build script make, byte by byte."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from components.widgets.packaged import ROOT
from explorer.locations import browser_folder
from tests.patience import PATIENCE

SOURCE, ASSETS = ROOT / "widgets" / "editor" / "codemirror", browser_folder() / "editor"
BUILT = ("codemirror.js", "codemirror.LICENSES.txt")


@pytest.mark.process
def test_the_bundle_is_built_of_the_locked_packages(tmp_path: Path) -> None:
    assert shutil.which("npm"), "npm is missing: .ci/browser-and-java installs it"
    copied = shutil.copytree(
        SOURCE, tmp_path / "codemirror", ignore=shutil.ignore_patterns("node_modules")
    )
    for command in (["npm", "ci"], ["node", "build.js", str(tmp_path)]):
        done = subprocess.run(
            command, cwd=copied, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stderr
    for name in BUILT:
        assert (tmp_path / name).read_bytes() == (ASSETS / name).read_bytes(), name


def test_every_package_of_the_bundle_has_a_version_and_its_licence() -> None:
    lock = json.loads((SOURCE / "package-lock.json").read_text(encoding="utf-8"))
    texts = (ASSETS / "codemirror.LICENSES.txt").read_text(encoding="utf-8")
    heads = re.findall(r"^(\S+) (\d\S*), (\S+)$", texts, re.MULTILINE)
    assert {"@codemirror/view", "@codemirror/lang-yaml", "@lezer/lr"} <= {
        one for one, _, _ in heads
    }
    for name, version, licence in heads:
        assert lock["packages"][f"node_modules/{name}"]["version"] == version
        assert licence == "MIT"
    assert "integrity" in str(lock["packages"]["node_modules/@codemirror/view"])
