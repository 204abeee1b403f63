"""Ancestors and descendants of the records of a traced run."""

import pytest

from explorer.engine.task.ancestry import Ancestry
from explorer.engine.task.lineage import Lineage
from explorer.engine.task.local_job import run_job
from tests.engine.task.jobs import job_of, source

DROPPED = 3
DOCUMENT = (
    source(1, 2, DROPPED),
    {"id": "f", "type": "filter", "inputs": ["s"], "where": f"n <> {DROPPED}"},
    {"id": "b", "type": "broadcast", "inputs": ["f"]},
    {"id": "m", "type": "map", "inputs": ["b"], "parallelism": 2, "select": {"n": "n * 10"}},
    {"id": "o", "type": "sink", "inputs": ["m"], "parallelism": 2},
)


@pytest.fixture(scope="module")
def ancestry() -> Ancestry:
    lineage = Lineage()
    run_job(job_of(*DOCUMENT), lineage=lineage)
    return Ancestry(lineage)


def value(ancestry: Ancestry, number: int) -> int:
    place = ancestry.place(number)
    found: int = place.among.batch.row(place.row)["n"]
    return found


def test_a_source_record_comes_of_none(ancestry: Ancestry) -> None:
    assert [value(ancestry, number) for number in range(3)] == [1, 2, 3]
    for number in range(3):
        assert ancestry.inputs_of(number) == ()
        assert ancestry.source_ancestors(number) == (number,)


def test_a_broadcast_record_becomes_a_record_of_each_consumer(ancestry: Ancestry) -> None:
    (filtered,) = ancestry.outputs_of(0)
    mapped = ancestry.outputs_of(filtered)

    assert value(ancestry, filtered) == 1
    assert [value(ancestry, one) for one in mapped] == [10, 10]
    assert all(ancestry.inputs_of(one) == (filtered,) for one in mapped)
    assert all(ancestry.source_ancestors(one) == (0,) for one in mapped)
    assert ancestry.descendants(0) == {0, filtered, *mapped}


def test_a_record_that_is_dropped_becomes_nothing(ancestry: Ancestry) -> None:
    assert ancestry.outputs_of(2) == ()
    assert ancestry.descendants(2) == {2}


def test_a_record_crossed_each_channel_and_was_read_there(ancestry: Ancestry) -> None:
    (filtered,) = ancestry.outputs_of(1)
    crossings = ancestry.crossings(filtered)

    assert {one.sent.edge for one in crossings} == {0}
    assert [one.row for one in crossings] == [1] * len(crossings)
    readers = ancestry.readers(filtered)
    assert sorted(subtask for _, subtask, _ in readers) == [0, 1]
    assert ancestry.crossings(0) == []
