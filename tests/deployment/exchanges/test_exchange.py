"""The exchange of a job edge: its classes, buffers and channels."""

from typing import Any

import pytest

from explorer.deployment import resources
from explorer.deployment.exchanges.exchange import Exchange, network_exchange
from explorer.documents import load_document
from explorer.flink.compiler import compile_program

SOURCE = {"id": "s", "parallelism": 1}


def of(
    kind: str = "rebalance",
    version: str = "1.20",
    options: dict[str, Any] | None = None,
    **env: Any,
) -> Exchange:
    """The only job edge of a pipeline of parallelism 4 behind one source."""
    edge = {
        "id": "e",
        "type": kind,
        "inputs": ["s"],
        **({"keys": ["n"]} if kind == "key_by" else {}),
    }
    # A source of the new interface may be bounded, and is not there in 1.9.
    source = "source" if env.get("runtime_mode") == "BATCH" else "legacy_source"
    document = load_document(
        {
            "environment": {"parallelism": 4, **env},
            "transformations": [
                {**SOURCE, "type": source},
                edge,
                {"id": "m", "type": "map", "inputs": ["e"]},
            ],
        }
    )
    done = compile_program(document, version)
    return network_exchange(done, resources(document, options, flink_version=version), 0)


def classes(found: Exchange) -> dict[str, str]:
    return {part.part: part.short for part in found.parts}


def test_the_writer_is_the_partitioners() -> None:
    assert classes(of("broadcast"))["writer"] == "BroadcastRecordWriter"
    assert classes(of())["writer"] == "ChannelSelectorRecordWriter"
    assert classes(of(version="1.9"))["writer"] == "RecordWriter"
    assert "KeyGroupStreamPartitioner" in of("key_by").parts[1].sentence


@pytest.mark.parametrize(
    ("version", "options", "partition", "subpartition"),
    [
        ("1.20", {}, "SortMergeResultPartition", "SortMergeSubpartitionReader"),
        ("1.14", {}, "BoundedBlockingResultPartition", "BoundedBlockingSubpartition"),
        (
            "1.20",
            {"taskmanager.network.sort-shuffle.min-parallelism": 5},
            "BoundedBlockingResultPartition",
            "BoundedBlockingSubpartition",
        ),
    ],
)
def test_a_blocking_result_is_sorted_from_some_parallelism_on(
    version: str, options: dict[str, Any], partition: str, subpartition: str
) -> None:
    found = of(version=version, options=options, runtime_mode="BATCH", max_parallelism=4)
    assert found.result_type == "BLOCKING"
    assert classes(found)["result partition"] == partition
    assert classes(found)["subpartition"] == subpartition


def test_a_streams_result_is_read_while_it_is_written() -> None:
    for version, partition in (
        ("1.9", "ReleaseOnConsumptionResultPartition"),
        ("1.12", "PipelinedResultPartition"),
        ("2.3", "PipelinedResultPartition"),
    ):
        found = classes(of(version=version))
        assert (found["result partition"], found["subpartition"]) == (
            partition,
            "PipelinedSubpartition",
        )


@pytest.mark.parametrize(
    ("version", "partition"), [("1.16", "HsResultPartition"), ("2.0", "TieredResultPartition")]
)
def test_a_hybrid_result_has_tiers_in_time(version: str, partition: str) -> None:
    mode = {"execution.batch-shuffle-mode": "ALL_EXCHANGES_HYBRID_FULL"}
    found = of(version=version, runtime_mode="BATCH", configuration=mode, max_parallelism=4)
    assert found.result_type == "HYBRID_FULL"
    assert classes(found)["result partition"] == partition


def test_timeout_credit_and_places_are_the_jobs_own() -> None:
    found = of(buffer_timeout=0, options={"taskmanager.numberOfTaskSlots": 2})
    said = {part.part: part.sentence for part in found.parts}
    assert (found.local, found.remote) == (2, 2)
    assert "after every record, as the buffer timeout is 0" in said["buffer"]
    assert said["local channel"].startswith("2 channels")
    assert "at first 2, the channel's exclusive buffers" in said["remote channel"]
    assert "8 floating ones" in said["remote channel"]
    assert "and only then" in " ".join(p.sentence for p in of(buffer_timeout=-1).parts)
    assert found.to_dict()["parts"][0]["class_name"].startswith("org.apache.flink.streaming")
