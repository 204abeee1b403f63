"""What the parts of a sink take from it, as real releases print it."""

import pytest

from tests.flink.passes.programs import NEW_SOURCE, SOURCE, compiled

SINK = {
    "id": "o",
    "type": "sink_v2",
    "inputs": ["s"],
    "global_committer": True,
    "chaining_strategy": "NEVER",
    "co_location_group": "g",
    "slot_sharing_group": "a",
}


@pytest.mark.parametrize("version", ["1.15", "1.18"])
def test_all_parts_take_the_strategy_and_none_the_co_location_group(version: str) -> None:
    """As Flink 1.15.4 and 1.18.1 print it."""
    parts = compiled(SOURCE, SINK, version=version).stream_graph.nodes[1:]

    assert [part.chaining_strategy for part in parts] == ["NEVER", "NEVER", "NEVER"]
    assert [part.co_location_group for part in parts] == [None, None, None]
    assert [part.slot_sharing_group for part in parts] == ["a", "a", "a"]


@pytest.mark.parametrize("version", ["1.19", "1.20", "2.3"])
def test_a_global_committer_declared_late_hears_nothing_of_the_sink(version: str) -> None:
    """As Flink 1.19.3, 1.20.5 and 2.3.0 print it."""
    parts = compiled(SOURCE, SINK, version=version).stream_graph.nodes[1:]

    assert [part.chaining_strategy for part in parts] == ["NEVER", "NEVER", "ALWAYS"]
    assert [part.co_location_group for part in parts] == ["g", "g", None]
    assert [part.slot_sharing_group for part in parts] == ["a", "a", "a"]


@pytest.mark.parametrize(("version", "parallelism"), [("1.18", 2), ("1.19", -1)])
def test_the_parallelism_of_a_sink_in_a_batch_job(version: str, parallelism: int) -> None:
    """As Flink 1.18.1 and 1.19.3 print it: the parts count as given theirs by the program."""
    sink = {"id": "o", "type": "sink_v2", "inputs": ["s"]}

    done = compiled(NEW_SOURCE, sink, version=version, parallelism=2, runtime_mode="BATCH")
    assert [vertex.parallelism for vertex in done.job_graph.vertices] == [parallelism]
