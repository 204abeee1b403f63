"""A session retains what the page needs for the document at hand, and no more."""

import gc
from weakref import ref

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.compile.pipelines import SHAPES, document
from components.session.memo import SessionMemo
from explorer.documents import Document, load_document


class Answer:
    """Something that was made."""


def documents(count: int) -> list[Document]:
    return [load_document(document(SHAPES[0], 3)) for _ in range(count)]


def use(memo: SessionMemo, shown: Document, *names: str) -> None:
    for name in names:
        memo.find(name, (shown,), lambda _: Answer())
    memo.end_turn(shown)


def test_answers_about_the_document_at_hand_stay() -> None:
    memo, (shown,) = SessionMemo(), documents(1)
    use(memo, shown, "drawing", "plan")
    plan = memo["plan"]
    use(memo, shown, "drawing")
    use(memo, shown, "drawing", "plan")

    assert memo["plan"] is plan


def test_what_an_earlier_document_needed_is_freed_once_another_one_is_shown() -> None:
    memo, (first, second) = SessionMemo(), documents(2)
    use(memo, first, "drawing", "plan")
    freed = ref(memo["plan"]), ref(first)
    del first
    use(memo, second, "drawing")
    gc.collect()

    assert [weak() for weak in freed] == [None, None]
    assert len(memo) == 1


def test_what_was_made_of_an_earlier_document_is_handed_over() -> None:
    memo, (first, second) = SessionMemo(), documents(2)
    use(memo, first, "drawing", "plan")
    drawing, plan = memo["drawing"], memo["plan"]
    # A selection is no turn of its own: however many there are, the first answer alone is held.
    for number in range(3):
        memo.find("drawing", (second, number), lambda *_: Answer())

    assert memo.end_turn(second) == (first, [drawing, plan])
    assert memo.end_turn(second) == (second, [])


def test_a_turn_that_another_one_replaced_drops_nothing() -> None:
    memo, (first, second) = SessionMemo(), documents(2)
    use(memo, first, "drawing")
    memo.find("drawing", (second,), lambda _: Answer())  # this run ends here
    drawing = memo["drawing"]
    use(memo, second, "plan")

    assert memo["drawing"] is drawing


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.sets(st.sampled_from("abcdef"))), min_size=1, max_size=12
    )
)
def test_after_a_change_there_are_the_answers_of_the_last_turn_alone(
    turns: list[tuple[int, set[str]]],
) -> None:
    memo, shown = SessionMemo(), documents(3)
    expected: set[str] = set()
    latest = None
    for number, names in turns:
        use(memo, shown[number], *names)
        expected = names | (expected if number == latest else set())
        latest = number

    assert len(memo) == len(expected)
