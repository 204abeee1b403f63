"""Subtasks that run together: each alone, except those of a loop."""

from typing import Any

import pytest

from explorer.engine.task.stages import stages
from tests.engine.task.jobs import job_of, source


def looping(*body: dict[str, Any], parallelism: int = 2) -> list[dict[str, Any]]:
    last = body[-1]["id"] if body else "i"
    return [
        source(1, 2),
        {"id": "i", "type": "iterate", "inputs": ["s"], "max_wait": 1000},
        *body,
        {"id": "m", "type": "map", "inputs": [last], "select": {"n": "n - 1"}},
        {"id": "again", "type": "filter", "inputs": ["m"], "where": "n > 0"},
        {"id": "c", "type": "close_iteration", "inputs": ["again"], "iteration": "i"},
        {"id": "o", "type": "sink", "inputs": ["m"]},
    ]


def test_every_subtask_of_a_task_is_a_group() -> None:
    keyed = {"id": "k", "type": "rebalance", "inputs": ["s"]}
    out = {"id": "o", "type": "sink", "inputs": ["k"], "parallelism": 3}
    first, second = stages(job_of(source(1), keyed, out))

    assert first.groups == (((0, 0),),)
    assert second.groups == (((1, 0),), ((1, 1),), ((1, 2),))
    assert (first.producers, second.producers) == (frozenset(), frozenset({0}))
    assert not second.looped


@pytest.mark.parametrize(("body", "groups"), [((), 2), (("rebalance",), 1)])
def test_subtasks_of_a_loop_run_together_if_they_exchange_records(
    body: tuple[str, ...], groups: int
) -> None:
    between = [{"id": "r", "type": kind, "inputs": ["i"]} for kind in body]
    found = stages(job_of(*looping(*between), parallelism=2))
    (loop,) = (stage for stage in found if stage.looped)

    assert len(loop.tasks) > 1
    assert len(loop.groups) == groups
    assert sum(map(len, loop.groups)) == sum(task.parallelism for task in loop.tasks)


def test_a_stage_names_the_tasks_that_send_it_records() -> None:
    found = stages(job_of(*looping(), parallelism=2))
    (loop,) = (stage for stage in found if stage.looped)
    own = {task.number for task in loop.tasks}

    assert loop.producers
    assert own.isdisjoint(loop.producers)
