"""Slots of the sizes that slot sharing groups require, against how jobs ended on real clusters."""

from typing import Any

from explorer.deployment import resources
from explorer.deployment.deploying import ClusterResources
from explorer.deployment.memory import task_manager_memory
from explorer.deployment.slot_profiles import MIXED, SlotProfiles, fit_profiles
from explorer.deployment.slots import GroupSlots
from explorer.model.chains import SlotProfile
from tests.deployment.ask_fine_grained import OPTIONS
from tests.deployment.ask_fine_grained import options as cluster_of
from tests.golden_files import cases

MIB = 1 << 20


def fit(question: dict[str, Any]) -> SlotProfiles:
    """The profile of a question on task managers of its size."""
    options = cluster_of(question) | {"taskmanager.numberOfTaskSlots": str(question["slots"])}
    profile = SlotProfile(
        cpu=question["cpu"],
        task_heap=question["heap"] * MIB,
        task_off_heap=question["off_heap"] * MIB,
        managed=question["managed"] * MIB,
        external={"gpu": question["gpu"]} if question["gpu"] else {},
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
        may_start = needed is not None and needed <= question["task_managers"]
        has_started = question["ending"] == "finished"

        # With a group without a profile, equal jobs start or not: the same question, asked twice.
        assert may_start >= has_started if profiles.is_mixed else may_start == has_started, question


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
    deployment = _heavy({"cpu": 2, "heap_mb": 1024})

    (refusal,) = deployment.refusals
    assert "group 'heavy' requires 2 CPU cores" in refusal
    assert "raise taskmanager.memory.task.heap.size, or lower the profile" in refusal


def test_groups_with_and_without_a_profile_are_reported() -> None:
    endings = {
        question["ending"] == "finished" for question in cases("fine_grained") if question["sinks"]
    }
    assert endings == {True, False}
    assert MIXED in _heavy({"cpu": 0.5, "heap_mb": 64}).scheduling_notes
    assert MIXED not in _heavy({"cpu": 2, "heap_mb": 1024}).scheduling_notes


def test_a_slot_that_lacks_an_external_resource_names_its_option() -> None:
    deployment = _heavy({"cpu": 0.5, "heap_mb": 64, "external": {"gpu": 2}})

    assert any("raise external-resource.gpu.amount" in refusal for refusal in deployment.refusals)


def _heavy(group: dict[str, Any]) -> ClusterResources:
    """A job with a group of this profile and one without any."""
    steps = [
        {"id": "s", "type": "source"},
        {"id": "m", "type": "map", "inputs": ["s"], "slot_sharing_group": "heavy"},
        {"id": "o", "type": "sink", "inputs": ["m"], "slot_sharing_group": "default"},
    ]
    environment = {"slot_sharing_groups": {"heavy": group}}
    return resources({"environment": environment, "transformations": steps}, OPTIONS)
