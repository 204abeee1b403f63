"""Which operator aggregates the rows of a window."""

from typing import Any

import pytest

from tests.engine.operators.few_rows import rows

SUM = {"type": "window", "inputs": ["b"], "aggregate": {"total": "sum(n)"}}


@pytest.mark.parametrize(
    ("window", "wanted"),
    [
        ({"assigner": "tumbling", "size": 8}, [("a", 0, 8, 1), ("b", 0, 8, 2), ("a", 8, 16, 3)]),
        ({"assigner": "session", "gap": 3}, [("a", 5, 8, 1), ("b", 7, 10, 2), ("a", 9, 12, 3)]),
        ({"assigner": "count", "size": 2}, [("a", 4)]),
    ],
)
def test_each_assigner_has_its_windows(window: dict[str, Any], wanted: list[Any]) -> None:
    assert rows({**SUM, "window": window}) == wanted


def test_without_an_aggregate_rows_pass() -> None:
    passed = {**SUM, "aggregate": None, "window": {"assigner": "count", "size": 2}}

    assert len(rows(passed)) == 3
