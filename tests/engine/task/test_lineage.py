"""Origins of records, and the bytes of channels, as a traced run notes them."""

import numpy as np
import pytest

import explorer
from explorer.engine.rows.batch import Batch, concat, from_rows
from explorer.engine.rows.origins import Descent, Origins
from explorer.engine.state.aggregated_origins import AggregatedOrigins
from explorer.engine.state.keyed_state import Runs
from explorer.engine.task.lineage import Lineage
from explorer.model.row_type import LONG, RowType
from tests.engine.in_process import report_of


def test_bytes_of_channels_are_the_tasks_figures() -> None:
    rows = {"values": [["the"], ["a"], ["é"], ["the"]], "schema": "w STRING"}
    source = {"id": "s", "type": "legacy_source", "rows": rows}
    keyed = {"id": "k", "type": "key_by", "inputs": ["s"], "keys": ["w"]}
    count = {"id": "m", "type": "map", "inputs": ["k"], "parallelism": 2}
    out = {"id": "o", "type": "sink", "inputs": ["m"], "parallelism": 1}
    lineage = Lineage()
    document = {"transformations": [source, keyed, count, out]}
    report = report_of(explorer.compile_graph(document, "1.20"), lineage=lineage)

    records = sum(int(one.sizes.sum()) for one in lineage.sent if one.edge == 0)
    watermarks = 2 * 13
    assert records + watermarks == report.vertices[0].bytes_out
    for one in lineage.sent:
        assert (np.diff(one.starts) == one.sizes[:-1]).all()


ROW = RowType.of(n=LONG)


def numbered(descent: Descent, count: int) -> Batch:
    batch = from_rows(ROW, [(n,) for n in range(count)])
    return batch.with_origins(Origins(descent, descent.sources(count)))


def test_picked_rows_of_a_batch_have_their_origins() -> None:
    batch = numbered(Descent(), 5)
    picked = [
        batch.take(np.array([4, 1])),
        batch.filter(np.array([True, False, False, False, True])),
        batch.slice(2, 4).with_timestamps(np.array([7, 8])),
        concat([batch.slice(3, 5), batch.slice(0, 1)]),
    ]
    for one in picked:
        assert one.origins is not None
        assert one.origins.numbers.tolist() == one.columns[0].to_pylist()
    assert concat([batch, from_rows(ROW, [(1,)])]).origins is None


@pytest.mark.parametrize("batches", [[6], [1, 2, 3], [4, 2]])
def test_an_aggregate_of_a_key_originates_in_all_its_rows_so_far(batches: list[int]) -> None:
    descent, kept = Descent(), AggregatedOrigins()
    assert kept.of(np.array([0])) is None
    keys, start, found = np.array([0, 1, 0, 0, 1, 2]), 0, []
    origins = numbered(descent, 6).origins
    assert origins is not None
    for size in batches:
        mine = slice(start, start + size)
        rolled = kept.roll(origins.at(mine), Runs.of(keys[mine]))
        assert rolled is not None
        found += [sources_of(descent, int(number)) for number in rolled.numbers]
        start += size

    assert found == [{0}, {1}, {0, 2}, {0, 2, 3}, {1, 4}, {5}]
    at_last = kept.of(np.array([2, 0]))
    assert at_last is not None
    assert [sources_of(descent, int(one)) for one in at_last.numbers] == [{5}, {0, 2, 3}]


def sources_of(descent: Descent, number: int) -> set[int]:
    """The ancestors of ``number`` without a parent."""
    first, second = descent.parents()
    waiting, found = [number], set()
    while waiting:
        one = waiting.pop()
        if first[one] < 0:
            found.add(one)
        waiting += [int(of) for of in (first[one], second[one]) if of >= 0]
    return found
