"""A release is one row: with a made-up one every command answers, and few lines name the newest."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from explorer.flink.releases import LATEST, SWITCHES, VERSIONS

ROOT: Final = Path(__file__).resolve().parents[1]
GUIDE: Final = (ROOT / "docs" / "inside.md").read_text(encoding="utf-8")
MADE_UP: Final = "{}.{}".format(*(part + at for at, part in enumerate(map(int, LATEST.split(".")))))
"""The release after the newest one."""
OTHER_LINES: Final = 60
SAMPLE: Final = "sample_graphs/01-word-count.yaml"
COMMANDS: Final = {
    "compile": f"compile {SAMPLE}",
    "explain": f"explain {SAMPLE}",
    "check": f"check {SAMPLE} --format json",
    "draw": f"draw {SAMPLE}",
    "resources": f"deploy {SAMPLE} --json",
    "restore": f"restore {SAMPLE} {SAMPLE} --from-flink {LATEST} --json",
    "plan": f"plan {SAMPLE} --from {SAMPLE} --from-flink {LATEST} --format json",
}
ASK: Final = """
import contextlib, importlib.util, io, json, sys
import explorer.flink

path, newest, made_up, commands = sys.argv[1:]
source = open(path, encoding="utf-8").read()
row = f'    "{newest}",\\n)\\n'
assert source.count(row) == 1, "the newest release is the last row of VERSIONS"
spec = importlib.util.spec_from_file_location("explorer.flink.releases", path)
module = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = explorer.flink.releases = module
exec(source.replace(row, f'    "{newest}",\\n    "{made_up}",\\n)\\n'), module.__dict__)

from explorer.cli.main import main

answers = {}
for name, line in json.loads(commands).items():
    for release in (newest, made_up):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = main([*line.split(), "--flink", release])
        answers[f"{name} {release}"] = [code, output.getvalue()]
json.dump(answers, sys.stdout)
"""
"""Appends one row to the table of releases before anything imports it, then runs commands."""


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    """Exit code and output by command and release, where one more release is known."""
    table = str(ROOT / "explorer" / "flink" / "releases.py")
    line = [sys.executable, "-c", ASK, table, LATEST, MADE_UP, json.dumps(COMMANDS)]
    ended = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    printed: dict[str, Any] = json.loads(ended.stdout)
    return printed


@pytest.mark.process
@pytest.mark.parametrize("name", COMMANDS)
def test_one_row_makes_a_release_that_every_command_accepts(
    name: str, answers: dict[str, Any]
) -> None:
    newest, made_up = answers[f"{name} {LATEST}"], answers[f"{name} {MADE_UP}"]

    assert made_up[0] == newest[0]
    # Without values of its own the release behaves as the one before it.
    if name == "compile":
        assert made_up[1].replace(f'"{MADE_UP}"', f'"{LATEST}"') == newest[1]


@pytest.mark.slow
def test_few_lines_name_the_newest_release_and_the_checklist_has_their_files() -> None:
    """Lines that state a range of releases or list the versions that are asked."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py", "*.md", "*.cff", "*.toml", "Makefile"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    newest = re.compile(
        rf"\b1\.\d+\s+to\s+{re.escape(LATEST)}\b|^.*VERSIONS.*\"{re.escape(LATEST)}\.\d+\"|"
        rf"^NEWEST\b.*{re.escape(LATEST)}",
        re.MULTILINE,
    )
    named = {
        name: len(newest.findall((ROOT / name).read_text(encoding="utf-8")))
        for name in listed
        if name not in {"CHANGELOG.md", "tests/test_new_release.py"}
    }
    files = [name for name, count in named.items() if count and not name.startswith("tests/")]

    assert sum(named.values()) <= OTHER_LINES
    assert [name for name in files if f"`{name}`" not in GUIDE] == []


def test_the_checklist_is_for_the_next_release() -> None:
    assert f"## Add release {MADE_UP}\n" in GUIDE
    planned = {version for row in SWITCHES.values() for version in row.planned}
    assert planned.isdisjoint(VERSIONS)
