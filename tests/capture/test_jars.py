"""A jar becomes a document that is translated as its Flink translates the program."""

from pathlib import Path

import pytest

import explorer
from explorer.analysis.flink_check import check_against_flink
from explorer.documents import load_document
from explorer.flink.compiler import compile_graph
from tests.capture.flinks import VERSIONS, jar, lib

pytestmark = pytest.mark.flink


@pytest.mark.parametrize("version", VERSIONS)
def test_a_jar_is_translated_as_its_flink_does(version: str, tmp_path: Path) -> None:
    made = jar("Orders", version, tmp_path)
    (document,) = explorer.capture(made, ["mine"], flink_lib=lib(version), parallelism=4)
    assert document["name"] == "mine"
    assert document["flink_job_graph"]["flink"] == version
    loaded = load_document(document)
    check = check_against_flink(compile_graph(loaded), loaded)
    assert check is not None
    assert check.differences == ()
    assert check.sentence == f"equal to what your Flink {version} makes of this program"
