"""Operator IDs: what goes into each, in plain numbers, and what does not; as Flink printed them."""

import pytest

from explorer.flink.passes.hashing import local_hash, mix_in, uid_hash
from explorer.flink.releases import VERSIONS
from tests.flink.golden_programs import printed_and_made, refused
from tests.flink.passes.programs import SOURCE, compiled
from tests.many_cases import for_each


def expected(*nodes: tuple[int, int, int, list[int]]) -> dict[str, str]:
    """The IDs of nodes without uids: number, hashed before it, chained outputs, whom it reads."""
    hashes: dict[int, int] = {}
    for node, before, chained, inputs in nodes:
        value = int.from_bytes(local_hash(before, chained), "big")
        for source in inputs:
            value = mix_in(value, hashes[source])
        hashes[node] = value
    return {str(node): f"{value:032x}" for node, value in hashes.items()}


@for_each("version", ["1.9", "1.11", "1.20", "2.3"])
def test_a_node_counts_those_before_it_its_chained_outputs_and_mixes_its_inputs(
    version: str,
) -> None:
    """A source that is chained to two maps; both go to one map, to which its sink is chained."""
    ids = expected((1, 0, 2, []), (2, 1, 0, [1]), (3, 2, 0, [1]), (5, 3, 1, [2, 3]), (6, 4, 0, [5]))

    for members in printed_and_made("diamond", version):
        assert members["hashes"] == ids


def test_an_input_that_comes_twice_is_mixed_in_twice() -> None:
    ids = expected((1, 0, 1, []), (2, 1, 0, [1]), (4, 2, 1, [2, 2]), (5, 3, 0, [4]))

    for members in printed_and_made("self-union", "1.20"):
        assert members["hashes"] == ids


def test_the_ids_of_a_word_count_are_those_of_public_error_messages() -> None:
    """Under every release; a web search finds the first two."""
    for version in VERSIONS:
        for members in printed_and_made("word-count", version):
            assert members["hashes"] == {
                "1": "bc764cd8ddf7a0cff126f51c16239658",
                "2": "0a448493b4782967b150582570326227",
                "4": "e70bbd798b564e0a50e10e343f1ac56b",
                "5": "604ee7bed040266218075078a35a4449",
            }


def test_a_uid_is_hashed_alone() -> None:
    """Whatever its operator reads, and in UTF-8."""
    for members in printed_and_made("uids", "1.20"):
        assert members["hashes"] == {
            "1": uid_hash("source"),
            "2": uid_hash("地图"),
            "3": uid_hash("sink é"),
        }
    assert uid_hash("source") == "e5a72f353fc1e6bbf3bd96a41384998c"


def test_a_uid_counts_among_those_that_were_hashed_before() -> None:
    for members in printed_and_made("uid-on-one", "1.20"):
        third = int.from_bytes(local_hash(2, 1), "big")
        assert members["hashes"]["3"] == f"{mix_in(third, int(uid_hash('m'), 16)):032x}"


@pytest.mark.parametrize("version", ["1.9", "1.20"])
def test_a_uid_hash_changes_no_id(version: str) -> None:
    """It stands beside the ID, for states that have that one."""
    ids = expected((1, 0, 1, []), (2, 1, 1, [1]), (3, 2, 0, [2]))

    for members in printed_and_made("uid-hash", version):
        assert members["hashes"] == ids


@pytest.mark.parametrize(("version", "chained"), [("1.10", 1), ("1.11", 0), ("1.15", 1)])
def test_the_hasher_of_old_releases_does_not_see_a_batch_exchange(
    version: str, chained: int
) -> None:
    """It cuts the edge up to 1.14, but counts as chained up to 1.10; later it is reset."""
    first = expected((1, 0, chained, []))["1"]

    for members in printed_and_made("batch-exchange", version):
        assert members["hashes"]["1"] == first


def test_nodes_are_hashed_breadth_first_and_each_behind_its_inputs() -> None:
    """The sink with a uid waits for no input; 4 is put back until 3 is hashed."""
    done = compiled(
        SOURCE,
        {"id": "t", "type": "legacy_source"},
        {"id": "a", "type": "map", "inputs": ["t"]},
        {"id": "j", "type": "co_map", "inputs": ["s", "a"]},
        {"id": "p", "type": "sink", "inputs": ["s"], "uid": "p"},
    )

    assert [*done.hashes] == [1, 2, 5, 3, 4]


def test_sources_are_hashed_by_number_and_those_of_iterations_first() -> None:
    for members in printed_and_made("iterate-wait", "1.11"):
        assert members["hashes"]["-3"] == expected((-3, 0, 0, []))["-3"]


@pytest.mark.parametrize("version", ["1.9", "2.3"])
def test_a_uid_that_two_operators_have_is_refused(version: str) -> None:
    said, ours = refused("duplicate-uid", version)

    assert said == ours
    assert 'Hash collision on user-specified ID "x".' in said
