"""What recorded clusters told of a job, at the vertices and operators of its program."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.job_report import JobReport, job_report
from explorer.analysis.running_jobs import NOT_COMPARED, match_document, match_job
from explorer.cli.main import main
from explorer.documents import JobGraphDocument, load_document
from explorer.flink.compiler import Compilation, compile_program
from tests.golden_files import cases

SAME = f"Same operator IDs: all 3 tasks of the job have the IDs of this program. {NOT_COMPARED}"

RECORDED = {case["flink"]: case for case in cases("running_jobs")}


def job(version: str, which: str = "running") -> JobGraphDocument:
    loaded = load_document(RECORDED[version][which])
    assert isinstance(loaded, JobGraphDocument)
    return loaded


def program(version: str, change: Any = None) -> Compilation:
    captured = {**RECORDED[version]["captured"]}
    if change is not None:
        del captured["flink_job_graph"]
        nodes = [node | change(node) for node in captured["stream_graph"]["nodes"]]
        captured["stream_graph"] = {**captured["stream_graph"], "nodes": nodes}
    return compile_program(load_document(captured))


def report(version: str, which: str = "running") -> JobReport:
    return job_report(job(version, which).job, program(version))


@pytest.mark.parametrize("version", RECORDED)
def test_a_jobs_figures_stand_at_the_vertices_of_its_program(version: str) -> None:
    done, found = program(version), report(version)
    assert [one.id for one in found.vertices] == [one.id for one in done.job_graph.vertices]
    assert {one.node for one in found.operators} == set(done.hashes)
    slow, few = (
        next(one for one in found.operators if one.name == name)
        for name in ("slow -> down, (twice)", '<none> & "few"')
    )
    assert slow.records_in
    assert few.records_in
    assert few.records_out == 0
    assert found.wall_ms > 0
    assert found.match.verdict == "same operator IDs"


@pytest.mark.parametrize("version", RECORDED)
def test_a_job_that_has_ended_tells_no_more_how_busy_it_is(version: str) -> None:
    found = report(version, "cancelled")
    assert found.state == "CANCELED"
    assert all(one.shares == (None, None, None) for one in found.vertices)
    assert all(one.records_in is None for one in found.operators)
    times = {time is None for one in found.vertices for time in one.times}
    assert times == {version == "1.9.3"}


def test_a_report_is_json_and_csv() -> None:
    found = report("1.20.5")
    members = json.loads(json.dumps(found.to_dict()))
    assert members["match"]["sentence"] == SAME
    assert members["vertices"][0]["figures"]["subtasks"][0]["state"] == "RUNNING"
    lines = list(csv.DictReader(io.StringIO(found.to_csv())))
    kinds = [line["kind"] for line in lines]
    assert (kinds.count("vertex"), kinds.count("subtask"), kinds.count("operator")) == (3, 5, 10)


def test_another_parallelism_is_listed_at_its_task() -> None:
    wider = program("2.2.1", lambda node: {"parallelism": 4} if node["parallelism"] == 2 else {})
    match = match_job(job("2.2.1").job, wider)
    assert match.verdict == "same operator IDs"
    assert match.sentence.startswith(SAME.split(". ", maxsplit=1)[0] + ", with 2 differences. ")
    assert all("it runs with parallelism 2, and here has 4" in one for one in match.differences)


def test_other_names_and_inputs_are_listed() -> None:
    other = load_document(
        {
            **RECORDED["1.20.5"]["running"],
            "job_graph": {
                **RECORDED["1.20.5"]["running"]["job_graph"],
                "edges": [],
                "vertices": [
                    vertex | {"name": "other", "max_parallelism": 77}
                    for vertex in RECORDED["1.20.5"]["running"]["job_graph"]["vertices"]
                ],
            },
        }
    )
    assert isinstance(other, JobGraphDocument)
    (_, second, _) = match_job(other.job, program("1.20.5")).tasks
    assert second.differences == (
        "it is called 'other' in the job and 'sums -> (negative -> Sink: below 0, halves -> Filter "
        "-> Sin…' here",
        "it reads nothing in the job and ca88eee0 by HASH here",
    )


def test_a_job_of_another_program_is_another_one() -> None:
    ends = [{"id": "a", "type": "source"}, {"id": "b", "type": "sink", "inputs": ["a"]}]
    lone = {"transformations": ends, "flink": "1.20"}
    match = match_job(job("1.20.5").job, compile_program(load_document(lone)))
    assert match.verdict == "other operator IDs"
    assert match.sentence == (
        "Other operator IDs: under Flink 1.20 no task of the job has an ID of this program."
    )
    assert job_report(job("1.20.5").job, compile_program(load_document(lone))).vertices == ()


def test_a_new_task_makes_it_another_version() -> None:
    apart = program(
        "1.20.5", lambda node: {"chaining_strategy": "NEVER"} if node["name"] == "halves" else {}
    )
    match = match_job(job("1.20.5").job, apart)
    assert match.verdict == "some operator IDs"
    assert match.sentence.startswith("Some operator IDs: ")
    assert any("is a task of this program, and does not run" in one for one in match.differences)


@pytest.mark.parametrize("version", RECORDED)
@pytest.mark.parametrize("turned", [False, True])
def test_the_shell_lays_a_job_beside_a_program(
    version: str,
    turned: bool,  # noqa: FBT001
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = [tmp_path / f"{which}.json" for which in ("plan", "captured")]
    for file in files:
        file.write_text(json.dumps(RECORDED[version][file.stem]))
    if turned:
        files.reverse()
    assert main(["compare", *map(str, files)]) == 0
    said = capsys.readouterr().out
    assert said.strip() == SAME
    assert main(["compare", "--json", *map(str, files)]) == 0
    members = json.loads(capsys.readouterr().out)
    assert (members["verdict"], members["differences"]) == ("same operator IDs", [])


def test_a_program_for_another_release_is_compiled_for_the_clusters() -> None:
    program = load_document(RECORDED["1.9.3"]["captured"])
    match = match_document(job("2.2.1"), program)
    assert match.flink == "2.2"
    assert match.verdict == "same operator IDs"
