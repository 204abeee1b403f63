"""Slots of the sizes that slot sharing groups require, against how jobs ended on real clusters."""

from typing import Any

from explorer.deployment import resources
from explorer.deployment.deploying import ClusterResources
from explorer.deployment.memory import task_manager_memory
from explorer.deployment.slot_profiles import SlotProfiles, fit_profiles
from explorer.deployment.slots import GroupSlots
from explorer.model.chains import SlotProfile
from tests.deployment.ask_fine_grained import OPTIONS, REPEATED, without_ending
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

        certain = profiles.certain_task_managers
        is_certain = certain is not None and certain <= question["task_managers"]

        # A mixed job that just fits starts in some runs; with room for the slot that it may lose to
        # a group without a profile, in all of them.
        assert may_start >= has_started >= is_certain, question
        assert may_start == is_certain or question["sinks"], question


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


def test_a_mixed_job_that_just_fits_is_left_to_chance() -> None:
    for release in ("1.20", "2.2"):
        rows = [row for row in cases("fine_grained") if row["release"] == release]
        for number, question in enumerate(REPEATED):
            equal = [row for row in rows if without_ending(row) == question]
            endings = {row["ending"] == "finished" for row in equal}

            assert len(equal) >= 10
            assert fit(equal[0]).is_left_to_chance == (number < 2)
            assert (len(endings) == 2) == (number < 2)

    heavy = {"cpu": 0.5, "heap_mb": 200}
    assert "Only with 2 task managers does the job start in every run" in _notes(heavy)
    assert "start in every run" not in _notes({"cpu": 0.5, "heap_mb": 64})
    assert "start in every run" not in _notes({"cpu": 2, "heap_mb": 1024})


def _notes(group: dict[str, Any]) -> str:
    return " ".join(_heavy(group).scheduling_notes)


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
    options = OPTIONS | {"taskmanager.numberOfTaskSlots": "2"}
    return resources({"environment": environment, "transformations": steps}, options)
