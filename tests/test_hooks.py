"""The commit hooks and the GitHub action do what they say: pre-commit and bash run them here."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
import yaml

from explorer.cli.main import parser
from tests.cli.test_check import COUNT, MEANT

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parent.parent
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
ACTION_FOLDER = ROOT / ".github" / "actions" / "check"
ACTION = yaml.safe_load((ACTION_FOLDER / "action.yml").read_text())
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "pipelines.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
GIVEN = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
PACKAGES = sysconfig.get_path("purelib")
OURS = {
    "PIP_NO_DEPS": "1",
    "PIP_NO_BUILD_ISOLATION": "false",  # pip reads it as "no isolation"
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONPATH": PACKAGES,
}
"""What lets pip build us with what is installed here, and bring nothing."""


def git(*arguments: str, folder: Path) -> None:
    who = ("-c", "user.name=tester", "-c", "user.email=tester@example.org")
    found = shutil.which("git") or ""
    subprocess.run([found, *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def pipelines(tmp_path: Path) -> Path:
    """A user's repository with a good and a bad pipeline."""
    folder = tmp_path / "pipelines"
    folder.mkdir()
    (folder / "good.yaml").write_text(COUNT)
    (folder / "bad.yaml").write_text(MEANT)
    git("init", "--quiet", folder=folder)
    git("add", ".", folder=folder)
    git("commit", "--quiet", "-m", "two pipelines", folder=folder)
    return folder


def test_pre_commit_itself_runs_the_hook(pipelines: Path, tmp_path: Path) -> None:
    """``try-repo`` installs us from this checkout, as the hook's users get it, and runs it."""
    environment = {**os.environ, **OURS, "PRE_COMMIT_HOME": str(tmp_path / "hooks")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), "streamgraph-check"]

    done = subprocess.run(
        [*command, "--verbose", "--files", "good.yaml", "bad.yaml"],
        cwd=pipelines,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1, done.stderr
    assert "good.yaml:6: warning ST01" in done.stdout
    assert "bad.yaml:8: error EX01" in done.stdout


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hooks_entry_is_a_command_of_ours(hook: dict[str, Any], pipelines: Path) -> None:
    python, *rest = hook["entry"].split()
    assert (python, rest[:2]) == ("python", ["-m", "explorer"])
    parser().parse_args([*rest[2:], "good.yaml"])
    assert hook["language"] == "python"
    done = subprocess.run(
        [sys.executable, *rest, "bad.yaml"], cwd=pipelines, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert re.search(hook["exclude"], "good.yaml.lock")
    assert not re.search(hook["exclude"], "good.yaml")


def step(name: str, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a step of the action as GitHub does: bash, with inputs in its variables."""
    defaults = {key: str(row.get("default", "")) for key, row in ACTION["inputs"].items()}
    values = {**defaults, **{key.replace("_", "-"): value for key, value in inputs.items()}}
    wanted = {
        key: GIVEN.sub(lambda found: values[found[1]], text)
        for key, text in STEPS[name].get("env", {}).items()
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **wanted, "PATH": path, "GITHUB_ACTION_PATH": str(ACTION_FOLDER)}
    bash = shutil.which("bash") or ""
    return subprocess.run(
        [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]],
        cwd=folder,
        env=environment if name == "Check" else {**environment, **OURS},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_action_annotates_and_fails_where_it_should(pipelines: Path) -> None:
    good = step("Check", pipelines, files="good.yaml")
    assert (good.returncode, good.stderr) == (0, "")
    assert "::warning file=good.yaml,line=6," in good.stdout
    bad = step("Check", pipelines, files="*.yaml", sarif="found.sarif")
    assert bad.returncode == 1
    assert "::error file=bad.yaml,line=8," in bad.stdout
    (made,) = json.loads((pipelines / "found.sarif").read_text())["runs"]
    assert {one["ruleId"] for one in made["results"]} >= {"EX01", "ST01"}


def test_the_action_applies_all_its_inputs(pipelines: Path) -> None:
    assert step("Check", pipelines, files="good.yaml", fail_on="warning").returncode == 1
    assert step("Check", pipelines, files="good.yaml", flink="1.9").returncode == 1
    locked = step("Check", pipelines, files="good.yaml", locked="true")
    assert locked.returncode == 1
    assert "there is no good.yaml.lock" in locked.stdout
    subprocess.run(
        [sys.executable, "-m", "explorer", "lock", "good.yaml"], cwd=pipelines, check=True
    )
    assert step("Check", pipelines, files="good.yaml", locked="true").returncode == 0


def test_an_input_is_no_command(pipelines: Path) -> None:
    done = step("Check", pipelines, files="good.yaml; touch made $(touch made)", fail_on="error")

    assert done.returncode != 0
    assert not (pipelines / "made").exists()
    for each in STEPS.values():
        assert "${{" not in each["run"]


def test_the_action_installs_the_checkout_that_it_lies_in(pipelines: Path, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    os.environ["PIP_TARGET"] = str(tmp_path / "site")
    try:
        done = step("Install", pipelines)
    finally:
        del os.environ["PIP_TARGET"]

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "explorer" / "analysis" / "lock.py").exists()


def test_the_example_workflow_uses_the_action_as_it_is() -> None:
    (job,) = WORKFLOW["jobs"].values()
    own = [one for one in job["steps"] if str(one.get("uses", "")).startswith("./")]

    assert len(own) == 1
    assert (ROOT / own[0]["uses"]) == ACTION_FOLDER
    assert set(own[0]["with"]) <= set(ACTION["inputs"])
    required = {name for name, row in ACTION["inputs"].items() if row.get("required")}
    assert required <= set(own[0]["with"])
    done = step("Check", ROOT, files=own[0]["with"]["files"])
    assert done.returncode == 0, done.stdout
