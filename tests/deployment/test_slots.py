"""Slots that a job needs, by slot sharing group."""

from explorer.deployment import deploy
from explorer.deployment.slots import group_slots, slots_by_group, task_managers_for
from explorer.documents import as_document, samples
from explorer.flink.compiler import compile_program
from tests.plans.plans import COUNT, program

TWO_GROUPS = next(one.path for one in samples() if one.path.name.startswith("05-"))


def test_every_group_asks_for_as_many_slots_as_its_widest_vertex() -> None:
    found = deploy(TWO_GROUPS, {"taskmanager.numberOfTaskSlots": 3}, flink_version="1.20")

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
