"""Trials give the figures and rows that a real Flink 1.20 cluster gave, chained or not.

Every run is done in this process as it is, and without chains; of hundreds of jobs those in which
an operator is set as in none before. Those in which each exchange occurs are done on Spark without
chains, where more is exchanged; a few are chained there, too.
The random runs have what three runs of Flink agreed on and no order of arrival decides.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from explorer import compile_graph
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.starting import run_trial
from tests.engine.in_process import trial, unchained, unpack_data
from tests.golden_files import cases

RUNS = [*cases("runs"), *cases("runs_windows")]
CHAINED_ON_SPARK = [run for run in RUNS if not run["name"].startswith("run")]
"""The word count, numbers and a side output, and each kind of window."""
FILES = [
    "runs",
    "runs_windows",
    pytest.param("runs_random", marks=pytest.mark.law),
    pytest.param("runs_operators", marks=pytest.mark.law),
]
SMALL = {"runs", "runs_windows"}
"""Files of which every job with chains is run without them, too."""
VERTEX = ("name", "parallelism", "records_in", "records_out", "bytes_out", "subtask_records_in")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack_data(tmp_path_factory.mktemp("data"))


def _text(value: object) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _vertex_differences(wanted: dict[str, Any], report: TrialReport) -> Iterator[str]:
    without_rows = msgspec.structs.replace(report, sinks={})
    found = {vertex["id"]: vertex for vertex in without_rows.to_dict()["vertices"]}
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


def _differences(run: Mapping[str, Any], report: TrialReport) -> Iterator[str]:
    """Yield where a report of the chained program is not what Flink's web interface showed."""
    yield from _vertex_differences(run["flink"], report)
    yield from _sink_differences(run["flink"], report)
    dropped = run["flink"].get("late_dropped")
    if dropped is not None:
        counted = _dropped(run["pipeline"], report)
        if counted != {id: records for id, records in dropped.items() if records}:
            yield f"dropped: {counted}"
        if sum("numLateRecordsDropped" in text for text in report.warnings) != len(counted):
            yield f"warnings: {report.warnings}"


def _named(run: Mapping[str, Any], lines: Iterator[str]) -> list[str]:
    return [f"{run['name']}: {line}" for line in lines]


def _exchanges(run: Mapping[str, Any]) -> set[tuple[str, bool, bool]]:
    """How the run's tasks exchange records, and whether with fewer or with more subtasks."""
    graph = compile_graph(unchained(run["pipeline"]), "1.20").job_graph
    subtasks = {vertex.id: vertex.parallelism for vertex in graph.vertices}
    return {
        (
            edge.ship_strategy,
            subtasks[edge.source] > subtasks[edge.target],
            subtasks[edge.source] < subtasks[edge.target],
        )
        for edge in graph.edges
    }


def _has_chains(run: Mapping[str, Any]) -> bool:
    """Whether it is another job without chains."""
    graph = compile_graph(run["pipeline"], "1.20").job_graph
    return any(len(vertex.operators) > 1 for vertex in graph.vertices)


def _settings(run: Mapping[str, Any]) -> set[tuple[str, ...]]:
    """How its operators are set: types with members and words, without rows and expressions."""
    return {
        (step["type"], member, key, text if str(text).isidentifier() else "")
        for step in run["pipeline"]["transformations"]
        for member, value in step.items()
        if member not in {"id", "inputs", "name", "rows"} and not member.startswith("select")
        for key, text in (value.items() if isinstance(value, dict) else [("", value)])
    }


def _runs_of_each_exchange() -> list[dict[str, Any]]:
    """The first two runs with each kind of exchange, and all with windows.

    What a task computes is compared in this process, for all runs; Spark only exchanges.
    """
    runs = list(cases("runs_windows"))
    seen = Counter(exchange for run in runs for exchange in _exchanges(run))
    for run in cases("runs"):
        exchanges = _exchanges(run)
        if any(seen[exchange] < 2 for exchange in exchanges):
            seen.update(exchanges)
            runs.append(run)
    return runs


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_runs_have_flinks_figures_and_without_chains_its_rows(file: str, data: Path) -> None:
    wrong: list[str] = []
    seen: set[tuple[str, ...]] = set()
    for run in cases(file):
        wrong += _named(run, _differences(run, trial(run["pipeline"], data)))
        settings = _settings(run)
        if _has_chains(run) and (file in SMALL or not settings <= seen):
            seen |= settings
            report = trial(unchained(run["pipeline"]), data)
            wrong += _named(run, _sink_differences(run["flink"], report))

    assert wrong == []


@pytest.mark.spark
def test_runs_on_spark_have_flinks_figures(data: Path) -> None:
    wrong: list[str] = []
    for run in CHAINED_ON_SPARK:
        report = run_trial(run["pipeline"], data_dir=data, flink_version="1.20")
        wrong += _named(run, _vertex_differences(run["flink"], report))
        wrong += _named(run, _sink_differences(run["flink"], report))

    assert wrong == []


@pytest.mark.spark
def test_operators_of_all_kinds_run_on_spark() -> None:
    """One of each family: state, timers, pairs, late rows and looked-up rows cross a shuffle."""
    by_family = {run["family"]: run for run in cases("runs_operators")}
    wrong: list[str] = []
    for run in by_family.values():
        report = run_trial(run["pipeline"], flink_version="1.20")
        wrong += _named(run, _vertex_differences(run["flink"], report))
        wrong += _named(run, _sink_differences(run["flink"], report))

    assert wrong == []


@pytest.mark.spark
def test_runs_on_spark_without_chains_have_flinks_rows_and_our_figures(data: Path) -> None:
    wrong: list[str] = []
    for run in _runs_of_each_exchange():
        pipeline = unchained(run["pipeline"])
        report = run_trial(pipeline, data_dir=data, flink_version="1.20")
        wrong += _named(run, _sink_differences(run["flink"], report))
        wrong += _named(run, _vertex_differences(trial(pipeline, data).to_dict(), report))

    assert wrong == []
