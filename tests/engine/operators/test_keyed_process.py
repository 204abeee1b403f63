"""``KeyedProcessOperator``: what all shapes of state refuse."""

from typing import Any

import pytest

from tests.engine.operators.few_rows import refusal, report, rows
from tests.many_cases import for_each


def state(**fields: Any) -> dict[str, Any]:
    return {"type": "keyed_process", "inputs": ["b"], "state": fields}


@for_each(
    ("shape", "wanted"),
    [
        ({"shape": "count"}, [1, 1, 2]),
        ({"shape": "total", "column": "n"}, [1, 2, 4]),
        ({"shape": "last", "column": "n"}, [None, None, 1]),
        ({"shape": "top", "column": "n", "size": 1}, [1, 1, 1]),
    ],
)
def test_a_shape_appends_its_column(shape: dict[str, Any], wanted: list[int | None]) -> None:
    assert [row[-1] for row in rows(state(**shape))] == wanted


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        ({"shape": "total", "column": "k"}, "total takes a LONG or DOUBLE column"),
        ({"shape": "last", "column": "x"}, "there is no column 'x'"),
        ({"shape": "count", "as": "n"}, "column 'n' is named twice"),
    ],
)
def test_an_operator_that_cannot_run_is_refused(shape: dict[str, Any], says: str) -> None:
    assert says in refusal(state(**shape))


def test_a_batch_job_has_a_note_that_flink_sorts_its_input() -> None:
    assert report(state(shape="count")).warnings == ()
    batch = report(state(shape="count"), runtime_mode="BATCH")
    assert "sorts the input of a keyed operator" in batch.warnings[0]
