"""Slots that a job needs, by slot sharing group, and those of clusters of fixed size."""

from explorer.deployment import resources
from explorer.deployment.slots import (
    available_slots,
    group_slots,
    slots_by_group,
    slots_of_groups,
    task_managers_for,
)
from explorer.documents import as_document, samples
from explorer.flink.compiler import compile_program
from tests.checks.pairs import COUNT as KEYED
from tests.checks.pairs import within
from tests.many_cases import for_each
from tests.plans.plans import COUNT, program

TWO_GROUPS = next(one.path for one in samples() if one.path.name.startswith("05-"))


def test_every_group_asks_for_as_many_slots_as_its_widest_vertex() -> None:
    found = resources(TWO_GROUPS, {"taskmanager.numberOfTaskSlots": 3}, flink_version="1.20")

    assert [(group.slots, group.undecided) for group in found.groups] == [(2, False), (2, False)]
    assert (found.slots, found.slots_of_one, found.task_managers) == (4, 3, 2)


def test_a_group_has_the_widest_of_its_vertices() -> None:
    wide = [{**one, "parallelism": 5} if one["id"] == "words" else one for one in COUNT]
    graph = compile_program(as_document(program(wide, parallelism=3))).job_graph

    assert slots_by_group(graph) == {0: 5}
    assert list(slots_by_group(compile_program(as_document(TWO_GROUPS)).job_graph).values()) == [
        2,
        2,
    ]


def test_a_group_names_its_vertices_and_needs_one_slot_at_least() -> None:
    done = compile_program(as_document(TWO_GROUPS))
    groups = group_slots(done.job_graph, done.execution_graph, {0: "default", 1: "other"})

    assert [(one.name, one.slots) for one in groups] == [("default", 2), ("other", 2)]
    assert sorted(position for one in groups for position in one.vertices) == [
        *range(len(done.job_graph.vertices))
    ]


def test_a_parallelism_that_the_scheduler_decides_is_undecided() -> None:
    batch = compile_program(as_document(program(COUNT, runtime_mode="BATCH")), "1.20")
    names = {one.slot_sharing_group: "default" for one in batch.job_graph.vertices}
    groups = group_slots(batch.job_graph, batch.execution_graph, names)

    assert [one.slots for one in groups] == [1] * len(names)
    assert any(one.undecided for one in groups)


def test_a_part_of_a_task_manager_is_a_whole_one() -> None:
    assert [task_managers_for(slots, 4) for slots in (0, 1, 4, 5)] == [0, 1, 1, 2]


REPLICAS = {"kubernetes.taskmanager.replicas": "2", "taskmanager.numberOfTaskSlots": "3"}


def test_slots_are_those_of_the_replicas_and_at_most_the_limit() -> None:
    assert available_slots({}) is None
    assert available_slots(REPLICAS) == 6
    assert available_slots({**REPLICAS, "slotmanager.number-of-slots.max": "4"}) == 4


@for_each("wanted", [{0: 4, 1: 4}, {0: 1, 1: 7, 2: 2}, {0: 1}])
@for_each("by_range", [True, False])
def test_a_group_has_one_slot_at_least_and_all_have_those_that_there_are(
    wanted: dict[int, int], *, by_range: bool
) -> None:
    for slots in range(len(wanted)):
        assert slots_of_groups(wanted, slots, by_range=by_range) is None
    for slots in range(len(wanted), 12):
        shares = slots_of_groups(wanted, slots, by_range=by_range)
        assert shares is not None
        assert sum(shares.values()) <= slots
        assert all(1 <= shares[group] <= most for group, most in wanted.items())


def test_the_default_scheduler_needs_all_slots_and_the_adaptive_one_starts_with_fewer() -> None:
    small = {"slotmanager.number-of-slots.max": "1"}

    refused = resources(within(KEYED, parallelism=2), small)
    adapted = resources(within(KEYED, parallelism=2), {**small, "jobmanager.scheduler": "adaptive"})

    assert refused.refusals == (refused.slots_refusal,)
    assert "2 slots, and the cluster has 1 slot" in refused.slots_refusal
    assert not adapted.refusals
    assert (adapted.slots, adapted.wanted_slots, adapted.least_slots) == (1, 2, 1)
    assert all("starts with 1 subtask" in one.sentence for one in adapted.sizes)
