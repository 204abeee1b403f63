"""Every command with a FILE accepts every kind of target: one capture each, then the cache."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from explorer.capture import cached
from explorer.cli.command_table import COMMANDS
from explorer.cli.main import main
from tests.capture.flinks import brought, jar, lib, script
from tests.cli.every_command import command_lines
from tests.documents.resources import JAR, deployment, session_job, stream
from tests.plans.plans import COUNT, program
from tests.rehearsal.golden_cases import unpacked
from tests.targets.test_revisions import GIT
from tests.targets.test_target import SCRIPT

Made = tuple[str, tuple[str, ...]]
"""A FILE, and the options that it needs."""
_ENTRY: Final = "org.apache.flink.client.python.PythonDriver"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached, "cache_folder", lambda: tmp_path / "cache" / "flink")


def _jar(folder: Path) -> Made:
    return str(jar("Orders", "1.20.5", folder)), ()


def _class_path(folder: Path) -> Made:
    jar("Orders", "1.20.5", folder)
    return str(folder / "Orders-1.20.5"), ("--class", "Orders")


def _sql(folder: Path) -> Made:
    (folder / "job.sql").write_text(SCRIPT)
    return str(folder / "job.sql"), ()


def _revision(folder: Path) -> Made:
    """The script at HEAD; the working tree has another one."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    path = Path(_sql(folder)[0])
    for words in (["init", "-q"], ["add", path.name], ["commit", "-q", "-m", "one"]):
        subprocess.run([GIT, *who, *words], cwd=folder, check=True, capture_output=True)
    path.write_text("no SQL at all")
    return f"git:HEAD:{path}", ()


def _session(folder: Path) -> Made:
    """A job of a session cluster, in a stream with the cluster."""
    job = session_job("in-session", entryClass="Orders")
    (folder / "job.yaml").write_text(stream(deployment("session", job=None), job))
    return str(folder / "job.yaml"), ("--artifact", f"{JAR}={_jar(folder)[0]}")


KINDS: Final[dict[str, Callable[[Path], Made]]] = {
    "jar": _jar,
    "class path": _class_path,
    "git": _revision,
    "FlinkSessionJob": _session,
}


def test_every_command_is_tested_or_accepts_no_program() -> None:
    asked = {words[0] for words in command_lines("FILE", ("a", "b"))}
    assert set(COMMANDS) - asked == {
        "completion",
        "flink",
        "follow",  # below
        "inspect-bytes",
        "lesson",
        "mcp",  # documents and savepoints only
        "preview",  # below
        "rehearse",  # below
        "samples",
        "savepoint",  # below
        "schema",
        "trial",  # tests/cli/test_synthetic_figures.py
        "ui",
    }


def _run(
    words: list[str], capsys: pytest.CaptureFixture[str], codes: frozenset[int] = frozenset({0, 3})
) -> str:
    found = main(words)
    printed = capsys.readouterr()
    assert found in codes, (words, printed.err)
    assert printed.out, words
    return printed.out


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
@pytest.mark.parametrize("kind", KINDS)
def test_every_command_accepts_every_target(
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FLINK_HOME", str(lib("1.20.5").parent))
    target, options = KINDS[kind](tmp_path)
    edges = json.loads(_run(["compile", target, *options], capsys))["stream_graph"]["edges"]
    crossing = next(one for one in edges if one["partitioner"] != "FORWARD")
    for words in command_lines(target, (str(crossing["source"]), str(crossing["target"]))):
        _run([*words, *options], capsys)
    for command in ("preview", "follow"):
        assert main([command, target, *options]) == 1
        assert "does not hold the program's functions" in capsys.readouterr().err


@pytest.mark.flink
def test_commands_accept_a_pyflink_script_and_a_resource_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    python = str(brought("python-2.2.1") / "bin" / "python")
    words, lib_folder = script(tmp_path), str(lib("2.2.1"))
    options = ("--python", python, "--flink-lib", lib_folder)
    job = {"entryClass": _ENTRY, "args": ["-py", JAR, "counted"], "parallelism": 2}
    (tmp_path / "job.yaml").write_text(stream(deployment(flinkVersion="v2_2", job=job)))
    resource = str(tmp_path / "job.yaml")

    assert "Map" in _run(["explain", str(words), *options, "--", "counted"], capsys)
    found = _run(["plan", resource, *options, "--artifact", f"{JAR}={words}"], capsys)
    assert "NEW  counted, Flink 2.2" in found


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_savepoint_is_rehearsed_into_a_resource(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FLINK_HOME", str(lib("1.20.5").parent))
    case = unpacked(tmp_path) / "same-1.20.5-hashmap-canonical"
    options = {"state.backend.type": "hashmap"}
    resource = tmp_path / "job.yaml"
    resource.write_text(stream(deployment(flinkConfiguration=options)))
    artifact = ["--artifact", f"{JAR}={case / 'new.jar'}"]

    found = _run(["rehearse", str(case / "savepoint"), str(resource), *artifact], capsys)
    assert "Flink 1.20.5 restored every rehearsed operator" in found
    assert "by its uid" in _run(
        ["savepoint", str(case / "savepoint"), str(resource), *artifact], capsys
    )


def test_only_a_program_is_rehearsed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = tmp_path / "job.json"
    document.write_text(json.dumps(program(COUNT)))
    resource = tmp_path / "job.yaml"
    resource.write_text(stream(deployment()))

    for target in (str(document), str(resource), "http://localhost:1/jobs/1"):
        words = ["rehearse", "savepoint", target, "--artifact", f"{JAR}={document}"]
        assert main(words) == 1
        assert "is no program that can be started: give a .jar" in capsys.readouterr().err
