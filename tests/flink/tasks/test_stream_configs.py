"""The StreamConfig of every operator has the keys and values that sixteen releases write."""

import re
from typing import Any

import pytest

from explorer import compile_graph
from explorer.flink.tasks.stream_configs import stream_configs
from explorer.model.stream_config import ConfigEdge, ConfigInput, ConfigOutput
from tests.golden_files import cases
from tests.many_cases import for_each

CASES = [
    (case, at, one)
    for case in cases("stream_configs")
    for one in case["flink"]
    for at in one["versions"]
]

UNSHOWN = re.compile(
    r"serializedU.*|attribute|timechar|timerservice|statekeyser|statePartitioner\d"
    r"|typeSerializer_(out|in_\d|sideout_.*)"
)
"""Keys whose values a document does not show: the values of all others are compared."""


def as_asked(value: Any) -> Any:
    """A value as the program that asks prints it."""
    if isinstance(value, tuple):
        return [as_asked(one) for one in value]
    if isinstance(value, ConfigEdge):
        return {name: getattr(value, name) for name in value.__struct_fields__}
    if isinstance(value, ConfigOutput):
        return {
            "bufferTimeout": value.buffer_timeout,
            "consumerMaxParallelism": value.consumer_max_parallelism,
            "consumerParallelism": value.consumer_parallelism,
            "isPersistentDataSet": False,
            "outputTag": value.side_output,
            "partitionType": value.partition_type,
            "partitioner": value.partitioner,
            "sourceNodeId": value.source,
            "supportsUnalignedCheckpoints": value.supports_unaligned_checkpoints,
        }
    if isinstance(value, ConfigInput) and value.edge is not None:
        return {"SourceInputConfig": {"inputEdge": as_asked(value.edge)}}
    if isinstance(value, ConfigInput):
        gate = {"inputGateIndex": value.gate, "inputRequirement": value.requirement}
        return {"NetworkInputConfig": gate}
    return value


def without_serializers(value: Any) -> Any:
    """An answer without the serializers of inputs, and supportsUnalignedCheckpoints in old ones."""
    if isinstance(value, list):
        return [without_serializers(one) for one in value]
    if isinstance(value, dict):
        return {
            key: without_serializers(one) for key, one in value.items() if key != "typeSerializer"
        }
    return value


@pytest.mark.slow
@for_each(
    ("case", "version", "answer"), CASES, lambda case, version, _: f"{case['name']} {version}"
)
def test_every_key_is_the_releases_own(case: dict[str, Any], version: str, answer: Any) -> None:
    pipeline = case["pipeline"]
    # With job recovery the whole JobGraph is made at once, as the program that asks makes it.
    at_once = {"execution.batch.job-recovery.enabled": True}
    given = {"buffer_timeout": 10, "configuration": at_once}
    environment = {**pipeline.get("environment", {}), **given}
    done = compile_graph({**pipeline, "environment": environment}, version)
    configs = {
        str(one.node): {entry.key: entry for entry in one.entries}
        for vertex in done.job_graph.vertices
        for one in stream_configs(done, vertex.id)
    }

    assert {node: sorted(one) for node, one in configs.items()} == {
        node: sorted(one) for node, one in answer["configs"].items()
    }
    unknown = {key for one in configs.values() for key, entry in one.items() if not entry.known}
    assert not [key for key in unknown if not UNSHOWN.fullmatch(key)]
    known = {
        node: {key: as_asked(entry.value) for key, entry in one.items() if entry.known}
        for node, one in configs.items()
    }
    assert known == {
        node: {
            key: without_serializers(value)
            for key, value in one.items()
            if configs[node][key].known
        }
        for node, one in answer["configs"].items()
    }
