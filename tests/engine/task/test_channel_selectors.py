"""Laws of the partitioners: no record is lost or duplicated, and batches do not matter."""

from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import Batch, from_rows
from explorer.engine.task.channel_selectors import NullKeyError, Partitioner, partitioner
from explorer.model.row_type import LONG, STRING, RowType
from tests.engine.task.facts import facts

ROW = RowType.of(k=STRING, n=LONG)
NAMES = ("FORWARD", "REBALANCE", "RESCALE", "SHUFFLE", "GLOBAL", "HASH", "CUSTOM")
KEYS = st.lists(st.sampled_from(("", "a", "b", "線", "😀", "zz")), max_size=40)


def _make(name: str, channels: int) -> Partitioner:
    keys = ("k",) if name == "HASH" else None
    return partitioner(name, channels=channels, subtask=1, edge=3, keys=keys)


def _rows(keys: list[str]) -> Batch:
    return from_rows(ROW, [(key, number) for number, key in enumerate(keys)])


def _dealt(chosen: Partitioner, batches: list[Batch]) -> dict[int, list[int]]:
    dealt: dict[int, list[int]] = defaultdict(list)
    for batch in batches:
        for channel, part in chosen.route(batch):
            dealt[channel] += part.column("n").to_pylist()
    return {channel: some for channel, some in dealt.items() if some}


@given(st.sampled_from(NAMES), st.integers(1, 12), KEYS, st.integers(0, 40))
def test_records_are_dealt_out_once_in_order_however_they_are_cut(
    name: str, channels: int, keys: list[str], cut: int
) -> None:
    rows = _rows(keys)
    cut = min(cut, len(rows))
    whole = _dealt(_make(name, channels), [rows])
    halves = [part for part in (rows.slice(0, cut), rows.slice(cut, len(rows))) if len(part)]

    assert sorted(number for dealt in whole.values() for number in dealt) == list(range(len(keys)))
    assert all(dealt == sorted(dealt) for dealt in whole.values())
    assert set(whole) <= set(range(channels))
    assert _dealt(_make(name, channels), halves) == whole


@given(st.sampled_from(("REBALANCE", "RESCALE")), st.integers(1, 12), KEYS)
def test_round_robin_is_fair(name: str, channels: int, keys: list[str]) -> None:
    counts = [len(dealt) for dealt in _dealt(_make(name, channels), [_rows(keys)]).values()]

    assert max(counts, default=0) - (min(counts, default=0) if len(counts) == channels else 0) <= 1


@given(KEYS, st.integers(1, 12))
def test_equal_keys_go_to_one_channel(keys: list[str], channels: int) -> None:
    dealt = _dealt(_make("HASH", channels), [_rows(keys)])
    where = {(keys[number], channel) for channel, some in dealt.items() for number in some}

    assert len(where) == len(set(keys))


def test_shuffle_reaches_every_channel() -> None:
    dealt = _dealt(_make("SHUFFLE", 5), [_rows(["a"] * 1000)])

    assert sorted(dealt) == [0, 1, 2, 3, 4]
    assert max(abs(len(some) - 200) for some in dealt.values()) < 60


@pytest.mark.parametrize("channels", [1, 4])
def test_a_null_key_is_refused(channels: int) -> None:
    rows = from_rows(ROW, [("a", 1), (None, 2)])
    with pytest.raises(NullKeyError) as refusal:
        _dealt(_make("HASH", channels), [rows])

    assert refusal.value.index == 1


def test_timestamps_travel_with_their_records() -> None:
    rows = _rows(["a", "b", "c", "d"]).with_timestamps(np.arange(4) * 10)
    for _, part in _make("REBALANCE", 3).route(rows):
        assert part.timestamps is not None
        assert part.timestamps.tolist() == [n * 10 for n in part.column("n").to_pylist()]


def test_partitioners_choose_flinks_channels() -> None:
    for fact in facts("channels"):
        keys = pa.array(fact["keys"], pa.string())
        batch = Batch(RowType.of(key=STRING), (keys,), np.arange(len(keys)))
        # Flink starts REBALANCE anywhere; here it starts where it did.
        chosen = partitioner(
            fact["partitioner"],
            channels=fact["channels"],
            subtask=fact["selected"][0],
            keys=("key",) if fact["partitioner"] == "HASH" else None,
        )
        selected = np.full(len(keys), -1)
        for channel, part in chosen.route(batch):
            assert part.timestamps is not None
            selected[part.timestamps] = channel

        assert selected.tolist() == fact["selected"], fact
