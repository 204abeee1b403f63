"""Windows that never fire, and iterations without an exit."""

from explorer.engine.steps.drop import Drop
from tests.engine.operators.few_rows import report, rows

NEVER = {
    "type": "window",
    "inputs": ["b"],
    "window": {"assigner": "tumbling", "time": "processing", "size": 10},
    "aggregate": {"n": "sum(n)"},
}


def test_a_processing_time_window_emits_nothing_and_the_run_warns() -> None:
    assert rows(NEVER) == []
    assert any("processing" in warning for warning in report(NEVER).warnings)


def test_on_a_loop_nothing_depends_on_the_order_of_what_it_drops() -> None:
    assert (Drop.traits.order_sensitive, Drop.traits.emits_each) == (False, False)
