"""State shape ``last``: the value of the key's row before."""

from hypothesis import given

from explorer.engine.steps.previous_value import PreviousValue
from tests.engine.operators.steps import BATCHES, MORE, Given, emitted, records


@given(BATCHES)
def test_the_value_before_is_that_of_the_keys_row_before(given: Given) -> None:
    last: dict[str, int | None] = {}
    wanted = []
    for k, n, time in records(given):
        wanted.append([k, n, last.get(k), time])
        last[k] = n

    assert emitted(PreviousValue(keys=(0,), column=1, row_type=MORE), given) == wanted


def test_on_a_loop_it_depends_on_the_order_of_rows_and_drops_none() -> None:
    traits = PreviousValue.traits

    assert (traits.order_sensitive, traits.emits_each) == (True, True)
