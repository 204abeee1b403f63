"""Windows that never fire, and iterations without an exit."""

from tests.engine.operators.few_rows import report, rows

NEVER = {
    "type": "window",
    "inputs": ["b"],
    "window": {"assigner": "tumbling", "time": "processing", "size": 10},
    "aggregate": {"n": "sum(n)"},
}


def test_a_window_of_the_clock_emits_nothing_and_the_run_says_so() -> None:
    assert rows(NEVER) == []
    assert any("processing" in warning for warning in report(NEVER).warnings)
