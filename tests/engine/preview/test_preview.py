"""A preview has a trial's figures for the first rows, within limits that have messages."""

from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import explorer
from explorer.documents import samples
from explorer.engine.preview.preview import Preview, preview_trial, rows_read
from explorer.engine.preview.sampling import RowSample
from explorer.engine.preview.tracing import traced_run
from explorer.engine.rows.sources.columns import ANSWER_BYTES
from explorer.engine.starting import preview as at_once
from explorer.errors import ExplorerError
from explorer.java_numbers import LONG_MIN

NUMBERS = {"id": "s", "type": "source"}
OUT = {"id": "out", "type": "sink", "inputs": ["s"]}
ENDLESS = {**NUMBERS, "rows": {"sequence": {"from": 0, "to": 10**15}}}


def of(*transformations: dict[str, Any], **asked: Any) -> Preview:
    return at_once({"transformations": list(transformations)}, flink_version="1.20", **asked)


def test_of_each_source_the_first_rows_are_read() -> None:
    few = {**NUMBERS, "id": "t", "rows": {"values": [["a"]] * 5, "schema": "w STRING"}}
    found = of(ENDLESS, few, OUT, {**OUT, "id": "other", "inputs": ["t"]}, rows=300)

    assert sorted(one.records_out or 0 for one in found.report.operators) == [0, 0, 5, 300]
    assert found.cut == ("Source: Custom Source",)


ROWS = [(1, 0.5, "a"), (2, float("inf"), "b"), (3, float("-inf"), "é"), (4, 4.0, "d")]
FILES = {
    "csv": "n,x,w\n1,0.5,a\n2,Infinity,b\n3,-Infinity,é\n4,4.0,d\n",
    "jsonl": '{"n":1,"x":0.5,"w":"a"}\n{"n":2,"x":1e300,"w":"b"}\n'
    '{"n":3,"x":-1e300,"w":"é"}\n{"n":4,"x":4.0,"w":"d"}\n',
}


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_the_first_rows_of_a_file_are_those_that_a_trial_reads(form: str, tmp_path: Path) -> None:
    if form == "parquet":
        names = ("n", "x", "w")
        columns = dict(zip(names, map(list, zip(*ROWS, strict=True)), strict=True))
        pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    else:
        (tmp_path / f"rows.{form}").write_text(FILES[form], encoding="utf-8")
    source = {**NUMBERS, "rows": {"path": f"rows.{form}", "format": form}}
    found = of(source, {"id": "o", "type": "sink", "inputs": ["s"]}, data_dir=tmp_path, rows=3)

    # JSON has no infinities.
    far = 1e300 if form == "jsonl" else float("inf")
    rows = ((1, 0.5, "a"), (2, far, "b"), (3, -far, "é"))
    assert found.report.sinks["o"].data == rows
    assert found.cut == ("Source: Custom Source",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "length", "read"),
    [(900, 3_000, 900), (10, 300_000, 10), (1, 1_100_000, 1), (9, 1_000_000, 4), (2, 5_000_000, 1)],
)
def test_a_file_is_read_up_to_its_rows_or_bytes_and_a_cut_is_reported(
    tmp_path: Path, rows: int, length: int, read: int
) -> None:
    (tmp_path / "long.txt").write_text("\n".join(["x" * length] * rows))
    source = {**NUMBERS, "rows": {"path": "long.txt", "format": "text"}}
    found = of(source, OUT, data_dir=tmp_path)

    assert found.report.operators[0].records_out == read
    assert found.cut == (("Source: Custom Source",) if read < rows else ())
    assert rows_read(found.cut).startswith("the first rows of" if read < rows else "all rows")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "csv", "jsonl", "parquet"])
def test_a_row_that_a_trial_would_refuse_is_refused(tmp_path: Path, form: str) -> None:
    word = "x" * 9_000_000
    texts = {"text": word, "csv": f"w\n{word}\n", "jsonl": f'{{"w": "{word}"}}\n'}
    if form in texts:
        (tmp_path / "rows").write_text(texts[form])
    else:
        pq.write_table(pa.table({"w": [word]}), tmp_path / "rows")
    source = {**NUMBERS, "rows": {"path": "rows", "format": form, "schema": "w STRING"}}
    with pytest.raises(ExplorerError, match="rows"):
        of(source, OUT, data_dir=tmp_path)


@pytest.mark.slow
def test_numbers_count_as_bytes_too(tmp_path: Path) -> None:
    names = [f"n{column}" for column in range(1_000)]
    pq.write_table(pa.table({name: range(1_000) for name in names}), tmp_path / "wide")
    source = {**NUMBERS, "rows": {"path": "wide", "format": "parquet"}}
    found = of(source, OUT, data_dir=tmp_path)

    assert found.report.operators[0].records_out == ANSWER_BYTES // 9_000
    assert found.cut


def test_a_condition_searches_the_rows_that_were_read_and_warns(tmp_path: Path) -> None:
    lines = ["x" * 500_000] * 20 + ["wanted"]
    (tmp_path / "long.txt").write_text("\n".join(lines))
    source = {**NUMBERS, "rows": {"path": "long.txt", "format": "text"}}
    for condition, read in (("line = 'wanted'", 0), ("line <> 'wanted'", 8)):
        done = explorer.compile_graph({"transformations": [source, OUT]}, "1.20")
        sample = RowSample(rows=1_000, where=condition)
        run = traced_run(done, data_dir=tmp_path, sample=sample)

        assert run.report.operators[0].records_out == read
        assert run.cut == ("Source: Custom Source",)


def test_the_emitted_rows_of_every_operator_can_be_read() -> None:
    parts = {"id": "p", "type": "process", "inputs": ["s"], "side_outputs": {"even": "n % 2 = 0"}}
    even = {"id": "e", "type": "side_output", "inputs": ["p"], "tag": "even"}
    found = of(NUMBERS, parts, even, {"id": "o", "type": "sink", "inputs": ["e"]}, rows=6)
    node = found.report.operators[1].node
    (main,), (side,) = found.of(node), found.of(node, "even")

    assert [row for _, _, row in main.data] == [(1,), (3,), (5,)]
    assert [row for _, _, row in side.data] == [(0,), (2,), (4,)]
    assert (side.columns, side.rows) == ((("n", "LONG"),), 3)
    assert found.to_dict()["handed_on"][0]["data"][0] == (0, LONG_MIN, (0,))


def test_of_each_subtask_some_rows_are_stored() -> None:
    found = of({**NUMBERS, "parallelism": 3}, OUT, rows=1000)
    (rows,) = found.of(found.report.operators[0].node)

    assert rows.rows == 1000
    assert {subtask for subtask, _, _ in rows.data} == {0, 1, 2}
    assert len(rows.data) == 150


LONG_TEXT = "'" + "a " * 200 + "'"
WIDE: Final[list[dict[str, Any]]] = [
    NUMBERS,
    {"id": "w", "type": "map", "inputs": ["s"], "select": {"t": LONG_TEXT}},
]
SPLIT = {"value": "t", "pattern": " ", "as": "w"}
PASSED: Final[list[tuple[str, list[dict[str, Any]]]]] = [
    (
        "100,000 rows, which 'Flat Map'",
        [*WIDE, {"id": "f", "type": "flat_map", "inputs": ["w"], "split": SPLIT}],
    ),
    (
        "64 MB of rows, which 'Map'",
        [
            {**WIDE[0]},
            {**WIDE[1], "select": {"t": "'" + "a" * 4000 + "'"}},
            *(
                {
                    "id": f"m{turn}",
                    "type": "map",
                    "inputs": ["w" if not turn else f"m{turn - 1}"],
                    "select": {"t": "concat(t, t, t, t)"},
                }
                for turn in range(3)
            ),
        ],
    ),
    ("a preview runs at most 256", [{**NUMBERS, "parallelism": 257}, OUT]),
]


@pytest.mark.parametrize(("words", "transformations"), PASSED, ids=["rows", "bytes", "subtasks"])
def test_a_run_beyond_a_limit_ends_with_a_sentence(
    words: str, transformations: list[dict[str, Any]]
) -> None:
    with pytest.raises(ExplorerError) as refused:
        of(*transformations)

    assert words in str(refused.value)
    assert "start a trial run" in str(refused.value)


def test_time_has_a_limit() -> None:
    done = explorer.compile_graph({"transformations": [NUMBERS, OUT]}, "1.20")
    with pytest.raises(ExplorerError, match="the preview ended after 0 s of work"):
        preview_trial(done, seconds=0)


def test_a_row_that_fails_is_named_as_in_a_trial() -> None:
    with pytest.raises(ExplorerError, match="% by zero, at the row n = 0"):
        of(NUMBERS, {"id": "m", "type": "map", "inputs": ["s"], "select": {"a": "n % 0"}})


def test_a_document_without_functions_has_no_rows_to_look_at() -> None:
    captured = next(one.path for one in samples() if "stream_graph" in one.path.read_text())
    with pytest.raises(ExplorerError, match="no rows to look at"):
        at_once(captured)
