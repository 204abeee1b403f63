"""Reports of recorded clusters, at the vertices and operators of the job's program."""

import csv
import io
import json

import pytest

from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from explorer.running.job_report import JobReport, job_report
from tests.comparison.recorded_jobs import RECORDED, SAME, job, program


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
def test_a_job_that_has_ended_no_longer_reports_how_busy_it_is(version: str) -> None:
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


def test_a_job_of_another_program_has_no_figures_at_its_vertices() -> None:
    ends = [{"id": "a", "type": "source"}, {"id": "b", "type": "sink", "inputs": ["a"]}]
    lone = compile_program(load_document({"transformations": ends, "flink": "1.20"}))

    assert job_report(job("1.20.5").job, lone).vertices == ()
