"""Trials give the figures and rows that a real Flink 1.20 cluster gave, chained or not.

Every run is done in this process, with both exchange formats, and a few sizes also on Spark.
The random runs have what three runs of Flink agreed on and no order of arrival decides.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from explorer import compile_graph
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.starting import run_trial
from tests.engine.in_process import trial, unchained, unpack_data
from tests.golden_files import cases

RUNS = [*cases("runs"), *cases("runs_windows")]
NAMES = [run["name"] for run in RUNS]
ALL_RUNS = [
    *(pytest.param(run, id=run["name"]) for run in RUNS),
    *(
        pytest.param(run, id=run["name"], marks=pytest.mark.law)
        for name in ("runs_random", "runs_operators")
        for run in cases(name)
    ),
]
VERTEX = ("name", "parallelism", "records_in", "records_out", "bytes_out", "subtask_records_in")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack_data(tmp_path_factory.mktemp("data"))


def _text(value: object) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _vertex_differences(wanted: dict[str, Any], report: TrialReport) -> Iterator[str]:
    found = {vertex["id"]: vertex for vertex in report.to_dict()["vertices"]}
    for vertex in wanted["vertices"]:
        for member in VERTEX:
            if member in vertex and found[vertex["id"]][member] != vertex[member]:
                yield f"{vertex['name']} {member}: {found[vertex['id']][member]}"


def _sink_differences(wanted: dict[str, Any], report: TrialReport) -> Iterator[str]:
    for name, sink in wanted["sinks"].items():
        found = report.sinks[name]
        rows = sorted("\t".join(map(_text, row)) for row in found.data or ())
        digest = hashlib.sha256("".join(f"{row}\n" for row in rows).encode()).hexdigest()
        if found.rows != sink["rows"] or len(rows) != sink["rows"]:
            yield f"sink {name}: {found.rows} rows"
        if sink.get("sha256_of_sorted_rows", digest) != digest:
            yield f"sink {name}: other rows, {rows[:2]}"
        if sink.get("sorted_rows", rows) != rows:
            yield f"sink {name}: other rows, {rows[:2]}"


def _dropped(pipeline: Mapping[str, Any], report: TrialReport) -> dict[str, int]:
    """By the ID of each window's operator how many records it dropped."""
    graph = compile_graph(pipeline, "1.20").job_graph
    ids = {int(one.node): one.operator_id for vertex in graph.vertices for one in vertex.operators}
    return {ids[one.node]: one.late_dropped for one in report.operators if one.late_dropped}


@pytest.mark.parametrize("run", ALL_RUNS)
def test_a_run_has_flinks_figures(run: Mapping[str, Any], data: Path) -> None:
    report = trial(run["pipeline"], data)

    assert list(_vertex_differences(run["flink"], report)) == []
    assert list(_sink_differences(run["flink"], report)) == []
    wanted = run["flink"].get("late_dropped")
    if wanted is not None:
        found = _dropped(run["pipeline"], report)
        assert found == {id: records for id, records in wanted.items() if records}
        assert sum("numLateRecordsDropped" in one for one in report.warnings) == len(found)


@pytest.mark.law
@pytest.mark.parametrize("run", ALL_RUNS)
def test_a_run_without_chains_has_flinks_rows(run: Mapping[str, Any], data: Path) -> None:
    report = trial(unchained(run["pipeline"]), data)

    assert list(_sink_differences(run["flink"], report)) == []


@pytest.mark.spark
@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_a_run_on_spark_has_flinks_figures(run: Mapping[str, Any], data: Path) -> None:
    report = run_trial(run["pipeline"], data_dir=data, flink_version="1.20")

    assert list(_vertex_differences(run["flink"], report)) == []
    assert list(_sink_differences(run["flink"], report)) == []


@pytest.mark.spark
def test_operators_of_all_kinds_run_on_spark() -> None:
    """One of each family: state, timers, pairs, late rows and looked-up rows cross a shuffle."""
    one_each = {run["family"]: run for run in cases("runs_operators")}
    for run in one_each.values():
        report = run_trial(run["pipeline"], flink_version="1.20")

        assert list(_vertex_differences(run["flink"], report)) == []
        assert list(_sink_differences(run["flink"], report)) == []


@pytest.mark.spark
@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_a_run_on_spark_without_chains_has_flinks_rows(run: Mapping[str, Any], data: Path) -> None:
    report = run_trial(unchained(run["pipeline"]), data_dir=data, flink_version="1.20")

    assert list(_sink_differences(run["flink"], report)) == []
