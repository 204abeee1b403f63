"""Libraries for workers, packed into an archive."""

import subprocess
import sys
from pathlib import Path

import pytest

from explorer.cli.main import main
from explorer.engine.spark.packing import pack_environment
from explorer.engine.spark.workers import NEEDED
from explorer.errors import TrialError
from tests.archives import unpack


@pytest.mark.slow
def test_the_command_packs_all_that_a_python_without_libraries_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["trial", "--pack-environment", str(tmp_path / "a.tgz")])
    printed = capsys.readouterr().out
    unpack(tmp_path / "a.tgz", tmp_path / "libraries")
    program = f"import {', '.join(NEEDED)}, pyarrow.compute; print(pyarrow.__file__)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": str(tmp_path / "libraries")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.startswith(str(tmp_path)), done.stderr
    assert ended.value.code == 0
    assert f"--conf spark.archives={tmp_path}/a.tgz#libraries" in printed
    assert "--conf spark.executorEnv.PYTHONPATH=libraries" in printed


def test_an_archive_that_spark_does_not_unpack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrialError, match=r"must end in \.tar\.gz or \.tgz"):
        pack_environment(tmp_path / "a.rar")
    with pytest.raises(TrialError, match="cannot be written: no such file"):
        pack_environment(tmp_path / "none/a.tar.gz")
