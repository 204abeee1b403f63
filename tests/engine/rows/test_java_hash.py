"""Hash codes of keys, as Flink 1.20 printed them."""

import math

import numpy as np
import pyarrow as pa

from explorer.engine.rows.java_hash import double_bits, hash_codes, key_hashes, null_keys
from explorer.engine.rows.key_groups import key_groups
from explorer.flink.key_groups import operator_index
from tests.engine.task.facts import ARROW, columns, facts


def test_keys_have_flinks_hash_code_key_group_and_owner() -> None:
    for fact in facts("key_groups"):
        hashes = key_hashes(columns(fact["type"], fact["key"]))
        groups = key_groups(hashes, fact["max_parallelism"])
        owner = operator_index(groups, fact["max_parallelism"], fact["parallelism"])

        assert hashes.view(np.int32).tolist() == [fact["java_hash_code"]], fact
        assert groups.tolist() == [fact["key_group"]], fact
        assert owner.tolist() == [fact["operator_index"]], fact


def test_many_keys_at_once_hash_as_each_alone() -> None:
    for kind in ("STRING", "LONG", "DOUBLE", "BOOLEAN"):
        keys = [fact["key"] for fact in facts("key_groups") if fact["type"] == kind]
        codes = [fact["java_hash_code"] for fact in facts("key_groups") if fact["type"] == kind]

        assert key_hashes([pa.array(keys, ARROW[kind])]).view(np.int32).tolist() == codes


def ints(values: list[object], kind: pa.DataType) -> list[int]:
    found: list[int] = hash_codes(pa.array(values, kind)).view(np.int32).tolist()
    return found


def test_a_text_is_hashed_by_its_units() -> None:
    # "😀" is two units, and a long text runs over an int many times.
    assert ints(["", "a", "😀", "x" * 1000], pa.string())[:3] == [0, 97, 1772899]
    whole = 0
    for _ in range(1000):
        whole = (whole * 31 + ord("x")) & 0xFFFFFFFF
    assert ints(["x" * 1000], pa.string()) == [whole - 2**32 * (whole >= 2**31)]


def test_a_null_hashes_to_zero_within_a_tuple() -> None:
    assert ints([None, "a"], pa.string()) == [0, 97]
    assert ints([None, -1], pa.int64()) == [0, 0]
    columns = [pa.array(["a", None]), pa.array([1, 1])]
    assert key_hashes(columns).tolist() == [97 * 31 + 1, 1]


def test_numbers_fold_their_halves() -> None:
    assert ints([1, -1, 2**32], pa.int64()) == [1, 0, 1]
    assert ints([True, False], pa.bool_()) == [1231, 1237]
    assert ints([0.0, -0.0, 1.0], pa.float64()) == [0, -(2**31), 1072693248]


def test_every_nan_has_the_same_bits() -> None:
    odd = np.array([math.nan, -math.nan])

    assert {*double_bits(odd).tolist()} == {0x7FF8000000000000}


def test_only_a_key_of_one_column_may_not_be_null() -> None:
    one, other = pa.array(["a", None]), pa.array(["a", "b"])

    found = null_keys([one])
    assert found is not None
    assert found.tolist() == [False, True]
    assert null_keys([other]) is None
    assert null_keys([one, other]) is None
