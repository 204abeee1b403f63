"""Key groups of hash codes, as Flink assigns them."""

import numpy as np

from explorer.engine.rows.java_hash import key_hashes
from explorer.engine.rows.key_groups import key_groups, murmur_hash
from tests.engine.task.facts import columns, facts
from tests.many_cases import for_each


def test_key_groups_are_those_that_flink_printed() -> None:
    for fact in facts("key_groups"):
        hashes = key_hashes(columns(fact["type"], fact["key"]))

        assert key_groups(hashes, fact["max_parallelism"]).tolist() == [fact["key_group"]]


def test_no_hash_is_negative() -> None:
    codes = np.arange(-50_000, 50_000, dtype=np.int64).astype(np.uint32)

    assert murmur_hash(codes).min() >= 0


def test_the_number_that_java_cannot_negate_becomes_0_and_0_stays() -> None:
    # Murmur3 mixes the former into -2**31, the latter into 0.
    assert murmur_hash(np.array([0x836F0755, 0xC2479B7A], np.uint32)).tolist() == [0, 0]


@for_each("most", [1, 7, 128, 32_768])
def test_every_group_is_below_the_maximum(most: int) -> None:
    groups = key_groups(np.arange(200_000, dtype=np.uint32), most)

    assert (groups.min(), groups.max()) == (0, most - 1)
