"""Windows that end with the stream, caches and partition windows in a trial."""

from typing import Any

import pytest

from explorer.documents import load_document
from explorer.errors import DocumentError
from tests.engine.in_process import rows_of, trial
from tests.many_cases import for_each

ROWS = {"values": [["a", 1], ["b", 2], ["a", 3]], "schema": "w STRING, n LONG"}
SOURCE = {"id": "s", "type": "source", "rows": ROWS, "parallelism": 1}
KEY = {"id": "k", "type": "key_by", "inputs": ["s"], "keys": ["w"]}
TOTALS = {"total": "sum(n)", "rows": "count(*)"}


def run(*transformations: dict[str, Any], end: str = "x") -> dict[str, int]:
    sink = {"id": "out", "type": "sink", "inputs": [end]}
    document = {"flink": "2.2", "transformations": [SOURCE, *transformations, sink]}
    return rows_of(trial(document))["out"]


@pytest.mark.parametrize(
    "operator",
    [
        {"type": "window", "window": {"assigner": "end_of_stream"}},
        {"type": "keyed_aggregate_partition"},
        {"type": "keyed_reduce_partition"},
    ],
)
def test_a_key_has_one_row_at_the_end(operator: dict[str, Any]) -> None:
    found = run(KEY, {"id": "x", "inputs": ["k"], "aggregate": TOTALS, **operator})

    assert found == {"('a', 4, 2)": 1, "('b', 2, 1)": 1}


@pytest.mark.parametrize(
    "operator",
    [
        {"type": "window_all", "window": {"assigner": "end_of_stream"}},
        {"type": "aggregate_partition"},
        {"type": "reduce_partition"},
    ],
)
def test_a_subtask_has_one_row_at_the_end(operator: dict[str, Any]) -> None:
    found = run({"id": "x", "inputs": ["s"], "aggregate": TOTALS, **operator})

    assert found == {"(6, 3)": 1}


@pytest.mark.parametrize("type", ["cache", "map_partition", "sort_partition"])
def test_rows_are_passed_on(type: str) -> None:
    found = run({"id": "x", "type": type, "inputs": ["s"]})

    assert found == {"('a', 1)": 1, "('b', 2)": 1, "('a', 3)": 1}


@for_each(
    ("type", "read", "what"),
    [
        ("map_partition", "s", "no select, as in select: {n: n + 1}"),
        ("sort_partition", "s", "no sort, as in sort: {column: n, order: ASCENDING}"),
        ("keyed_map_partition", "k", "no select, as in select: {n: n + 1}"),
        ("keyed_sort_partition", "k", "no sort, as in sort: {column: n, order: ASCENDING}"),
    ],
)
def test_a_run_warns_that_a_document_has_no_function_for_a_partition(
    type: str, read: str, what: str
) -> None:
    operator = {"id": "x", "type": type, "inputs": [read]}
    sink = {"id": "out", "type": "sink", "inputs": ["x"]}
    found = trial({"flink": "2.2", "transformations": [SOURCE, KEY, operator, sink]})

    assert any("'x' passes its rows on unchanged in this run" in one for one in found.warnings)
    assert any(f"because it has {what}" in one for one in found.warnings)


@for_each(
    ("operator", "problem"),
    [
        ({"type": "map_partition", "inputs": ["k"]}, "use keyed_map_partition"),
        ({"type": "keyed_sort_partition", "inputs": ["s"]}, "put a key_by after 's'"),
        ({"type": "cache", "inputs": ["k"]}, "a key_by has no cache"),
        (
            {"type": "window", "inputs": ["k"], "window": {"assigner": "end_of_stream", "size": 5}},
            "an end_of_stream window takes no durations",
        ),
        (
            {
                "type": "window",
                "inputs": ["k"],
                "window": {"assigner": "end_of_stream", "allowed_lateness": 5},
            },
            "an end_of_stream window is never over",
        ),
    ],
)
def test_a_window_that_flink_refuses_is_refused(operator: dict[str, Any], problem: str) -> None:
    with pytest.raises(DocumentError, match=problem):
        load_document({"transformations": [SOURCE, KEY, {"id": "x", **operator}]})
