"""The release of OLD: of ``--from-flink``, else the one that OLD names, else of ``--flink``."""

import base64
import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from explorer import check_restore, load_savepoint
from explorer.capture import jar_cache
from explorer.cli.main import main
from explorer.comparison.baseline import Baseline, pin_release
from explorer.documents import as_document
from explorer.targets.side_releases import named_release
from explorer.targets.target_options import TargetOptions
from tests.capture.flinks import lib
from tests.documents.resources import deployment, session_job, stream
from tests.golden_files import cases
from tests.rest.listening import answering

SCRIPT = """
CREATE TABLE clicks (user_id BIGINT) WITH ('connector' = 'datagen');
CREATE TABLE counts (user_id BIGINT, n BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO counts SELECT user_id, COUNT(*) FROM clicks GROUP BY user_id;
"""


def program(flink: str | None = None) -> dict[str, Any]:
    """A pipeline with keyed state; ``flink``: the release that it names."""
    values: dict[str, Any] = {
        "transformations": [
            {"id": "numbers", "type": "source"},
            {"id": "by n", "type": "key_by", "inputs": ["numbers"], "keys": ["n"]},
            {"id": "sums", "type": "reduce", "inputs": ["by n"], "aggregate": {"n": "sum(n)"}},
            {"id": "out", "type": "sink", "inputs": ["sums"]},
        ]
    }
    return values | ({"flink": flink} if flink else {})


def written(folder: Path, name: str, flink: str | None = None) -> str:
    """The path of a document."""
    path = folder / name
    path.write_text(json.dumps(program(flink)))
    return str(path)


def savepoint(folder: Path, version: str) -> str:
    """The path of a savepoint that a cluster of that version wrote."""
    case = next(case for case in cases("kept_state") if case["version"] == version)
    place = folder / f"sp-{version}"
    place.mkdir()
    (place / "_metadata").write_bytes(base64.b64decode(case["metadata"]))
    return str(place)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("own", "options", "release"),
    [
        (None, ["--flink", "1.20"], "1.20"),
        ("1.18", ["--flink", "1.20"], "1.18"),
        ("1.18", ["--flink", "1.20", "--from-flink", "1.19"], "1.19"),
        (None, ["--flink", "1.20", "--from-flink", "1.19.1"], "1.19"),
        (None, [], "1.17"),
    ],
)
@pytest.mark.parametrize("command", ["restore", "compare", "plan", "explain", "deploy"])
def test_both_releases_are_named(
    command: str,
    own: str | None,
    options: list[str],
    release: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    old, new = written(tmp_path, "old.json", own), written(tmp_path, "new.json", "1.17")
    files = {
        "plan": [new, "--from", old],
        "explain": [new, "--baseline", old],
        "deploy": [new, "--baseline", old],
    }.get(command, [old, new])

    main([command, *files, *options])

    printed = capsys.readouterr().out
    if command == "plan":
        assert f"OLD  pipeline, Flink {release}" in printed
    else:
        assert f"Against old.json (Flink {release})" in printed
    assert f"Flink {options[1] if options else '1.17'}" in printed


def test_bridge_check_and_whatis_apply_the_release_of_old(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = written(tmp_path, "old.json"), written(tmp_path, "new.json", "1.20")
    newer = ["--from-flink", "2.2"]

    assert main(["bridge", old, new]) == 0
    assert main(["bridge", old, new, *newer]) == 1
    assert main(["check", new, "--baseline", old, "--fail-on", "error"]) == 0
    assert main(["check", new, "--baseline", old, *newer, "--fail-on", "error"]) == 1
    assert main(["whatis", "sums", new, "--baseline", old, *newer]) == 0
    out = capsys.readouterr().out
    assert "Against old.json (Flink 1.20): Flink 1.20 restores: 2 states found" in out
    assert "Against old.json (Flink 2.2): Flink 1.20 refuses" in out


def test_check_restore_applies_the_release_of_old() -> None:
    old, new = program("1.18"), program("2.2")

    assert check_restore(old, new).releases == ("1.18", "2.2")
    assert check_restore(old, new, old_flink_version="1.20.1").releases == ("1.20", "2.2")
    assert check_restore(program(), new).releases == ("2.2", "2.2")


def test_a_savepoint_names_the_releases_that_write_its_format(tmp_path: Path) -> None:
    path = savepoint(tmp_path, "1.20")
    baseline = Baseline(name="old", document=as_document(program()), savepoint=load_savepoint(path))

    alone = check_restore(path, program("2.2"))
    assert alone.old_releases == ("1.16", "1.17", "1.18", "1.19", "1.20")
    assert alone.releases == (None, "2.2")
    assert alone.headline.startswith("Against sp-1.20 (Flink 1.16 to 1.20): ")
    assert check_restore(path, program("2.2"), old_flink_version="1.18").releases[0] == "1.18"
    # A document that names no release is of the newest release that writes the savepoint.
    assert check_restore(baseline, program("2.2")).releases == ("1.20", "2.2")
    assert check_restore(baseline, program("1.18")).releases == ("1.18", "1.18")
    assert pin_release(baseline, "1.17").release == "1.17"


def test_a_file_names_its_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jar_cache, "cached_versions", lambda: ("1.18.1", "2.2.1"))
    jar = tmp_path / "job.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/maven/a/b/pom.xml", "<flink.version>1.19.2</flink.version>")
    resources = {
        "image.yaml": deployment(image="flink:1.20.1-scala_2.12-java17"),
        "no-image.yaml": deployment(image=None, flinkVersion="v1_19"),
        "other-image.yaml": deployment(image="flink:1.18.1"),
    }
    for name, resource in resources.items():
        (tmp_path / name).write_text(stream(resource))
    session = stream(deployment("session", image="flink:1.20.3", job=None), session_job())
    (tmp_path / "session.yaml").write_text(session)
    released = {
        **{name: str(tmp_path / name) for name in (*resources, "session.yaml", "nothing.json")},
        "jar": str(jar),
        "document": written(tmp_path, "named.json", "1.17"),
        "no release": written(tmp_path, "nameless.json"),
        "savepoint": savepoint(tmp_path, "1.20"),
    }

    assert {name: named_release(path, TargetOptions()) for name, path in released.items()} == {
        "image.yaml": "1.20.1",
        "no-image.yaml": "1.19",
        "other-image.yaml": "1.20",
        "session.yaml": "1.20.3",
        "nothing.json": None,
        "jar": "1.19",
        "document": "1.17",
        "no release": None,
        "savepoint": "1.18",  # the newest installed of those that write its format
    }


def test_a_cluster_and_a_revision_name_their_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with answering({"/config": {"flink-version": "1.20.4"}}) as (address, asked):
        job = f"{address}/jobs/{'0' * 32}"
        assert named_release(job, TargetOptions()) == "1.20.4"
        assert asked == ["/config"]
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "job.json", "1.16")
    for line in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -qm a"):
        subprocess.run(["git", *line.split()], check=True)  # noqa: S607

    assert named_release("git:HEAD", TargetOptions(new="job.json")) == "1.16"
    assert named_release("git:HEAD:job.json", TargetOptions()) == "1.16"
    assert named_release("git:HEAD", TargetOptions()) is None


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["file:", "file://", "file://localhost"])
@pytest.mark.parametrize(
    "line",
    [
        "savepoint SP",
        "restore SP NEW --allow-non-restored --accept-unchecked",
        "compare SP NEW",
        "plan NEW --from SP -n --accept-unchecked",
        "plan NEW --from NEW --savepoint SP -n --accept-unchecked",
        "explain NEW --baseline SP",
        "whatis sums NEW --baseline SP",
        "deploy NEW --baseline SP",
        "check NEW --baseline SP --fail-on error",
    ],
)
def test_a_savepoint_is_named_by_a_uri_in_every_command(
    line: str, prefix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = savepoint(tmp_path, "1.20")
    places = {"SP": saved, "NEW": written(tmp_path, "new.json", "1.20")}
    words = [places.get(word, word) for word in line.split()]
    expected = main(words), capsys.readouterr().out

    found = main([f"{prefix}{word}" if word == saved else word for word in words])
    assert (found, capsys.readouterr().out) == expected


@pytest.mark.parametrize("line", ["savepoint SP", "restore SP NEW", "plan NEW --from SP"])
def test_a_savepoint_of_another_file_system_is_refused_with_advice(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"SP": "s3://bucket/sp-1", "NEW": written(tmp_path, "new.json", "1.20")}

    assert main([places.get(word, word) for word in line.split()]) == 1
    assert "is not on this machine: copy its _metadata file" in capsys.readouterr().err


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_script_is_captured_under_the_release_of_the_other_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FLINK_HOME", str(lib("2.2.1").parent))
    lib("1.20.5")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.sql").write_text(SCRIPT)
    sql, saved = "job.sql", savepoint(tmp_path, "1.20")

    assert main(["restore", sql, sql, "--flink", "1.20", "--accept-unchecked"]) == 0
    printed = capsys.readouterr()
    assert "Against job.sql (Flink 1.20)" in printed.out
    assert "is assumed" not in printed.err  # the caller names both releases
    assert main(["compare", sql, sql, "--flink", "1.20"]) == 0
    assert "Also changed" not in capsys.readouterr().out
    main(["restore", saved, sql])
    printed = capsys.readouterr()
    assert "Flink 1.20, the release of OLD, is assumed" in printed.err
    assert "(Flink 1.16 to 1.20)" in printed.out
    main(["restore", sql, sql, "--flink", "2.2", "--from-flink", "1.20"])
    out = capsys.readouterr().out
    assert "Against job.sql (Flink 1.20)" in out
    assert "checkpointing mode" not in out
