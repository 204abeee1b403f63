"""Java's archive of Spark's classes: who leaves one, who uses it, and what is no archive."""

import subprocess
import sys
from pathlib import Path

import pytest

from explorer.locations import sample_folder
from explorer.trial.class_archive import archive_file, archive_options, is_complete
from tests.trial.on_spark import wait_until


def test_the_first_process_leaves_an_archive_and_later_ones_use_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    archive = archive_file("4.3.0")
    first, leaves = archive_options("4.3.0")
    archive.write_bytes(bytes(8))
    in_the_making = archive_options("4.3.0")
    archive.write_bytes(b"\xf0\x0b\xab\xa8")
    later, leaves_again = archive_options("4.3.0")

    assert f"ArchiveClassesAtExit={archive}" in first
    assert in_the_making == (first, True)
    assert f"SharedArchiveFile={archive}" in later
    assert (leaves, leaves_again) == (True, False)
    assert archive_file("4.3.1") != archive


def test_without_a_folder_there_is_no_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("a file")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    assert archive_options("4.3.0") == ("", False)


@pytest.mark.spark
def test_a_trial_from_the_shell_leaves_an_archive_that_the_next_one_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyspark import __version__ as pyspark

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    sample = sample_folder() / "02-a-to-e.yaml"
    command = [sys.executable, "-m", "explorer", "trial", str(sample)]
    first = subprocess.run(command, capture_output=True, check=True)
    wait_until(lambda: is_complete(archive_file(pyspark)))
    second = subprocess.run(command, capture_output=True, check=True)

    assert "SharedArchiveFile" in archive_options(pyspark)[0]
    assert (first.stderr, second.stderr) == (b"", b"")
