"""Inputs of ``plan`` about which an answer must report what it assumed or did not apply."""

import json
import zipfile
from pathlib import Path

import pytest

from explorer.capture import cached
from explorer.capture.cached import CaptureOptions, is_release_assumed
from explorer.cli.main import main
from explorer.documents import as_document
from explorer.plans import PlanRequest, make_plan
from tests.capture.flinks import lib
from tests.documents.resources import JAR, deployment, stream
from tests.plans.plans import COUNT, program


@pytest.fixture
def document(tmp_path: Path) -> str:
    path = tmp_path / "job.json"
    path.write_text(json.dumps(program(COUNT)))
    return str(path)


def test_options_of_new_only_are_named(
    document: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = ["-p", "3", "-D", "taskmanager.numberOfTaskSlots=4", "--conf", str(tmp_path)]

    main(["plan", document, "--from", document, *asked, "--format", "json"])
    release = json.loads(capsys.readouterr().out)["sections"]["release"]
    assert [(one["severity"], one["sentence"]) for one in release["changes"]] == [
        (
            "warning",
            "--conf and --parallelism have no effect: a document holds its own options and "
            "parallelism. Give a program or a Kubernetes resource.",
        ),
        (
            "note",
            "-p 3 and -D taskmanager.numberOfTaskSlots=4: applied to NEW only; the options of "
            "OLD's graph are its own (job.json). The resources of both sides are computed with -D.",
        ),
    ]
    assert release["verdict"] == "attention"
    assert release["sentence"] == "Flink 2.2 on both sides; 1 assumption about NEW."


def test_the_options_of_an_old_resource_are_named(
    document: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    resource = tmp_path / "resource.yaml"
    resource.write_text(stream(deployment()))
    asked = ["--from", str(resource), "--artifact", f"{JAR}={document}", "-D", "a.b=c"]

    main(["plan", str(resource), *asked, "--format", "json"])
    changes = json.loads(capsys.readouterr().out)["sections"]["release"]["changes"]
    assert changes[-1]["sentence"] == (
        "-D a.b=c: applied to NEW only; the options of OLD's graph are those of FlinkDeployment "
        "'basic'."
    )


def test_a_jar_that_names_no_release_needs_attention(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FLINK_HOME", raising=False)
    jar = tmp_path / "job.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("Main.class", "")

    assert is_release_assumed(jar, CaptureOptions())
    assert not is_release_assumed(jar, CaptureOptions(release="1.20"))
    assert is_release_assumed(tmp_path / "job.sql", CaptureOptions())
    assert not is_release_assumed(tmp_path / "job.sql", CaptureOptions(flink_lib="lib"))
    assert not is_release_assumed(tmp_path / "job.py", CaptureOptions())
    sentence = "'job.jar' names no Flink release: Flink 2.3 is assumed."
    found = make_plan(as_document(program(COUNT)), None, PlanRequest(notes=(sentence,)))
    assert found.section("release").verdict == "attention"
    assert found.section("release").changes[0].sentence == sentence


def test_an_unknown_flink_version_is_the_reason_of_the_verdict(
    document: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    resource = tmp_path / "resource.yaml"
    resource.write_text(stream(deployment(flinkVersion="v2_9")))

    assert main(["plan", str(resource), "--artifact", f"{JAR}={document}"]) == 3
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith(
        "Not everything could be checked: Flink 2.9 (flinkVersion v2_9) is not known: the rules of "
    )


@pytest.mark.flink
@pytest.mark.parametrize("command", ["capture", "explain", "compile", "check", "deploy"])
def test_a_program_is_captured_with_the_release_that_is_named(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    script = tmp_path / "job.sql"
    script.write_text("SELECT 1;")
    monkeypatch.setenv("FLINK_HOME", str(lib("2.2.1").parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    assert main([command, str(script), "--flink", "1.19"]) == 2
    printed = "".join(capsys.readouterr())
    assert "this needs the jars of Flink 1.19, and here are those of Flink 2.2.1" in printed
    assert "python -m explorer flink install 1.19" in printed


def test_options_of_old_are_applied_to_old(
    document: str, capsys: pytest.CaptureFixture[str]
) -> None:
    size = "taskmanager.memory.process.size"
    asked = ["-D", f"{size}=4g", "--old-option", f"{size}=3g", "--old-parallelism", "3"]

    main(["plan", document, "--from", document, *asked, "--format", "json"])
    sections = json.loads(capsys.readouterr().out)["sections"]
    sizes = [(one["before"], one["after"]) for one in sections["resources"]["changes"]]
    assert ("3 GiB", "4 GiB") in sizes
    assert [one["sentence"] for one in sections["release"]["changes"]] == [
        f"-D {size}=4g: applied to NEW only; the options of OLD's graph are its own (job.json), "
        f"with --old-parallelism 3 and --old-option {size}=3g.",
        "--old-parallelism has no effect: OLD is a document, which holds its own parallelism.",
    ]


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_an_old_program_has_its_own_parallelism_and_options_that_were_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "job.sql"
    script.write_text(
        "CREATE TABLE a (x INT) WITH ('connector' = 'datagen');"
        "CREATE TABLE b (x INT, n BIGINT) WITH ('connector' = 'blackhole');"
        "INSERT INTO b SELECT x, COUNT(*) FROM a GROUP BY x;"
    )
    monkeypatch.setenv("FLINK_HOME", str(lib("2.2.1").parent))
    monkeypatch.setattr(cached, "cache_folder", lambda: tmp_path / "cache" / "flink")
    asked = ["--old-parallelism", "3", "--old-option", "table.exec.state.ttl=1 d"]

    main(["plan", str(script), "--from", str(script), *asked, "--format", "json"])
    sections = json.loads(capsys.readouterr().out)["sections"]
    (widths,) = (one for one in sections["resources"]["changes"] if one["subject"] == "slots")
    assert (widths["before"], widths["after"]) == ("3", "1")
    (kept,) = (one for one in sections["checks"]["changes"] if one["code"] == "SQ03")
    outcome = "captured and checked with it: SQ03 is gone"
    assert kept["fix"] == f"-D 'table.exec.state.ttl=1 d' ({outcome})"


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_script_is_captured_with_the_release_that_old_names(
    document: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lib("1.20.5")
    script, old = tmp_path / "job.sql", tmp_path / "old.json"
    script.write_text(
        "CREATE TABLE a (x INT) WITH ('connector' = 'datagen');"
        "CREATE TABLE b (x INT) WITH ('connector' = 'blackhole');"
        "INSERT INTO b SELECT x FROM a;"
    )
    old.write_text(json.dumps({**json.loads(Path(document).read_text()), "flink": "1.20"}))
    monkeypatch.delenv("FLINK_HOME", raising=False)
    monkeypatch.setattr(cached, "cache_folder", lambda: tmp_path / "cache" / "flink")

    main(["plan", str(script), "--from", str(old), "--format", "json"])
    release = json.loads(capsys.readouterr().out)["sections"]["release"]
    assert [one["sentence"] for one in release["changes"]] == [
        f"'{script}' names no Flink release (a SQL script cannot): Flink 1.20, the release of OLD, "
        "is assumed; name the release with --flink RELEASE."
    ]
