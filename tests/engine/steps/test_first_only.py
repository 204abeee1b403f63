"""State shape ``deduplicate``: the first row of each key or value."""

from typing import Any

from hypothesis import given

from explorer.engine.steps.first_only import FirstOnly
from tests.engine.operators.steps import BATCHES, Given, emitted, records


@given(BATCHES)
def test_the_first_of_its_like_goes_on(given: Given) -> None:
    seen: set[Any] = set()
    wanted = []
    for k, n, time in records(given):
        if (k, n) not in seen:
            wanted.append([k, n, time])
        seen.add((k, n))

    assert emitted(FirstOnly(columns=(0, 1)), given) == wanted
