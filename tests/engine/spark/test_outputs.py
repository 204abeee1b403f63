"""Files of sinks: parts that become a folder only at a trial's successful end."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer import compile_graph
from explorer.cli.main import main
from explorer.engine.planning.outputs import planned_output, unwritten_warnings
from explorer.engine.planning.trial_plan import TrialPlan, plan_trial
from explorer.engine.report.gathering import make_report
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.rows.errors import SinkError
from explorer.engine.spark.committing import commit, staged
from explorer.engine.steps.planned import OutputFolder
from explorer.engine.task.local_job import run_job
from explorer.model.pipeline import Write
from explorer.model.row_type import parse_schema
from tests.engine.in_process import counts_of, report_of, rows_of, trial, unchained
from tests.engine.on_spark import start, wait_until
from tests.patience import PATIENCE

FORMATS = ("csv", "jsonl", "parquet")
MADE = {
    "rows": 500,
    "seed": 4,
    "columns": {
        "k": {"draw": "zipf", "keys": 9, "prefix": "a, "},
        "x": {"draw": "normal", "mean": 0, "deviation": 1e5, "nulls": 0.2},
        "n": {"draw": "sequence"},
        "b": {"draw": "choice", "values": [True, False], "nulls": 0.2},
    },
}


def document(*formats: str, path: str = "out/{}") -> dict[str, Any]:
    """A source, a filter in a task of its own, and a sink of each format."""
    return {
        "environment": {"parallelism": 3},
        "transformations": [
            {"id": "s", "type": "source", "rows": {"generate": MADE}},
            {"id": "r", "type": "rebalance", "inputs": ["s"]},
            {"id": "f", "type": "filter", "inputs": ["r"], "where": "n % 3 > 0"},
            *(
                {
                    "id": form,
                    "type": "sink",
                    "inputs": ["f"],
                    "write": {"path": path.format(form), "format": form},
                }
                for form in formats
            ),
        ],
    }


def planned(document: dict[str, Any], folder: Path, most: int | None = None) -> TrialPlan:
    output = OutputFolder(path=folder, most=most)
    return plan_trial(compile_graph(document, "1.20"), data_dir=folder, output=output)


def run(document: dict[str, Any], folder: Path, most: int | None = None) -> TrialReport:
    """A trial that writes, in this process."""
    made = planned(document, folder, most)
    with staged(made.outputs):
        frames = run_job(made.job)
        commit(made.outputs, frames)
    compiled = compile_graph(document, "1.20")
    asked: dict[str, Any] = {"master": "here", "wall_ms": 0, "limit": None}
    return make_report(compiled, made, frames, **asked)


def everything(folder: Path) -> Iterator[str]:
    """All files and folders below a folder."""
    return (str(one.relative_to(folder)) for one in sorted(folder.rglob("*")))


def read_again(form: str, folder: Path) -> Counter[str]:
    """The rows that a source reads of what a sink wrote."""
    source = {"id": "s", "type": "source", "rows": {"path": f"out/{form}", "format": form}}
    sink = {"id": "o", "type": "sink", "inputs": ["s"]}
    return rows_of(trial({"transformations": [source, sink]}, folder))["o"]


def test_each_format_is_written_and_read_back(tmp_path: Path) -> None:
    report = run(document(*FORMATS), tmp_path)
    wanted = rows_of(report)

    for form in FORMATS:
        written = report.sinks[form].written
        assert written is not None
        assert written.path == str(tmp_path / "out" / form)
        assert [file.name for file in written.files] == [f"part-{at}-0.{form}" for at in range(3)]
        assert sum(file.rows for file in written.files) == report.sinks[form].rows == 333
        sizes = [(tmp_path / "out" / form / file.name).stat().st_size for file in written.files]
        assert [file.bytes for file in written.files] == sizes
        assert read_again(form, tmp_path) == wanted[form]


@pytest.mark.slow
def test_the_figures_are_those_of_a_trial_that_writes_nothing(tmp_path: Path) -> None:
    for one in (document(*FORMATS), unchained(document(*FORMATS))):
        there, here = run(one, tmp_path), report_of(compile_graph(one, "1.20"))

        assert rows_of(there) == rows_of(here)
        for found, wanted in zip(there.vertices, here.vertices, strict=True):
            assert counts_of(found) == counts_of(wanted)


@pytest.mark.slow
def test_of_several_attempts_one_counts(tmp_path: Path) -> None:
    made = planned(document(*FORMATS), tmp_path)
    with staged(made.outputs):
        run_job(made.job)
        frames = run_job(made.job)
        assert len([*made.outputs[0].staging.iterdir()]) == 6
        commit(made.outputs, frames)

    wanted = rows_of(report_of(compile_graph(document("csv"), "1.20")))["csv"]
    assert [read_again(form, tmp_path) for form in FORMATS] == [wanted] * 3


def run_and_stop(made: TrialPlan, folder: Path) -> None:
    run_job(made.job)
    assert len([*everything(folder)]) > 3
    msg = "stopped"
    raise SinkError(msg)


def test_a_trial_that_fails_leaves_nothing(tmp_path: Path) -> None:
    made = planned(document(*FORMATS), tmp_path)
    with pytest.raises(SinkError, match="stopped"), staged(made.outputs):
        run_and_stop(made, tmp_path)

    assert [*everything(tmp_path)] == []


def test_files_of_a_killed_trial_are_deleted_by_the_next_one(tmp_path: Path) -> None:
    gone = os.fork() or os._exit(0)
    os.waitpid(gone, 0)
    (tmp_path / "out" / f".csv.inprogress.{gone}-1").mkdir(parents=True)
    mine = tmp_path / "out" / f".csv.inprogress.{os.getpid()}-1"
    mine.mkdir()
    run(document("csv"), tmp_path)

    assert [one.name for one in (tmp_path / "out").iterdir() if one.name != "csv"] == [mine.name]


def test_files_of_a_trial_are_replaced_by_the_next_one(tmp_path: Path) -> None:
    first = run(document("jsonl"), tmp_path)
    fewer = document("jsonl")
    fewer["transformations"][2]["where"] = "n < 0"
    second = run(fewer, tmp_path)

    assert (first.sinks["jsonl"].rows, second.sinks["jsonl"].rows) == (333, 0)
    assert [*everything(tmp_path)] == ["out", "out/jsonl", "out/jsonl/_trial.json"]
    run(document("jsonl"), tmp_path)
    assert len([*everything(tmp_path)]) == 6


def change(folder: Path) -> None:
    with (folder / "part-0-0.csv").open("a") as file:
        file.write("more\n")


def add(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")


def forget(folder: Path) -> None:
    (folder / "_trial.json").write_text("[]")


@pytest.mark.slow
@pytest.mark.parametrize("do", [change, add, forget])
def test_a_changed_file_is_never_replaced(tmp_path: Path, do: Any) -> None:
    run(document("csv"), tmp_path)
    made = planned(document("csv"), tmp_path)
    do(tmp_path / "out" / "csv")
    before = [*everything(tmp_path)]
    says = r"sink 'csv': the folder 'out/csv' holds something that no trial wrote, and a trial repl"
    with pytest.raises(SinkError, match=says):
        planned(document("csv"), tmp_path)
    # Also where it was changed while the trial ran.
    with pytest.raises(SinkError, match=says), staged(made.outputs):
        commit(made.outputs, run_job(made.job))

    assert [*everything(tmp_path)] == before


def test_a_folder_that_cannot_be_written_is_refused_beforehand(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "csv").write_text("a file")
    with pytest.raises(SinkError, match="the folder 'out/csv' is a file, and a trial replaces"):
        planned(document("csv"), tmp_path)
    (tmp_path / "away").symlink_to("/")
    with pytest.raises(SinkError, match="'away/csv' is outside the output folder; a link leads"):
        planned(document("csv", path="away/{}"), tmp_path)
    made = planned(document("csv", path="out/csv/x"), tmp_path)
    with pytest.raises(SinkError, match="'out/csv/x' cannot be written: "), staged(made.outputs):
        pass


def test_a_sink_does_not_write_where_a_source_reads(tmp_path: Path) -> None:
    run(document("csv"), tmp_path)
    again = document("csv")
    again["transformations"][0]["rows"] = {"path": "out/csv", "format": "csv"}
    with pytest.raises(SinkError, match="is where a source reads 'out/csv'; write to another"):
        planned(again, tmp_path)


def test_rows_of_several_types_fit_no_file(tmp_path: Path) -> None:
    types = (parse_schema("n LONG"), parse_schema("w STRING"))
    with pytest.raises(SinkError, match="a file has rows of one type, and these come: n LONG; and"):
        planned_output("o", 1, Write(path="out", format="csv"), tmp_path, types)


@pytest.mark.slow
def test_a_part_that_is_too_large_is_reported_and_not_there(tmp_path: Path) -> None:
    for form in FORMATS:
        whole = run(document(form), tmp_path).sinks[form].written
        assert whole is not None
        most = sum(file.bytes for file in whole.files)
        cut = run(document(form), tmp_path, most=most - 3).sinks[form].written
        assert cut is not None
        assert 0 < cut.left_out < 333
        assert sum(file.rows for file in cut.files) + cut.left_out == 333
        names = {one.name for one in (tmp_path / "out" / form).iterdir()}
        assert names == {"_trial.json", *(file.name for file in cut.files)}


def test_a_worker_that_does_not_reach_the_folder_reports_it(tmp_path: Path) -> None:
    made = planned(document("csv"), tmp_path)
    says = r"a part of the folder 'out/csv' below '.*' cannot be written: no such file or directory"
    with pytest.raises(SinkError, match=says):
        run_job(made.job)


def test_without_a_folder_nothing_is_written(tmp_path: Path) -> None:
    compiled = compile_graph(document(*FORMATS), "1.20")

    assert plan_trial(compiled).outputs == ()
    assert unwritten_warnings(compiled.pipeline) == tuple(
        f"sink '{form}' writes no files here: no output folder is given" for form in FORMATS
    )
    assert report_of(compiled, tmp_path).sinks["csv"].written is None
    assert [*everything(tmp_path)] == []


@pytest.mark.spark
def test_the_shell_writes_next_to_the_document_and_reads_it_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "job.json").write_text(json.dumps(document(*FORMATS)))
    assert main(["trial", str(tmp_path / "job.json")]) == 0
    reported = capsys.readouterr().out
    wanted = rows_of(report_of(compile_graph(document("csv"), "1.20")))["csv"]

    for form in FORMATS:
        assert f"{form} wrote 3 files of {form}, " in reported
        assert f"bytes: {tmp_path}/out/{form}\n" in reported
        assert read_again(form, tmp_path) == wanted
    elsewhere = tmp_path / "new" / "folder"
    assert main(["trial", str(tmp_path / "job.json"), "--output", str(elsewhere)]) == 0
    assert sorted(one.name for one in (elsewhere / "out").iterdir()) == sorted(FORMATS)
    (tmp_path / "out" / "csv" / "mine.txt").write_text("mine")
    assert main(["trial", str(tmp_path / "job.json")]) == 1
    assert capsys.readouterr().err.startswith("error: sink 'csv': the folder 'out/csv' holds some")


@pytest.mark.spark
def test_a_trial_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    endless = document(*FORMATS)
    endless["transformations"][0]["rows"] = {"sequence": {"from": 0, "to": 10**15}}
    del endless["transformations"][1]
    endless["transformations"][1]["inputs"] = ["s"]
    trial = start(endless, collect=False, output=OutputFolder(path=tmp_path))
    assert trial.warnings == ()
    wait_until(lambda: sum("part-" in one for one in everything(tmp_path)) >= len(FORMATS))
    trial.cancel()

    assert trial.wait(PATIENCE)
    assert trial.state == "cancelled"
    assert [*everything(tmp_path)] == []
