"""What Spark's processes write goes with the process that started them."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from explorer.locations import sample_folder


@pytest.mark.spark
def test_a_trial_from_the_shell_leaves_no_temporary_files(tmp_path: Path) -> None:
    usual = tmp_path / "java"
    usual.mkdir()
    command = [sys.executable, "-m", "explorer", "trial", str(sample_folder() / "02-a-to-e.yaml")]
    # A socket's path is short, so the folder of the workspace is too.
    with tempfile.TemporaryDirectory(prefix="left-") as own:
        java = f"-Djava.io.tmpdir={usual}"
        env = {**os.environ, "TMPDIR": own, "JAVA_TOOL_OPTIONS": java}
        subprocess.run(command, capture_output=True, check=True, env=env)

        assert list(Path(own).iterdir()) == []
        assert list(usual.iterdir()) == []
