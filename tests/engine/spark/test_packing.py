"""Libraries for workers, packed into an archive; ``test_standalone`` runs a job with one."""

from pathlib import Path

import pytest

from explorer.engine.spark.packing import pack_environment
from explorer.errors import TrialError


def test_an_archive_that_spark_does_not_unpack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrialError, match=r"must end in \.tar\.gz or \.tgz"):
        pack_environment(tmp_path / "a.rar")
    with pytest.raises(TrialError, match="cannot be written: no such file"):
        pack_environment(tmp_path / "none/a.tar.gz")
