"""An alignment of two sequences: which partners the best alignments give each position."""

from explorer.comparison.alignment import MOST_CELLS, SLACK, Partners, align_sequences
from tests.many_cases import for_each


@for_each(
    ("old", "new", "partners"),
    [
        ("sRt", "sRRt", [((0,), False), ((1, 2), False), ((3,), False)]),
        ("sRRt", "sRt", [((0,), False), ((1,), True), ((1,), True), ((2,), False)]),
        ("sMRt", "sMMMRt", [((0,), False), ((1, 3), False), ((4,), False), ((5,), False)]),
        ("sMRt", "sXRt", [((0,), False), ((), True), ((2,), False), ((3,), False)]),
        ("", "st", []),
        ("s", "", [((), True)]),
    ],
)
def test_an_alignment_lists_every_partner_of_a_best_one(
    old: str, new: str, partners: list[tuple[tuple[int, ...], bool]]
) -> None:
    found = align_sequences(
        len(old), len(new), lambda i, j: 3 if old[i] == new[j] else None, lambda *_: True
    )

    assert [tuple(one) for one in found] == partners
    assert all(isinstance(one, Partners) for one in found)


def equal(old: str, new: str) -> tuple[Partners, ...]:
    """Align the letters of two words, of which none follows its predecessor along an edge."""
    return align_sequences(
        len(old), len(new), lambda i, j: 1 if old[i] == new[j] else None, lambda *_: False
    )


def test_a_position_is_settled_with_one_partner_that_every_best_alignment_has() -> None:
    assert [one.settled for one in equal("abc", "axbc")] == [0, 2, 3]
    assert [one.settled for one in equal("aa", "a")] == [None, None]
    assert Partners((4,), alone=True).settled is None


def test_edges_decide_between_partners_of_one_score() -> None:
    old, new = "ab", "aab"

    def joined(row: int, column: int) -> bool:
        return (row, column) in {(1, 2), (2, 3)}

    found = align_sequences(2, 3, lambda i, j: 1 if old[i] == new[j] else None, joined)

    assert [one.settled for one in found] == [1, 2]
    assert equal(old, new)[0].positions == (0, 1)


def test_pairs_beyond_the_slack_are_not_tried() -> None:
    inside, beyond = ("x" * SLACK + "a", "a" + "y" * SLACK), ("x" * 13 + "a", "a" + "y" * 13)

    assert equal(*inside)[-1].settled == 0
    assert equal(*beyond)[-1] == Partners((), alone=True)


def test_sequences_beyond_the_limit_are_left_open() -> None:
    many = MOST_CELLS // (2 * SLACK + 1)

    found = align_sequences(many, many, lambda *_: 1, lambda *_: True)

    assert set(found) == {Partners((), alone=True)}
