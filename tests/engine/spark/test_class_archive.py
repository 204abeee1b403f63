"""Java's archive of Spark's classes: its writers, its users, and incomplete files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.engine.spark.class_archive import archive_file, archive_options, is_complete
from explorer.locations import sample_folder
from tests.engine.on_spark import spark_home, wait_until


def test_the_first_process_leaves_an_archive_and_later_ones_use_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    jars, others = tmp_path / "jars", tmp_path / "other jars"
    jars.mkdir()
    others.mkdir()
    archive = archive_file(jars)
    first, leaves = archive_options(jars)
    archive.write_bytes(bytes(8))
    in_the_making = archive_options(jars)
    archive.write_bytes(b"\xf0\x0b\xab\xa8")
    later, leaves_again = archive_options(jars)

    assert f"ArchiveClassesAtExit={archive}" in first
    assert in_the_making == (first, True)
    assert f"SharedArchiveFile={archive}" in later
    assert (leaves, leaves_again) == (True, False)
    assert archive_options(others)[1]
    assert archive.exists()


def test_an_archive_goes_when_the_jars_are_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    jars = tmp_path / "jars"
    jars.mkdir()
    archive = archive_file(jars)
    archive_options(jars)
    archive.write_bytes(b"\xf0\x0b\xab\xa8")
    os.utime(jars, ns=(0, 0))

    assert archive_options(jars)[1]
    assert not archive.exists()


def test_without_a_folder_there_is_no_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("a file")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    assert archive_options(tmp_path) == ("", False)


@pytest.mark.spark
def test_a_trial_from_the_shell_leaves_an_archive_that_the_next_one_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jars = spark_home() / "jars"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    sample = sample_folder() / "02-a-to-e.yaml"
    command = [sys.executable, "-m", "explorer", "trial", str(sample)]
    first = subprocess.run(command, capture_output=True, check=True)
    wait_until(lambda: is_complete(archive_file(jars)))
    second = subprocess.run(command, capture_output=True, check=True)

    assert "SharedArchiveFile" in archive_options(jars)[0]
    assert (first.stderr, second.stderr) == (b"", b"")
