"""What only some StreamGraphs have is captured, so that the JobGraph is Flink's own."""

from pathlib import Path

import pytest

import explorer
from tests.capture.flinks import differences, jar, lib

pytestmark = [pytest.mark.flink, pytest.mark.usefixtures("warm_java")]


@pytest.mark.parametrize("version", ["1.20.5", "2.2.1"])
def test_operators_that_emit_at_the_end_of_their_input_are_captured(
    version: str, tmp_path: Path
) -> None:
    program = jar("EndOfInput", version, tmp_path)
    (document,) = explorer.capture(program, flink_lib=lib(version))

    late = [
        node["name"]
        for node in document["stream_graph"]["nodes"]
        if node["output_only_after_end_of_stream"]
    ]
    assert late == ["count", "sum", "by digit"]
    types = {edge["result_type"] for edge in document["flink_job_graph"]["edges"]}
    assert "BLOCKING" in types
    assert differences(document) == ()


@pytest.mark.parametrize("version", ["1.20.5", "2.2.1"])
def test_a_cached_stream_is_produced_by_one_job_and_read_by_the_next(
    version: str, tmp_path: Path
) -> None:
    program = jar("Caches", version, tmp_path)
    produces, consumes = explorer.capture(program, flink_lib=lib(version))

    assert [differences(document) for document in (produces, consumes)] == [(), ()]
    (produced,) = [
        edge["intermediate_data_set"]
        for edge in produces["stream_graph"]["edges"]
        if "intermediate_data_set" in edge
    ]
    (edge,) = produces["flink_job_graph"]["edges"]
    assert edge["result_type"] == "BLOCKING_PERSISTENT"
    first = consumes["stream_graph"]["nodes"][0]
    assert (first["name"], first["consumed_data_set"]) == ("CacheRead", produced)
