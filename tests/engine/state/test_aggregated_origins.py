"""Origins of the rows that a key has aggregated."""

import numpy as np

from explorer.engine.rows.origins import NOTHING, Descent, Origins
from explorer.engine.state.aggregated_origins import AggregatedOrigins
from explorer.engine.state.keyed_state import Runs

PLACES = np.array([0, 1, 0])


def test_without_a_trace_nothing_is_stored() -> None:
    kept = AggregatedOrigins()

    assert kept.roll(None, Runs.of(PLACES)) is None
    assert kept.of(PLACES) is None


def test_a_keys_first_record_is_its_own_origin_and_a_later_one_joins_it() -> None:
    descent = Descent()
    kept = AggregatedOrigins()
    own = descent.add(np.full(3, NOTHING), np.full(3, NOTHING))
    rolled = kept.roll(Origins(descent, own), Runs.of(PLACES))

    assert rolled is not None
    assert rolled.numbers[:2].tolist() == own[:2].tolist()
    assert rolled.numbers[2] not in own
    kept.forget(np.array([0]))
    after = kept.of(np.array([0, 1]))
    assert after is not None
    assert after.numbers.tolist() == [NOTHING, own[1]]
