"""Slots of the sizes that slot sharing groups require, against how jobs ended on real clusters."""

from typing import Any

from explorer.deployment import resources
from explorer.deployment.memory import task_manager_memory
from explorer.deployment.slot_profiles import SlotProfiles, fit_profiles
from explorer.deployment.slots import GroupSlots
from explorer.model.chains import SlotProfile
from tests.deployment.ask_fine_grained import OPTIONS
from tests.golden_files import cases

MIB = 1 << 20


def fit(question: dict[str, Any]) -> SlotProfiles:
    """The profile of a question on task managers of its size."""
    options = OPTIONS | {"taskmanager.numberOfTaskSlots": str(question["slots"])}
    profile = SlotProfile(
        cpu=question["cpu"],
        task_heap=question["heap"] * MIB,
        task_off_heap=question["off_heap"] * MIB,
        managed=question["managed"] * MIB,
    )
    counts = {"heavy": question["parallelism"], "default": question["sinks"]}
    groups = [
        GroupSlots(group=number, name=name, vertices=(number,), slots=slots, undecided=False)
        for number, (name, slots) in enumerate(counts.items())
        if slots
    ]
    memory = task_manager_memory(options, question["release"])
    profiles = fit_profiles({"heavy": profile}, groups, memory, options)
    assert profiles is not None
    return profiles


def test_jobs_start_where_their_slots_fit_into_the_task_managers() -> None:
    for question in cases("fine_grained"):
        profiles = fit(question)
        needed = profiles.task_managers
        starts = needed is not None and needed <= question["task_managers"]

        assert starts == (question["ending"] == "finished"), question


def test_a_group_without_a_profile_has_no_size() -> None:
    question = next(iter(cases("fine_grained")))
    options = OPTIONS | {"taskmanager.numberOfTaskSlots": "2"}
    memory = task_manager_memory(options, question["release"])

    assert fit_profiles({}, (), memory, options) is None
    assert fit_profiles({"heavy": SlotProfile(cpu=1, task_heap=1)}, (), None, options) is None


def test_a_slot_that_fits_nowhere_is_named_with_both_sizes() -> None:
    question = next(iter(cases("fine_grained")))
    (sentence,) = fit(question | {"cpu": 2.0, "heap": 1024}).refusals

    assert "slot sharing group 'heavy' requires 2 CPU cores and 1024.000mb" in sentence
    assert "a task manager has 2 CPU cores, 512.000mb" in sentence


def test_a_pipeline_states_the_profile_of_its_groups() -> None:
    steps = [
        {"id": "s", "type": "source"},
        {"id": "m", "type": "map", "inputs": ["s"], "slot_sharing_group": "heavy"},
        {"id": "o", "type": "sink", "inputs": ["m"], "slot_sharing_group": "default"},
    ]
    groups = {"heavy": {"cpu": 2, "heap_mb": 1024}}
    document = {"environment": {"slot_sharing_groups": groups}, "transformations": steps}

    deployment = resources(document, OPTIONS)

    assert any("group 'heavy' requires 2 CPU cores" in one for one in deployment.refusals)
