"""FORWARD edges after an override; the subtasks without records are those of real clusters."""

from explorer.deployment import resources
from tests.deployment.ask_schedulers import TASK


def sentence(parallelism: int, override: int) -> str:
    option = {"pipeline.jobvertex-parallelism-overrides": f"{TASK}:{override}"}
    (broken,) = resources(
        {
            "flink": "1.20",
            "environment": {"parallelism": parallelism, "configuration": option},
            "transformations": [
                {"id": "a", "type": "source"},
                {
                    "id": "b",
                    "type": "map",
                    "inputs": ["a"],
                    "uid": "last",
                    "chaining_strategy": "HEAD",
                },
            ],
        }
    ).broken_forwards
    return broken.sentence


def test_a_subtask_with_as_many_channels_as_subtasks_uses_its_first_channel() -> None:
    assert "subtasks 2 and 4 of the target get no records" in sentence(2, 4)
    assert "subtask 2 of the target gets no records" in sentence(2, 3)


def test_other_numbers_are_dealt_out() -> None:
    assert sentence(4, 2).endswith("deals out the records of each subtask over its channels.")
    assert sentence(1, 2).endswith("deals out the records of each subtask over its channels.")
