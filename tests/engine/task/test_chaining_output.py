"""Records that are passed to the next operator of a chain."""

from explorer.engine.rows.batch import from_rows
from explorer.engine.task.chaining_output import ChainingOutput
from tests.engine.task.jobs import NUMBERS

BATCH = from_rows(NUMBERS, [(1,), (2,)])


def test_objects_that_are_reused_are_not_copied() -> None:
    output = ChainingOutput(1, 2, copies=False)

    assert output.push(BATCH) is BATCH
    assert (output.counters.records, output.counters.copied) == (2, 0)


def test_a_copy_has_the_values_in_memory_of_its_own() -> None:
    output = ChainingOutput(1, 2, copies=True)
    output.push(BATCH)
    copy = output.push(BATCH)

    assert copy.rows() == BATCH.rows()
    assert copy.columns[0].buffers()[1].address != BATCH.columns[0].buffers()[1].address
    counters = output.counters
    assert (counters.source, counters.target, counters.records, counters.copied) == (1, 2, 4, 4)
