"""The GitHub action and the GitLab template of ``plan``: bash runs them, a server answers."""

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
import yaml

from explorer.cli.main import parser
from explorer.plans.markdown import marker
from tests.installations import extras_of
from tests.plans.plans import COUNT, FILTERED, program

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("installed")]

Bash = Callable[..., subprocess.CompletedProcess[str]]
ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / ".github" / "actions" / "plan"
ACTION: Final = yaml.safe_load((FOLDER / "action.yml").read_text())
STEPS: Final = {step["name"]: step for step in ACTION["runs"]["steps"]}
TEMPLATE: Final = yaml.safe_load((ROOT / ".gitlab" / "plan.gitlab-ci.yml").read_text())
GIVEN: Final = re.compile(r"\$\{\{ ([\w.-]+) \}\}")


class Forge:
    """A server that has the comments' endpoints of GitHub and GitLab."""

    def __init__(self) -> None:
        self.comments: list[dict[str, Any]] = [{"id": 7, "body": "somebody's"}]
        self.asked: list[tuple[str, str]] = []
        self.tokens: set[str] = set()

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        self.asked.append((method, urlsplit(path).path))
        if method == "GET":
            return 200, self.comments
        if method == "POST":
            self.comments.append({"id": 8 + len(self.comments), **body})
            return 201, self.comments[-1]
        one = next(one for one in self.comments if path.endswith(f"/{one['id']}"))
        one["body"] = body["body"]
        return 200, one


@contextmanager
def forge() -> Iterator[tuple[Forge, str]]:
    """A forge on loopback, and its address."""
    found = Forge()

    class Handler(BaseHTTPRequestHandler):
        def reply(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"null")
            token = self.headers.get("Authorization") or self.headers.get("PRIVATE-TOKEN") or ""
            found.tokens.add(token)
            code, answer = found.answer(self.command, self.path, body)
            self.send_response(code)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        do_GET = do_POST = do_PATCH = do_PUT = reply  # noqa: N815 - names of the library

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield found, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the deployed version, and with two builds."""
    for name, transformations in (("deployed", COUNT), ("same", COUNT), ("moved", FILTERED)):
        # Another name leaves types and user code unchecked, which an identical program does not.
        values = {**program(transformations), "name": f"words, {name}"}
        (tmp_path / f"{name}.json").write_text(json.dumps(values))
    event = {"pull_request": {"number": 12}}
    (tmp_path / "event.json").write_text(json.dumps(event))
    return tmp_path


@pytest.fixture(scope="session")
def bash(capture_python: Path) -> Bash:
    """Runs a script as a runner does, with what the recipes install."""
    assert extras_of(STEPS["Install"]["run"]) == ["capture"]
    assert extras_of(TEMPLATE[".flink-plan"]["variables"]["PLAN_PACKAGE"]) == ["capture"]
    path = f"{capture_python.parent}{os.pathsep}{os.environ['PATH']}"

    def run_script(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        outside = {key: value for key, value in os.environ.items() if "TOKEN" not in key}
        return subprocess.run(
            [shutil.which("bash") or "", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=folder,
            env={**outside, "PATH": path, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    return run_script


def planned(
    bash: Bash, folder: Path, address: str, **inputs: str
) -> subprocess.CompletedProcess[str]:
    """Run the action's steps as GitHub does, with inputs and outputs in their variables."""
    values = {key: str(row.get("default", "")) for key, row in ACTION["inputs"].items()}
    values |= {key.replace("_", "-"): value for key, value in inputs.items()}
    values = {f"inputs.{key}": value for key, value in values.items()}
    runner = {
        "GITHUB_API_URL": address,
        "GITHUB_REPOSITORY": "a/b",
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "GITHUB_OUTPUT": str(folder / "outputs.txt"),
    }
    for name in ("Capture and plan", "Report"):
        given = {
            key: GIVEN.sub(lambda found: values[found[1]], text)
            for key, text in STEPS[name]["env"].items()
        }
        if name == "Capture and plan":
            assert "secret" not in given.values()
        done = bash(STEPS[name]["run"], folder, **given, **runner)
        if done.returncode:
            break
        for line in (folder / "outputs.txt").read_text().splitlines():
            output, _, value = line.partition("=")
            values[f"steps.plan.outputs.{output}"] = value
    return done


def test_the_action_comments_and_updates_its_own_comment(repository: Path, bash: Bash) -> None:
    with forge() as (found, address):
        asked = {"new": "moved.json", "from": "deployed.json", "token": "secret"}
        first = planned(bash, repository, address, **asked, html="plan.html", sarif="plan.sarif")
        again = planned(bash, repository, address, **asked)

    assert (first.returncode, again.returncode) == (1, 1), first.stderr
    assert "::error file=moved.json,title=State" in first.stdout
    assert [one for one in found.asked if one[0] != "GET"] == [
        ("POST", "/repos/a/b/issues/12/comments"),
        ("PATCH", "/repos/a/b/issues/comments/9"),
    ]
    assert len(found.comments) == 2
    assert found.comments[1]["body"].startswith(marker("moved.json"))
    assert found.tokens == {"Bearer secret"}
    assert "<svg " in (repository / "plan.html").read_text()
    assert json.loads((repository / "plan.sarif").read_text())["runs"][0]["results"]
    assert "Do not deploy" in (repository / "summary.md").read_text()


def test_the_action_reads_its_options_line_by_line(repository: Path, bash: Bash) -> None:
    with forge() as (_, address):
        asked = {"new": "same.json", "from": "deployed.json", "token": ""}
        strict = planned(bash, repository, address, **asked)
        accepted = planned(bash, repository, address, **asked, accept_unchecked="true")
        odd = planned(bash, repository, address, **asked, options="--flink=1.20\n$(touch made); x")

    assert (strict.returncode, accepted.returncode) == (3, 0)
    assert "no pull or merge request" in strict.stderr
    assert odd.returncode == 2
    assert not (repository / "made").exists()
    for each in STEPS.values():
        assert "${{" not in each["run"]


def test_an_unreadable_file_fails_with_one_message(repository: Path, bash: Bash) -> None:
    asked = {"new": "missing.jar", "token": "secret"}

    done = planned(bash, repository, "http://127.0.0.1:9", **asked)

    assert done.returncode == 1
    assert "missing.jar" in done.stderr


def test_a_server_that_refuses_does_not_decide(repository: Path, bash: Bash) -> None:
    asked = {"new": "same.json", "from": "deployed.json", "token": "secret"}

    done = planned(bash, repository, "http://127.0.0.1:9", **asked, accept_unchecked="true")

    assert done.returncode == 0
    assert "warning: the plan is not commented" in done.stderr


def test_the_template_comments_on_a_merge_request(repository: Path, bash: Bash) -> None:
    job, comment = TEMPLATE[".flink-plan"], TEMPLATE[".flink-plan-comment"]
    with forge() as (found, address):
        given = {"PLAN_NEW": "moved.json", "PLAN_FROM": "deployed.json"}
        gitlab = {
            "CI_API_V4_URL": address,
            "CI_PROJECT_ID": "5",
            "CI_MERGE_REQUEST_IID": "3",
            "GITLAB_TOKEN": "secret",
        }
        variables = {**job["variables"], **given, **gitlab}
        done = [
            bash("\n".join(step["script"]), repository, **variables)
            for step in (job, comment, job, comment)
        ]

    assert [one.returncode for one in done] == [1, 0, 1, 0], done[0].stderr
    assert [one for one in found.asked if one[0] != "GET"] == [
        ("POST", "/projects/5/merge_requests/3/notes"),
        ("PUT", "/projects/5/merge_requests/3/notes/9"),
    ]
    assert all((repository / name).exists() for name in job["artifacts"]["paths"])
    assert job["allow_failure"] == {"exit_codes": [3]}


HOSTILE: Final = """
import os, sys
from pathlib import Path
tokens = {name: value for name, value in os.environ.items() if value == "secret"}
Path(sys.path[0] or ".", "stolen").write_text(str(tokens))
"""


def test_no_step_runs_modules_of_the_repository(repository: Path, bash: Bash) -> None:
    """A pull request may have files with the names of modules, in the current folder."""
    for name in ("explorer/__init__.py", "explorer/__main__.py", "msgspec.py", "json.py"):
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text(HOSTILE)
    asked = {"new": "same.json", "from": "deployed.json", "token": "secret"}
    with forge() as (found, address):
        done = planned(bash, repository, address, **asked, accept_unchecked="true")
        job, comment = TEMPLATE[".flink-plan"], TEMPLATE[".flink-plan-comment"]
        given = {"PLAN_NEW": "same.json", "GITLAB_TOKEN": "secret"}
        for step in (job, comment):
            bash("\n".join(step["script"]), repository, **{**job["variables"], **given})

    assert (done.returncode, len(found.comments)) == (0, 2), done.stderr
    assert list(repository.rglob("stolen")) == []
    scripts = [step["run"] for step in ACTION["runs"]["steps"]]
    scripts += [
        line for step in (job, comment) for line in (*step["before_script"], *step["script"])
    ]
    assert re.findall(r"python (?!-P -m)", "\n".join(scripts)) == []


def test_the_step_that_captures_has_no_secret() -> None:
    secrets = {
        name: [key for key, text in step.get("env", {}).items() if "inputs.token" in text]
        for name, step in STEPS.items()
    }

    assert {name for name, keys in secrets.items() if keys} == {"Report"}
    assert 'explorer plan "$NEW"' not in STEPS["Report"]["run"]
    comment = TEMPLATE[".flink-plan-comment"]
    assert comment["environment"]["name"] == "flink-plan"
    assert comment["variables"]["GIT_STRATEGY"] == "none"


CREDENTIALS: Final = {
    "action": ("GITHUB_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_RUNTIME_TOKEN"),
    "template": (
        *("GITLAB_TOKEN", "CI_JOB_TOKEN", "CI_REGISTRY_PASSWORD", "CI_REPOSITORY_URL"),
        *("CI_DEPENDENCY_PROXY_PASSWORD", "CI_DEPLOY_PASSWORD", "CI_JOB_JWT", "CI_JOB_JWT_V2"),
    ),
}
"""What a runner may give to each step or job that does not refuse it."""


@pytest.mark.parametrize("recipe", list(CREDENTIALS))
def test_the_command_that_captures_inherits_no_credential(
    recipe: str, tmp_path: Path, bash: Bash
) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\nenv >> {tmp_path}/inherited.txt\n")
    python.chmod(0o755)
    step, job = STEPS["Capture and plan"], TEMPLATE[".flink-plan"]
    script, own = step["run"], step["env"] | {"NEW": "new.jar"}
    if recipe == "template":
        script, own = "\n".join(job["script"]), job["variables"] | {"PLAN_NEW": "new.jar"}
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    bash(script, tmp_path, **{**dict.fromkeys(CREDENTIALS[recipe], "secret"), **own, "PATH": path})

    inherited = (tmp_path / "inherited.txt").read_text()
    assert "NEW=new.jar" in inherited
    assert re.findall(r"(\w+)=secret", inherited) == []


def test_the_hook_is_a_command_of_ours() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (hook,) = (one for one in hooks if one["id"] == "streamgraph-plan")

    parser().parse_args([*hook["entry"].split()[3:], "new.yaml", "--from", "old.yaml"])
    assert hook["pass_filenames"] is False
