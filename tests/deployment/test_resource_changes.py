"""Two deployments side by side, and what the difference comes to."""

from typing import Any

from explorer.deployment import resources
from explorer.deployment.resource_changes import resource_changes


def counting(parallelism: int) -> dict[str, Any]:
    return {
        "environment": {"parallelism": parallelism},
        "transformations": [
            {"id": "s", "type": "source"},
            {"id": "k", "type": "key_by", "inputs": ["s"], "keys": ["n"]},
            {"id": "p", "type": "keyed_process", "inputs": ["k"]},
            {"id": "o", "type": "sink", "inputs": ["p"]},
        ],
    }


TWO = {"taskmanager.numberOfTaskSlots": 2}


def test_a_wider_job_needs_more_task_managers() -> None:
    changes = resource_changes(resources(counting(2), TWO), resources(counting(8), TWO))

    figures = {one.what: (one.before, one.after) for one in changes.figures}
    assert changes.sentence == "It needs 3 more task managers."
    assert figures["slots"] == (2, 8)
    assert figures["task managers"] == (1, 4)
    assert figures["channels"] == (4, 64)
    assert figures["channels over the network"] == (0, 48)
    assert figures["memory of all task managers, bytes"] == (1728 << 20, 4 * 1728 << 20)


def test_a_narrower_one_frees_them() -> None:
    changes = resource_changes(resources(counting(8), TWO), resources(counting(3), TWO))

    assert changes.sentence == "It needs 2 fewer task managers."


def test_the_same_job_changes_nothing() -> None:
    changes = resource_changes(resources(counting(3), TWO), resources(counting(3), TWO))

    assert changes.sentence == "It needs the same number of task managers."
    assert not any(one.changed for one in changes.figures)


def test_buffers_that_no_longer_suffice_are_reported() -> None:
    few = TWO | {f"taskmanager.memory.network.{bound}": "512k" for bound in ("min", "max")}

    fits, lacks = resources(counting(2), few), resources(counting(20), few)

    assert resource_changes(fits, lacks).sentence == (
        "It needs 9 more task managers, and its network buffers no longer suffice."
    )
    assert resource_changes(lacks, fits).sentence.endswith("its network buffers suffice now.")
