"""A real cluster with few network buffers: a job ends with the sentence that was predicted."""

from pathlib import Path
from typing import Any

import pytest

from explorer.deployment import ClusterResources, resources
from tests.deployment.ask_clusters import QUESTIONS, VERSION, asked
from tests.golden_files import cases


def predicted(case: dict[str, Any]) -> ClusterResources:
    """The deployment of the job that the cluster ran."""
    document = {
        "transformations": [
            {
                "id": "numbers",
                "type": "source",
                "parallelism": case["sources"],
                "slot_sharing_group": "sources",
            },
            {"id": "all", "type": "rebalance", "inputs": ["numbers"]},
            {
                "id": "out",
                "type": "sink",
                "inputs": ["all"],
                "parallelism": case["sinks"],
                "slot_sharing_group": "sinks",
            },
        ]
    }
    memory = {
        "taskmanager.memory.flink.size": "1g",
        "taskmanager.numberOfTaskSlots": case["slots"],
    }
    return resources(document, memory | case["options"], flink_version=VERSION)


def ending(found: ClusterResources) -> str:
    return f"java.io.IOException: {found.refusal}" if found.refusal else "finished"


def test_a_cluster_that_runs_out_reports_the_predicted_numbers() -> None:
    every = list(cases("insufficient"))

    assert {case["ending"] == "finished" for case in every} == {True, False}
    for case in every:
        found = predicted(case)
        assert found.task_managers == case["task_managers"], case
        assert ending(found) == case["ending"], case


@pytest.mark.flink
def test_the_golden_ending_is_that_of_a_cluster(tmp_path: Path) -> None:
    first, *_ = cases("insufficient")

    assert asked(tmp_path, QUESTIONS[:1]) == [first]


@pytest.mark.parametrize(
    ("version", "channels", "of_tiered"),
    [
        ("1.16", [1, 1, 1, 1], [1, 1, 1, 1]),
        ("1.18", [1, 1, 2, 2], [1, 1, 2, 2]),
        ("1.20", [1, 1, 2, 2], [1, 1, 1, 1]),
        ("2.0", [1, 1, 1, 1], [1, 1, 1, 1]),
    ],
)
def test_a_gate_has_a_channel_for_each_subpartition_where_the_release_does_so(
    version: str, channels: list[int], of_tiered: list[int]
) -> None:
    """Of three partitions in two parts each, two subtasks of four read both parts of one."""
    document = {
        "environment": {"runtime_mode": "BATCH"},
        "transformations": [
            {"id": "s", "type": "source", "parallelism": 3},
            {"id": "r", "type": "rescale", "inputs": ["s"]},
            {"id": "o", "type": "sink", "inputs": ["r"], "parallelism": 4},
        ],
    }
    tiered = {"execution.batch-shuffle-mode": "ALL_EXCHANGES_HYBRID_FULL"}

    for options, expected in (({}, channels), (tiered, of_tiered)):
        found = resources(document, options, flink_version=version).network
        assert found is not None
        assert [gate.channels for task in found.tasks for gate in task.gates] == expected
