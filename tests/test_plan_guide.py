"""The guide *Plan every pull request*: its files make a repository, and its commands run there."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from explorer.cli.main import main
from tests.test_plan_in_ci import ACTION, TEMPLATE, Bash, bash, planned

__all__ = ["bash"]

ROOT: Final = Path(__file__).resolve().parent.parent
GUIDE: Final = (ROOT / "docs" / "plan-in-ci.md").read_text(encoding="utf-8")
FILES: Final = dict(
    re.findall(r"^`([^`\n]+)`:\n\n```ya?ml\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
)
COMMANDS: Final = re.findall(r"^streamgraph-explorer (plan .*)$", GUIDE, re.MULTILINE)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "event.json").write_text(json.dumps({}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    main([*arguments, "--format", "json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_commands_exit_as_the_guide_states(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [main(command.split()) for command in COMMANDS] == [1, 0]

    found = printed(capsys, *COMMANDS[0].split())
    (total,) = (one for one in found["sections"]["state"]["changes"] if "Reduce" in one["subject"])
    (id,) = re.findall(r'setUidHash\("(\w+)"\)', total["fix"])
    fixed = repository / "jobs" / "orders.fixed.yaml"
    assert f"uid_hash: {id}" in fixed.read_text()
    asked = ["plan", str(fixed), *COMMANDS[0].split()[2:]]
    assert main(asked) == 3
    assert main([*asked, "--accept-unchecked"]) == 0


@pytest.mark.process
@pytest.mark.xdist_group("installed")
def test_the_workflow_runs_the_action_with_its_inputs(repository: Path, bash: Bash) -> None:
    (job,) = yaml.safe_load(FILES[".github/workflows/plan.yml"])["jobs"].values()
    given = job["steps"][-1]["with"]

    assert given.keys() <= ACTION["inputs"].keys()
    done = planned(bash, repository, "http://127.0.0.1:9", **given, token="")
    assert done.returncode == 1
    assert "::error file=jobs/orders.yaml,title=State" in done.stdout
    assert (repository / "plan.html").exists()


def test_the_other_files_name_what_there_is() -> None:
    job = yaml.safe_load(FILES[".gitlab-ci.yml"])["plan orders"]
    (repo,) = yaml.safe_load(FILES[".pre-commit-config.yaml"])["repos"]
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())

    assert job["extends"] in TEMPLATE
    assert job["variables"].keys() <= TEMPLATE[".flink-plan"]["variables"].keys()
    assert {one["id"] for one in repo["hooks"]} <= {one["id"] for one in hooks}
