"""A trial of a hosted page reads the first rows of each source, and warns of it."""

from pathlib import Path
from typing import Any

import pytest

from explorer import compile_graph
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.preview.sampling import first_rows
from explorer.engine.report.gathering import make_report
from explorer.engine.starting import preview
from explorer.engine.task.local_job import run_job

SOURCES: dict[str, dict[str, Any]] = {
    "sequence": {"sequence": {"from": -5, "to": 10**15}},
    "values": {"values": [[n] for n in range(40)], "schema": "n LONG"},
    "file": {"path": "rows.csv", "format": "csv"},
    "hybrid": {
        "hybrid": [
            {"values": [[n] for n in range(20)], "schema": "n LONG"},
            {"sequence": {"from": 20, "to": 10**15}},
        ]
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("parallelism", [1, 3])
def test_a_source_ends_after_its_first_rows(tmp_path: Path, name: str, parallelism: int) -> None:
    (tmp_path / "rows.csv").write_text("n\n" + "".join(f"{n}\n" for n in range(100_000)))
    document = {
        "environment": {"parallelism": parallelism},
        "transformations": [
            {"id": "s", "type": "source", "rows": SOURCES[name]},
            {"id": "o", "type": "sink", "inputs": ["s"]},
        ],
    }
    compiled = compile_graph(document, "1.20")
    planned = first_rows(plan_trial(compiled, data_dir=tmp_path), 30)
    frames = run_job(planned.job)
    report = make_report(compiled, planned, frames, master="here", wall_ms=1.0, limit=None)
    first = -5 if name == "sequence" else 0

    assert sorted(row[0] for row in report.sinks["o"].data or ()) == list(range(first, first + 30))
    assert any("reads the first 30 rows" in warning for warning in planned.warnings)


def test_a_preview_reads_the_first_rows_of_one_source_after_another() -> None:
    source = {"id": "s", "type": "source", "rows": SOURCES["hybrid"]}
    sink = {"id": "o", "type": "sink", "inputs": ["s"]}
    found = preview({"transformations": [source, sink]}, flink_version="1.20", rows=30)

    assert found.report.sinks["o"].data == tuple((n,) for n in range(30))
    assert found.cut == ("Source: Custom Source",)


def test_a_source_that_has_no_more_is_not_spoken_of() -> None:
    sink = {"id": "o", "type": "sink", "inputs": ["s"]}
    document = {"transformations": [{"id": "s", "type": "source"}, sink]}
    planned = plan_trial(compile_graph(document, "1.20"))

    assert first_rows(planned, 1_000) == planned
