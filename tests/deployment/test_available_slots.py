"""Slots of clusters of fixed size."""

import pytest

from explorer.deployment import deploy
from explorer.deployment.available_slots import available_slots, slots_of_groups
from tests.checks.pairs import COUNT, within

REPLICAS = {"kubernetes.taskmanager.replicas": "2", "taskmanager.numberOfTaskSlots": "3"}


def test_slots_are_those_of_the_replicas_and_at_most_the_limit() -> None:
    assert available_slots({}) is None
    assert available_slots(REPLICAS) == 6
    assert available_slots({**REPLICAS, "slotmanager.number-of-slots.max": "4"}) == 4


@pytest.mark.parametrize("wanted", [{0: 4, 1: 4}, {0: 1, 1: 7, 2: 2}, {0: 1}])
@pytest.mark.parametrize("by_range", [True, False])
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

    refused = deploy(within(COUNT, parallelism=2), small)
    adapted = deploy(within(COUNT, parallelism=2), {**small, "jobmanager.scheduler": "adaptive"})

    assert refused.refusals == (refused.slots_refusal,)
    assert "2 slots, and the cluster has 1 slot" in refused.slots_refusal
    assert not adapted.refusals
    assert (adapted.slots, adapted.wanted_slots, adapted.least_slots) == (1, 2, 1)
    assert all("starts with 1 subtask" in one.sentence for one in adapted.sizes)
