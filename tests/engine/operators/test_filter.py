"""``StreamFilter``: rows for which a condition is true."""

from tests.engine.operators.few_rows import refusal, rows


def test_a_row_passes_only_if_the_condition_is_true() -> None:
    values = [["a", 1, 0], ["b", None, 0], ["c", 3, 0]]

    found = rows({"type": "filter", "where": "n > 1"}, values=values)

    assert found == [("c", 3, 0)]  # a comparison with NULL is not true


def test_without_a_condition_all_rows_pass() -> None:
    assert len(rows({"type": "filter"})) == 3


def test_a_condition_must_be_boolean() -> None:
    assert "BOOLEAN" in refusal({"type": "filter", "where": "n + 1"})
