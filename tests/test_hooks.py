"""The commit hooks and the GitHub action do what they say: pre-commit and bash run them here."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
import yaml

from explorer.cli.main import parser
from tests.cli.test_check import COUNT, MEANT
from tests.installations import extras_of, link_distributions, run

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("installed")]

ROOT = Path(__file__).resolve().parent.parent
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
ACTION_FOLDER = ROOT / ".github" / "actions" / "check"
ACTION = yaml.safe_load((ACTION_FOLDER / "action.yml").read_text())
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "pipelines.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
Step = Callable[..., subprocess.CompletedProcess[str]]
BASH = shutil.which("bash") or ""
GUIDE = (ROOT / "docs" / "plan-in-ci.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`([^`\n]+)`:\n\n```ya?ml\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE))
PUBLISHED = (
    "explorer",
    "components",
    "sample_graphs",
    ".streamlit",
    "*.md",
    "app.py",
    ".ci/package_metadata.py",
    "CITATION.cff",
    "LICENSE",
    "pyproject.toml",
    ".pre-commit-hooks.yaml",
)
"""Files that an installation needs, and the hooks."""
GIVEN = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")


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


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project as a repository that users name, with one commit."""
    folder = tmp_path_factory.mktemp("published")
    listed = run("git", "ls-files", "-co", "--exclude-standard", "--", *PUBLISHED)
    for name in listed.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, folder / name)
    git("init", "--quiet", folder=folder)
    git("add", "--force", ".", folder=folder)
    git("commit", "--quiet", "-m", "published", folder=folder)
    return folder


@pytest.fixture(scope="module")
def commit_hooks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables for pre-commit: pip finds what the hooks require in a folder, and nothing else."""
    packages = tmp_path_factory.mktemp("packages")
    added = {name for hook in HOOKS for name in hook["additional_dependencies"]}
    link_distributions(packages, ["hatchling", "streamgraph-explorer", *added])
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "false",  # pip reads it as "no isolation"
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("hooks")),
        "PYTHONPATH": str(packages),
    }


def pre_commit(
    folder: Path, config: str, published: Path, variables: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run the hooks of a configuration as pre-commit does, from the published repository."""
    text = config.replace("ADDRESS", str(published)).replace("REVISION", "HEAD")
    (folder / ".pre-commit-config.yaml").write_text(text)
    git("add", ".", folder=folder)
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files", "--verbose"],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_pre_commit_runs_the_check(
    pipelines: Path, published: Path, commit_hooks: dict[str, str]
) -> None:
    config = "repos: [{repo: ADDRESS, rev: REVISION, hooks: [{id: streamgraph-check}]}]"

    ended = pre_commit(pipelines, config, published, commit_hooks)

    assert ended.returncode == 1, ended.stderr
    assert "good.yaml:6: warning ST01" in ended.stdout
    assert "bad.yaml:8: error EX01" in ended.stdout


def test_pre_commit_runs_the_plan_as_the_guide_configures_it(
    tmp_path: Path, published: Path, commit_hooks: dict[str, str]
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    git("init", "--quiet", folder=tmp_path)
    config = FILES[".pre-commit-config.yaml"]

    refused = pre_commit(tmp_path, config, published, commit_hooks)
    copy(tmp_path / "jobs" / "orders.fixed.yaml", tmp_path / "jobs" / "orders.yaml")
    fixed = pre_commit(tmp_path, config, published, commit_hooks)

    assert "- exit code: 1" in refused.stdout, refused.stderr
    assert "Do not deploy: " in refused.stdout
    assert fixed.returncode == 0, fixed.stdout
    assert "Do not deploy" not in fixed.stdout


def test_the_hooks_install_what_captures_programs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    for hook in HOOKS:
        assert hook["additional_dependencies"] == project["optional-dependencies"]["capture"]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hooks_entry_is_a_command_of_ours(hook: dict[str, Any]) -> None:
    python, *rest = hook["entry"].split()
    assert (python, rest[:2]) == ("python", ["-m", "explorer"])
    parser().parse_args([*rest[2:], "good.yaml"])
    assert hook["language"] == "python"
    assert re.search(hook["exclude"], "good.yaml.lock")
    assert not re.search(hook["exclude"], "good.yaml")


@pytest.fixture(scope="module")
def step(core_python: Path) -> Step:
    """Runs the check of the action as GitHub does, with what its first step installs."""
    assert extras_of(STEPS["Install"]["run"]) == []

    def run_step(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
        defaults = {key: str(row.get("default", "")) for key, row in ACTION["inputs"].items()}
        values = {**defaults, **{key.replace("_", "-"): value for key, value in inputs.items()}}
        wanted = {
            key: GIVEN.sub(lambda found: values[found[1]], text)
            for key, text in STEPS["Check"]["env"].items()
        }
        path = f"{core_python.parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            [BASH, "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS["Check"]["run"]],
            cwd=folder,
            env={**os.environ, **wanted, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    return run_step


def test_the_action_annotates_and_fails_where_it_should(pipelines: Path, step: Step) -> None:
    good = step(pipelines, files="good.yaml")
    assert (good.returncode, good.stderr) == (0, "")
    assert "::warning file=good.yaml,line=6," in good.stdout
    bad = step(pipelines, files="*.yaml", sarif="found.sarif")
    assert bad.returncode == 1
    assert "::error file=bad.yaml,line=8," in bad.stdout
    (made,) = json.loads((pipelines / "found.sarif").read_text())["runs"]
    assert {one["ruleId"] for one in made["results"]} >= {"EX01", "ST01"}


def test_the_action_applies_all_its_inputs(pipelines: Path, step: Step) -> None:
    assert step(pipelines, files="good.yaml", fail_on="warning").returncode == 1
    assert step(pipelines, files="good.yaml", flink="1.9").returncode == 1
    locked = step(pipelines, files="good.yaml", locked="true")
    assert locked.returncode == 1
    assert "there is no good.yaml.lock" in locked.stdout
    subprocess.run(
        [sys.executable, "-m", "explorer", "lock", "good.yaml"], cwd=pipelines, check=True
    )
    assert step(pipelines, files="good.yaml", locked="true").returncode == 0


def test_an_input_is_no_command(pipelines: Path, step: Step) -> None:
    done = step(pipelines, files="good.yaml; touch made $(touch made)", fail_on="error")

    assert done.returncode != 0
    assert not (pipelines / "made").exists()
    for each in STEPS.values():
        assert "${{" not in each["run"]


def test_the_example_workflow_uses_the_action_as_it_is(step: Step) -> None:
    (job,) = WORKFLOW["jobs"].values()
    own = [one for one in job["steps"] if str(one.get("uses", "")).startswith("./")]

    assert len(own) == 1
    assert (ROOT / own[0]["uses"]) == ACTION_FOLDER
    assert set(own[0]["with"]) <= set(ACTION["inputs"])
    required = {name for name, row in ACTION["inputs"].items() if row.get("required")}
    assert required <= set(own[0]["with"])
    done = step(ROOT, files=own[0]["with"]["files"])
    assert done.returncode == 0, done.stdout
