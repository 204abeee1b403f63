"""Questions about a job at runtime: subtasks, slots, task managers, network buffers, refusals."""

from typing import Any

import pytest

from explorer.deployment import resources
from explorer.documents import load_document, samples
from explorer.flink.compiler import compile_program
from explorer.model.lesson import PipelineChange
from tests.lessons.asked import A_TO_E, asked
from tests.many_cases import for_each

TWICE = PipelineChange(set={"D": {"uid": "x"}, "E": {"uid": "x"}})


@pytest.mark.slow
@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.key)
def test_facts_of_a_job_are_those_of_the_deployment(sample: Any) -> None:
    document = load_document(sample.path)
    done = compile_program(document)
    known = {
        "tasks": len(done.job_graph.vertices),
        "slots": resources(document).slots,
        "subtasks": done.execution_graph.counts.subtasks,
    }

    assert {fact: int(asked(sample.path, fact).right[0]) for fact in known} == known


@for_each(
    ("fact", "about", "right", "why"),
    [
        ("subtasks", {}, ["4"], "2 of D -> Sink: E"),
        ("slots", {}, ["2"], "default 2"),
        ("task_managers", {}, ["2"], "2 slots"),
        ("network_buffers", {}, ["suffice"], "requires 3 of"),
        ("refused", {}, ["accepted"], "2 tasks"),
        ("refused", {"after": TWICE}, ["refused"], "Hash collision"),
    ],
)
def test_questions_about_the_runtime_have_an_answer_with_its_reason(
    fact: str, about: dict[str, Any], right: list[str], why: str
) -> None:
    found = asked(A_TO_E, fact, **about)

    assert list(found.right) == right
    assert why in found.reason


def test_slots_add_up_over_slot_sharing_groups() -> None:
    found = asked(A_TO_E, "slots", after=PipelineChange(set={"D": {"slot_sharing_group": "own"}}))

    assert found.right == ("4",)
    assert "default 2 and own 2" in found.reason


def test_task_managers_have_the_slots_that_the_options_give_them() -> None:
    change = PipelineChange(options={"taskmanager.numberOfTaskSlots": 3})

    found = asked(A_TO_E, "task_managers", after=change)

    assert found.right == ("1",)
    assert "a task manager offers 3: 1 task manager" in found.reason


def test_missing_network_buffers_are_reported_in_flinks_words() -> None:
    sample = next(one.path for one in samples() if one.key == "18-out-of-network-buffers")

    found = asked(sample, "network_buffers")

    assert found.right == ("lack",)
    assert "Flink's words: Insufficient number of network buffers" in found.reason
