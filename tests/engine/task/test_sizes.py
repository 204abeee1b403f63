"""Values, rows and batches have limits, which are checked before memory is used."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from explorer import compile_graph
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.errors import RowError, RowFailure
from explorer.engine.rows.expressions.evaluator import evaluate
from explorer.engine.rows.expressions.parser import compile_expression
from explorer.engine.rows.sizes import (
    BATCH_BYTES,
    MOST_BYTES,
    ROW_BYTES,
    WORK_BYTES,
    BatchTooLargeError,
)
from explorer.engine.task.frames import FrameKind, unpack
from explorer.engine.task.subtask import RESULT, Subtask
from explorer.errors import ExplorerError
from explorer.model.row_type import parse_schema
from tests.engine.in_process import trial

pytestmark = pytest.mark.law

WORDS = parse_schema("w STRING, n LONG")


def doubled(times: int, factor: int = 8) -> str:
    """An expression that multiplies the length of a text by ``factor``, ``times`` times."""
    text = "w"
    for _ in range(times):
        text = f"concat({', '.join([text] * factor)})" if text == "w" else text
    return text


def bomb(levels: int = 5) -> dict[str, Any]:
    """A chain of maps that each multiply the length of the text by eight."""
    values = [["x" * 4000, 1], ["y", 2]]
    rows = {"values": values, "schema": "w STRING, n LONG"}
    steps: list[dict[str, Any]] = [{"id": "s", "type": "source", "rows": rows}]
    for level in range(levels):
        select = {"w": doubled(1), "n": "n"}
        last = steps[-1]["id"]
        steps.append({"id": f"m{level}", "type": "map", "inputs": [last], "select": select})
    steps.append({"id": "o", "type": "sink", "inputs": [steps[-1]["id"]]})
    return {"transformations": steps}


def nested(levels: int, text: str = "w") -> str:
    """One expression that does the work of these maps."""
    return text if levels == 0 else f"replace({nested(levels - 1, text)}, 'x', '{'x' * 100}')"


def test_a_row_that_would_be_too_large_is_named() -> None:
    with pytest.raises(RowError) as error:
        trial(bomb())

    reported = str(error.value)
    assert "takes 16,384,008 bytes, and 8,388,608 are allowed, at the row w = 'xxx" in reported
    assert error.value.operator == "Map"
    assert len(reported) < 1000


def test_text_cannot_grow_without_bounds_in_one_expression() -> None:
    rows = from_rows(WORDS, [("x" * 100, 1)] * 2)
    expression = compile_expression(nested(4), WORDS, "select.y")
    with pytest.raises(BatchTooLargeError):
        evaluate(expression, rows)
    with pytest.raises(RowFailure, match="more than the 67,108,864 bytes that are allowed"):
        evaluate(expression, rows.slice(0, 1))


UNASKED = [
    "if(n > 5, {}, 'small')",
    "case when n > 5 then {} else 'small' end",
    "coalesce('small', {})",
    "if(n > 5 and length({}) > 3, 'large', 'small')",
]


@pytest.mark.parametrize("text", UNASKED)
@pytest.mark.parametrize("large", [nested(4), nested(4, "'xxxxxxxxxx'"), nested(4, "'x'")])
def test_a_too_large_value_fails_only_where_it_is_evaluated(text: str, large: str) -> None:
    rows = from_rows(WORDS, [("x" * 100, 1)])
    expression = compile_expression(text.format(large), WORDS, "select.y")

    assert evaluate(expression, rows).to_pylist() == ["small"]


def test_a_batch_that_is_too_much_is_computed_half_by_half() -> None:
    rows = {"sequence": {"from": 0, "to": 4999}}
    select = {"w": f"concat(n, '{'x' * 4500}')", "v": f"concat('{'y' * 4500}', n)"}
    steps = [
        {"id": "s", "type": "source", "rows": rows},
        {"id": "m", "type": "map", "inputs": ["s"], "select": select},
        {"id": "l", "type": "map", "inputs": ["m"], "select": {"n": "length(w) + length(v)"}},
        {"id": "o", "type": "sink", "inputs": ["l"]},
    ]
    report = trial({"transformations": steps})

    wanted = [(9000 + 2 * len(str(n)),) for n in range(5000)]
    assert list(report.sinks["o"].data or ()) == wanted


def test_little_waits_in_memory_however_much_is_made() -> None:
    select = {f"c{number}": f"'{'x' * 4000}'" for number in range(500)}
    steps: list[dict[str, Any]] = [
        {"id": "s", "type": "source", "rows": {"sequence": {"from": 0, "to": 159}}},
        {"id": "m", "type": "map", "inputs": ["s"], "select": select},
        {"id": "r", "type": "rebalance", "inputs": ["m"]},
        *({"id": f"o{number}", "type": "sink", "inputs": ["r"]} for number in range(3)),
    ]
    job = plan_trial(compile_graph({"transformations": steps}, "1.20")).job
    largest = most = sent = 0
    for target, _, frame in Subtask(job.tasks[0], 0, lambda *_: None).run(iter(())):
        if target != RESULT and unpack(frame).kind is not FrameKind.WATERMARK:
            largest, sent = max(largest, len(frame)), sent + len(frame)
            most = max(most, pa.total_allocated_bytes())

    assert 4 * WORK_BYTES < 160 * 500 * 4000
    assert sent > 3 * 160 * 500 * 4000
    assert largest < 2 * BATCH_BYTES
    assert most < 4 * WORK_BYTES


def _run_file(path: Path, form: str, schema: str | None = None) -> None:
    rows = {"path": path.name, "format": form, **({"schema": schema} if schema else {})}
    source = {"id": "s", "type": "source", "rows": rows}
    trial({"transformations": [source, {"id": "o", "type": "sink", "inputs": ["s"]}]}, path.parent)


def test_a_line_that_is_too_long_is_refused(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_bytes(b"x" * (ROW_BYTES + 2 * 1024 * 1024))
    with pytest.raises(ExplorerError, match=r"'long.txt' has a line of more than 8,388,608 bytes"):
        _run_file(tmp_path / "long.txt", "text")


@pytest.mark.parametrize("schema", [None, "w STRING"])
@pytest.mark.parametrize(
    ("size", "said"),
    [(20, r"cells of 20,97.* bytes in column 'w'"), (300, r"packs 314,57.* of column 'w' into")],
)
def test_a_cell_that_is_too_large_is_refused_before_it_is_read(
    tmp_path: Path, schema: str | None, size: int, said: str
) -> None:
    path = tmp_path / "cell.parquet"
    table = pa.table({"w": ["x" * size * 1024 * 1024]})
    parquet.write_table(table, path, compression="zstd", write_statistics=False)
    before = pa.default_memory_pool().max_memory()

    assert path.stat().st_size < 100_000
    with pytest.raises(ExplorerError, match=said):
        _run_file(path, "parquet", schema)
    assert pa.default_memory_pool().max_memory() == before


def test_a_record_falls_into_so_many_windows_and_no_more() -> None:
    def document(size: int) -> dict[str, Any]:
        window = {"assigner": "sliding", "time": "event", "size": size, "slide": 1}
        times = {"column": "n", "out_of_orderness": 0}
        count = {"c": "count(*)"}
        rows = {"sequence": {"from": 0, "to": 20}}
        steps: list[dict[str, Any]] = [
            {"id": "s", "type": "source", "rows": rows},
            {"id": "t", "type": "timestamps", "inputs": ["s"], "timestamps": times},
            {
                "id": "w",
                "type": "window_all",
                "inputs": ["t"],
                "window": window,
                "aggregate": count,
            },
            {"id": "o", "type": "sink", "inputs": ["w"]},
        ]
        return {"transformations": steps}

    assert trial(document(100_000)).sinks["o"].rows == 100_020
    with pytest.raises(ExplorerError, match="'w': each record would fall into 100,001 windows"):
        trial(document(100_001))


def test_a_sink_stores_limited_bytes_of_a_limited_number_of_rows() -> None:
    rows = {"sequence": {"from": 0, "to": 19}}
    steps: list[dict[str, Any]] = [
        {"id": "s", "type": "source", "rows": rows},
        {"id": "a", "type": "map", "inputs": ["s"], "select": {"w": f"'{'x' * 4000}'", "n": "n"}},
        {"id": "b", "type": "map", "inputs": ["a"], "select": {"w": doubled(1, 500), "n": "n"}},
        {"id": "o", "type": "sink", "inputs": ["b"]},
    ]
    compiled = compile_graph({"transformations": steps}, "1.20")
    kept = 0
    job = plan_trial(compiled, limit=1000).job
    for _, _, frame in Subtask(job.tasks[0], 0, lambda *_: None).run(iter(())):
        kept += len(frame) if unpack(frame).kind is FrameKind.SINK else 0

    assert MOST_BYTES - 4 * 1024 * 1024 < kept < MOST_BYTES + 1024 * 1024
