"""The settings of a captured job, as the job's own StreamGraph has them."""

from pathlib import Path

import pytest

import explorer
from tests.capture.flinks import VERSIONS, jar, lib

pytestmark = [pytest.mark.flink, pytest.mark.usefixtures("warm_java")]


@pytest.mark.parametrize("version", VERSIONS)
def test_cached_files_are_captured_by_name(version: str, tmp_path: Path) -> None:
    program = jar("CachedFiles", version, tmp_path)
    (document,) = explorer.capture(program, flink_lib=lib(version))

    assert explorer.compile_graph(document).job_graph.artifacts == {
        "words": "/data/words.txt",
        "script": "/data/run.sh",
    }
