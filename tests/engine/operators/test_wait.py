"""``AsyncWaitOperator``: rows pass when their answers have arrived."""

from tests.engine.operators.few_rows import VALUES, report, rows


def test_rows_pass_in_their_order_and_the_run_reports_its_delay() -> None:
    waits = {"type": "async", "wait": {"delay": 1, "capacity": 2}}

    assert rows(waits) == [tuple(row) for row in VALUES]
    assert "waits 1 ms for each 2 rows" in report(waits).warnings[0]


def test_without_a_delay_nothing_waits() -> None:
    assert report({"type": "async", "wait": {"delay": 0, "capacity": 2}}).warnings == ()
