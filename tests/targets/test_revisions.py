"""``git:REVISION``: a file as a revision has it, with nothing of the repository started."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from explorer.capture import cached
from explorer.cli.main import main
from explorer.errors import ExplorerError
from explorer.targets import captured_jobs
from explorer.targets.revisions import file_at_revision
from tests.capture.flinks import lib
from tests.plans.plans import COUNT, FILTERED, program

GIT = shutil.which("git") or "git"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository in which job.json has another program than the working tree."""

    def git(*words: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run([GIT, *who, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-b", "main")
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "job.json").write_text(json.dumps(program(COUNT)))
    git("add", ".")
    git("commit", "-m", "old")
    (tmp_path / "deploy" / "job.json").write_text(json.dumps(program(FILTERED)))
    return tmp_path


def test_the_old_side_is_the_same_path_at_a_revision(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)

    assert main(["plan", "deploy/job.json", "--from", "git:main", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["old"]["read_from"] == "git:main"
    assert main(["compare", "git:main:deploy/job.json", "deploy/job.json"]) == 0
    assert "git" not in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "beside", "message"),
    [
        ("git:gone", "deploy/job.json", "at 'gone': "),
        ("git:main", "deploy/other.json", "git has no 'deploy/other.json' at 'main'"),
        ("git:main", "-", "write git:REVISION:PATH"),
        ("git:main", None, "write git:REVISION:PATH"),
        ("git:", "deploy/job.json", "names no revision"),
        ("git:--output=x", "deploy/job.json", "names no revision"),
        ("git:main\0", "deploy/job.json", "git cannot be asked"),
        ("git:main:../../../../../../etc/passwd", None, "git has no"),
        ("git:main:deploy", None, "git has no"),
    ],
)
def test_a_file_missing_in_a_revision_is_reported(
    target: str,
    beside: str | None,
    message: str,
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(repository)

    with pytest.raises(ExplorerError, match=message), file_at_revision(target, beside):
        pass
    assert not (repository / "x").exists()


def test_nothing_that_the_repository_configures_is_started(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    trap = repository / "trap.sh"
    trap.write_text("#!/bin/sh\ntouch sprung\ncat\n")
    trap.chmod(0o755)
    (repository / ".gitattributes").write_text("*.json diff=trap filter=trap\n")
    for key in ("diff.trap.textconv", "diff.external", "core.fsmonitor", "filter.trap.smudge"):
        subprocess.run([GIT, "config", key, str(trap)], check=True)

    with file_at_revision("git:main", "deploy/job.json") as copy:
        assert json.loads(copy.read_text()) == program(COUNT)
    assert not list(repository.rglob("sprung"))


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_progress_and_errors_name_the_revision_and_no_temporary_copy(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = (
        "CREATE TABLE a (x INT) WITH ('connector' = 'datagen');"
        "CREATE TABLE b (x INT) WITH ('connector' = 'blackhole');"
        "INSERT INTO b SELECT x FROM a; INSERT INTO b SELECT x + 1 FROM a;"
    )
    (repository / "two.sql").write_text(script)
    for words in (["add", "."], ["commit", "-m", "two"]):
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run([GIT, *who, *words], cwd=repository, check=True, capture_output=True)
    monkeypatch.chdir(repository)
    monkeypatch.setenv("FLINK_HOME", str(lib("2.2.1").parent))
    monkeypatch.setattr(cached, "cache_folder", lambda: repository / "cache" / "flink")
    monkeypatch.setattr(captured_jobs, "_QUIET", 0.0)

    assert main(["plan", "deploy/job.json", "--from", "git:main:two.sql"]) == 1
    err = capsys.readouterr().err
    assert "capturing git:main:two.sql with Flink 2.2.1 ..." in err
    assert "error: git:main:two.sql has 2 jobs" in err
    assert "capture git:main:two.sql --job NAME" in err
    assert "explorer-git-" not in err
