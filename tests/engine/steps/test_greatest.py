"""State shape ``top``: rows that are among their key's greatest so far."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.steps.greatest import Greatest
from tests.engine.operators.steps import BATCHES, MORE, Given, emitted, records


@given(BATCHES, st.integers(1, 3))
def test_the_greatest_so_far_go_on_with_their_rank(given: Given, size: int) -> None:
    kept: dict[str, list[int]] = {}
    wanted = []
    for k, n, time in records(given):
        mine = kept.setdefault(k, [])
        rank = len(mine) if n is None else sum(one >= n for one in mine)
        if n is not None and rank < size:
            mine.insert(rank, n)
            del mine[size:]
            wanted.append([k, n, rank + 1, time])

    assert emitted(Greatest(keys=(0,), column=1, size=size, row_type=MORE), given) == wanted
