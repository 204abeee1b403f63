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
