"""Archives of classes that shorten later starts: the same documents, whatever the file holds."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest

import explorer
from explorer.capture import preparing, programs
from explorer.capture.installation import Installation, find_installation
from explorer.capture.jvm.start_files import (
    LEFT,
    LOADER,
    archive_folder,
    archive_name,
    archived_start,
    find_archive,
    lay_out,
    plain_start,
)
from explorer.capture.preparing import prepare
from explorer.locations import sample_folder
from explorer.sandbox.folders import own_folder
from tests.capture.flinks import CACHE, jar_of, lib
from tests.capture.test_captured_samples import VERSION, stored_document

PROGRAMS = sample_folder() / "programs"
SCRIPT = PROGRAMS / "hourly-delays.sql"
PART = f"{archive_name(0, bare_planner=False)}.part-"
"""How the folder of a process begins that makes the archive with which jars start."""
pytestmark = [pytest.mark.flink, pytest.mark.xdist_group("archives")]


@pytest.fixture(scope="module")
def flink(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A release in a cache of its own, outside of a CI system."""
    with pytest.MonkeyPatch.context() as patch:
        yield _cached(tmp_path_factory.mktemp("cache"), patch)


def _cached(cache: Path, patch: pytest.MonkeyPatch) -> Installation:
    folder = cache / "streamgraph-explorer" / "flink" / VERSION
    folder.mkdir(parents=True)
    for name in ("lib", "opt"):
        (folder / name).symlink_to(lib(VERSION).parent / name)
    patch.setenv("XDG_CACHE_HOME", str(cache))
    patch.delenv("CI", raising=False)
    return find_installation(folder / "lib")


def _captured(program: Path, flink: Installation) -> dict[str, Any]:
    (document,) = explorer.capture(program, flink_lib=flink.folder)
    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document))
    return values


def _archive(flink: Installation, *, bare_planner: bool) -> Path:
    folder = archive_folder(flink)
    archive = folder and find_archive(folder, bare_planner=bare_planner)
    assert archive is not None
    return archive


def _left_by_a_killed_process(flink: Installation) -> Path:
    """The folder of a process that was killed while it made the archive of a jar's start."""
    folder = archive_folder(flink)
    assert folder is not None
    lay_out(flink, folder)
    left = folder / f"{PART}abcdefgh"
    left.mkdir()
    for name in (".lock", LEFT):
        (left / name).touch()
    return left


def test_a_script_with_a_damaged_archive_equals_the_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Java finds the fault; of the archive that is whole, other captures of samples make use."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(CACHE))
    flink = find_installation(lib(VERSION))
    prepare(flink, bare_planner=True)  # as the program of tests.capture.flinks has done before
    archive = _archive(flink, bare_planner=True)
    start = archived_start(flink, bare_planner=True)
    assert start.archive == archive
    assert archive.stat().st_mode & 0o777 == 0o444
    assert not [path for path in start.class_path if path.name.startswith(LOADER)]

    content = bytearray(archive.read_bytes())
    content[len(content) // 2] ^= 1
    damaged = tmp_path / archive.name
    damaged.write_bytes(content)
    assert find_archive(tmp_path, bare_planner=True) == damaged
    damaged_start = msgspec.structs.replace(start, archive=damaged)
    monkeypatch.setattr(programs, "archived_start", lambda *_, **__: damaged_start)
    assert _captured(SCRIPT, flink) == stored_document("15-hourly-delays")


def test_a_jar_starts_with_the_release_as_it_is(
    flink: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jar = jar_of(PROGRAMS / "LateFlights.java", VERSION, tmp_path)
    monkeypatch.chdir(tmp_path)  # from where a sandbox hides the samples, unless it is told
    killed = _left_by_a_killed_process(flink)
    prepare(flink, bare_planner=False)
    assert not killed.exists()
    start, archive = archived_start(flink, bare_planner=False), _archive(flink, bare_planner=False)

    assert start.archive == archive
    assert b"StreamingJobGraphGenerator" in archive.read_bytes()  # a sample was captured
    assert start.class_path[2:] == flink.jars
    assert _captured(jar, flink) == stored_document("17-late-flights-captured")

    content = archive.read_bytes()
    archive.chmod(0o600)
    archive.write_bytes(content[:-1])  # Java would end at it
    assert archived_start(flink, bare_planner=False) == plain_start(flink)


def test_the_planner_stays_in_its_loader_where_a_jar_has_its_classes(
    flink: Installation, tmp_path: Path
) -> None:
    jar = tmp_path / "dialect.jar"
    with ZipFile(jar, "w") as packed:
        packed.writestr("org/apache/flink/table/planner/delegation/hive/Parser.class", b"")
    start = archived_start(flink, [jar], bare_planner=True)

    assert start.class_path[2:] == flink.jars


def test_ci_systems_and_other_folders_get_no_archive(
    flink: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert archive_folder(find_installation(lib(VERSION))) is None

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CI", "true")
    folder = tmp_path / "streamgraph-explorer" / "flink" / VERSION
    folder.mkdir(parents=True)
    (folder / "lib").symlink_to(flink.folder)
    prepare(find_installation(folder / "lib"), bare_planner=True)

    assert [path.name for path in folder.iterdir()] == ["lib"]


@pytest.mark.parametrize(
    "obstacle", ["a cache that cannot be written", "another process", "a full disk"]
)
def test_nothing_is_reported_where_no_archive_can_be_made(
    obstacle: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    flink = _cached(tmp_path, monkeypatch)
    folder = archive_folder(flink)
    assert folder is not None
    with ExitStack() as meanwhile:
        if obstacle == "another process":
            folder.mkdir(parents=True)
            meanwhile.enter_context(own_folder(PART, folder))
        elif obstacle == "a full disk":
            monkeypatch.setattr(preparing, "_ROOM", 1 << 62)
        else:
            folder.parent.touch()  # a file where the folder would be
        prepare(flink, bare_planner=False)

    assert capsys.readouterr().err == ""
    assert find_archive(folder, bare_planner=False) is None
    assert folder.exists() == (obstacle == "another process")
