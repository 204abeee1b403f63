"""Without a Java that Spark can use, a trial says in one sentence what to install."""

import os
import stat
from pathlib import Path

import pytest

from explorer.engine.spark import workspace
from explorer.engine.spark.engine import Engine
from explorer.engine.spark.java import java_problem
from explorer.engine.spark.spark_settings import SparkTarget
from explorer.errors import MissingJavaError


def _pretend(folder: Path, version: str) -> Path:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2021-01-01' >&2\n")
    java.chmod(java.stat().st_mode | stat.S_IXUSR)
    return folder


def test_no_java_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    problem = java_problem()

    assert problem.startswith("A trial run needs Java, and no java is on the PATH: install Java 17")
    with pytest.raises(MissingJavaError, match="install Java 17 or newer"):
        Engine(SparkTarget(master="local[1]"), tmp_path)


def test_a_java_home_without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))

    assert "has no bin/java: install Java 17 or newer" in java_problem()


@pytest.mark.parametrize(
    ("version", "problem"),
    [("1.8.0_292", "is Java 8"), ("11.0.2", "is Java 11"), ("17.0.15", ""), ("25-ea", "")],
)
def test_the_version_must_be_17_or_newer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, problem: str
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(_pretend(tmp_path / "java", version)))

    assert problem in java_problem()
    assert bool(java_problem()) == bool(problem)


def test_a_java_without_output_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = _pretend(tmp_path / "java", "17")
    (home / "bin" / "java").write_text("#!/bin/sh\nexit 1\n")
    monkeypatch.setenv("JAVA_HOME", str(home))

    assert "does not report its version" in java_problem()


def test_folders_of_dead_processes_are_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(workspace, "_parent", lambda: tmp_path)
    dead, alive = (
        tmp_path / "explorer-trial-999999999-x",
        tmp_path / f"explorer-trial-{os.getpid()}-x",
    )
    other = tmp_path / "explorer-trial-notes"
    for folder in (dead, alive, other):
        folder.mkdir()
    made = workspace.make()

    assert made.is_dir()
    assert [folder.exists() for folder in (dead, alive, other)] == [False, True, True]


def test_a_visitors_folder_of_a_dead_process_is_removed_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(workspace, "_parent", lambda: tmp_path)
    dead, alive = tmp_path / "explorer-data-999999999-x", workspace.make("data")
    dead.mkdir()
    workspace.sweep()

    assert not dead.exists()
    assert alive.name.startswith(f"explorer-data-{os.getpid()}-")
    assert alive.is_dir()
