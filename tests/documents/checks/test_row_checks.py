"""Rows of sources and folders of sinks."""

from typing import Any

from explorer.documents.checks.row_checks import MAX_NAME, leaves_folder, row_fault
from explorer.model.row_type import parse_schema
from tests.documents.refused import SOURCE, refused
from tests.many_cases import for_each


def of_rows(**rows: Any) -> str:
    return refused([{**SOURCE, "rows": rows}])


def of_sinks(*writes: dict[str, Any]) -> str:
    sinks = [
        {"id": f"o{turn}", "type": "sink", "inputs": ["s"], "write": write}
        for turn, write in enumerate(writes)
    ]
    return refused([SOURCE, *sinks])


@for_each(
    ("rows", "says"),
    [
        (
            {},
            "rows: takes exactly one of sequence, path, values, generate and hybrid, but has none",
        ),
        ({"path": "a.csv", "values": []}, "but has path and values"),
        (
            {"sequence": {"from": 2, "to": 1}},
            "rows.sequence.to: must not be below from, which is 2",
        ),
        ({"values": [[1]]}, "rows.schema: is missing; values need one, as in n LONG"),
        ({"values": [[1, 2]], "schema": "n LONG"}, "values[0]: has 2 values, but the schema has 1"),
        ({"values": [["x"]], "schema": "n LONG"}, "values[0][0]: must be LONG for column 'n'"),
        (
            {"path": "a.csv"},
            "rows.format: is missing: text, csv, jsonl or parquet; this looks like",
        ),
        ({"path": "../a.csv", "format": "csv"}, "rows.path: must be in the data folder, but is"),
        ({"path": "a.txt", "format": "text", "schema": "n LONG"}, "text has the column line"),
        ({"values": [], "schema": "n"}, "rows.schema: "),
        ({"hybrid": [{"path": "a.csv", "format": "csv"}]}, "rows.hybrid: must be at least two"),
        (
            {"hybrid": [{"values": [], "schema": "n LONG"}, {"sequence": {"from": 2, "to": 1}}]},
            "rows.hybrid[1].sequence.to: must not be below from, which is 2",
        ),
        (
            {"hybrid": [{"values": [], "schema": "k LONG"}, {"sequence": {"from": 1, "to": 2}}]},
            "rows.hybrid: must have the same columns, but has k LONG and n LONG",
        ),
        ({"hybrid": [{"hybrid": []}, {}]}, "rows.hybrid[0].hybrid: must not be hybrid itself"),
    ],
)
def test_rows_that_cannot_be_are_refused(rows: dict[str, Any], says: str) -> None:
    assert says in of_rows(**rows)


@for_each(
    ("writes", "says"),
    [
        (({"path": "out"},), "write.format: is missing: csv, jsonl or parquet"),
        (
            ({"path": "out.csv", "format": "jsonl"},),
            "ends in '.csv', which stands for csv, but the",
        ),
        (({"path": "/out", "format": "csv"},), "write.path: must be in the output folder, but is"),
        (({"path": ".", "format": "csv"},), "must name a folder of its own, but is '.'"),
        (({"path": "é" * 91, "format": "csv"},), f"a folder's name takes at most {MAX_NAME} bytes"),
        (
            ({"path": "a", "format": "csv"}, {"path": "a", "format": "csv"}),
            "is also the folder of 'o0'; give each sink a folder of its own",
        ),
        (
            ({"path": "a/b", "format": "csv"}, {"path": "a", "format": "csv"}),
            "is within the folder of 'o1'",
        ),
    ],
)
def test_folders_that_cannot_be_are_refused(writes: tuple[dict[str, Any], ...], says: str) -> None:
    assert says in of_sinks(*writes)


@for_each(
    ("path", "leaves"),
    [
        ("a/b.csv", False),
        ("a..b/c", False),
        ("..", True),
        ("a\\..\\b", True),
        ("C:a", True),
        ("\\\\host\\a", True),
        ("a\0b", True),
        ("http://host/a", True),
        ("s3://bucket/a", False),
        ("s3://bucket/\0", True),
    ],
)
def test_a_path_may_leave_its_folder_on_some_system(path: str, *, leaves: bool) -> None:
    assert leaves_folder(path) == leaves


def test_a_value_fits_its_column() -> None:
    row = parse_schema("n LONG, x DOUBLE, w STRING, b BOOLEAN")

    assert row_fault("v", (1, 2, "a", True), row) is None
    assert row_fault("v", (None, None, None, None), row) is None
    for position, value in enumerate((2**63, float("inf"), 1, 1)):
        values = [None] * 4
        values[position] = value  # type: ignore[call-overload]
        fault = row_fault("v", values, row)
        assert fault is not None
        assert fault.at == f"v[{position}]"
