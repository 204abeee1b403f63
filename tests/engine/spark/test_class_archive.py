"""Java's archive of Spark's classes: its writers, its users, and incomplete files."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from explorer.engine.spark.class_archive import archive_file, archive_options, is_complete
from explorer.locations import sample_folder
from tests.engine.on_spark import spark_home, wait_until

WITH_LIBRARIES = """
import sys
sys.argv = ["explorer", *sys.argv[1:]]
from explorer.cli.main import main
code = main()
print(code, "pandas" in sys.modules)
"""
"""A shell's command that reports at last whether it loaded pandas."""


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
def test_trials_from_the_shell_print_figures_leave_an_archive_alone_and_load_no_pandas(
    tmp_path: Path,
) -> None:
    jars, usual = spark_home() / "jars", tmp_path / "java"
    usual.mkdir()
    arguments = ["trial", str(sample_folder() / "02-a-to-e.yaml"), "--flink", "1.20"]
    if not is_complete(archive_file(jars)):
        # Java takes half a minute for it. The gate's first trial has left the one of its jars.
        subprocess.run([sys.executable, "-m", "explorer", *arguments], check=True)
        wait_until(lambda: is_complete(archive_file(jars)))
    assert "SharedArchiveFile" in archive_options(jars)[0]
    # A socket's path is short, so the folder of the workspace is too.
    with tempfile.TemporaryDirectory(prefix="left-") as own:
        java = {"TMPDIR": own, "JAVA_TOOL_OPTIONS": f"-Djava.io.tmpdir={usual}"}
        command = [sys.executable, "-c", WITH_LIBRARIES, *arguments]
        ended = subprocess.run(command, capture_output=True, check=True, env=os.environ | java)
        assert list(Path(own).iterdir()) == []
        assert list(usual.iterdir()) == []

    assert ended.stderr == b""
    lines = ended.stdout.decode().splitlines()
    assert lines[-1] == "0 False"
    assert " ".join(lines[0].split()) == "vertex / operator in out bytes out busy ms"
    assert any(line.startswith("  ") for line in lines)
    assert sum(line.startswith("sinks: ") for line in lines) == 1
