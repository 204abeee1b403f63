"""Connected vertices, vertices downstream, and an order in which edges run forward."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.flink.regions import producers_first, reachable_from, regions

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20)


def test_a_region_is_named_by_the_first_vertex_of_its_largest_part() -> None:
    assert regions("abcde", [("b", "c"), ("a", "b"), ("d", "e")]) == {
        "a": "b",
        "b": "b",
        "c": "b",
        "d": "d",
        "e": "d",
    }


def test_vertices_without_a_connection_are_regions_of_their_own() -> None:
    assert regions([3, 1, 2], []) == {3: 3, 1: 1, 2: 2}


def test_a_vertex_joined_twice_stays_in_its_region() -> None:
    assert set(regions(range(3), [(0, 1), (1, 0), (0, 1), (1, 2)]).values()) == {0}


def test_reached_nodes_include_the_starts_and_a_loop_once() -> None:
    further = {1: [2], 2: [3], 3: [1], 4: [1]}

    assert reachable_from([2], lambda one: further.get(one, [])) == {1, 2, 3}
    assert reachable_from([], lambda one: further.get(one, [])) == set()
    assert reachable_from([9], lambda one: further.get(one, [])) == {9}


def test_long_lines_are_reached_without_recursion() -> None:
    last = 100_000

    assert len(reachable_from([0], lambda one: [one + 1] if one < last else [])) == last + 1


def test_producers_come_first_and_ties_preserve_their_order() -> None:
    assert producers_first("edcba", [("a", "e"), ("b", "e"), ("e", "d")]) == list("cbaed")
    assert producers_first("ab", [("a", "b"), ("a", "b")]) == ["a", "b"]


def test_nodes_on_a_cycle_or_downstream_of_one_are_left_out() -> None:
    assert producers_first("sabt", [("s", "a"), ("a", "b"), ("b", "a"), ("b", "t")]) == ["s"]


@given(PAIRS)
def test_two_vertices_are_in_one_region_exactly_where_edges_connect_them(
    pairs: list[tuple[int, int]],
) -> None:
    found = regions(range(10), pairs)
    beside: dict[int, list[int]] = {one: [] for one in range(10)}
    for source, target in pairs:
        beside[source].append(target)
        beside[target].append(source)

    for one in range(10):
        assert {other for other in found if found[other] == found[one]} == reachable_from(
            [one], beside.__getitem__
        )
