"""The jobs of a cluster, from the answers that clusters of three releases gave."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

import explorer
from explorer.documents import JobGraphDocument, document_values, load_document
from explorer.rest import jobs
from explorer.rest.addresses import ClusterError, read_address
from explorer.rest.jobs import JobEntry, jobs_at, jobs_of, names_of, read_job
from tests.golden_files import cases
from tests.rest.listening import answering, body, listening, sending

RECORDED: dict[str, dict[str, Any]] = {case["flink"]: case for case in cases("running_jobs")}


def entry(letter: str, state: str = "RUNNING", start: int = 1) -> dict[str, Any]:
    return {"jid": letter * 32, "name": letter, "state": state, "start-time": start}


def ended(version: str, **config: Any) -> dict[str, Any]:
    """Every answer about a recorded job, as if it had been cancelled."""
    details = {**RECORDED[version]["details"], "state": "CANCELED"}
    path = f"/jobs/{details['jid']}"
    answers: dict[str, Any] = {
        "/config": {"flink-version": version},
        path: details,
        f"{path}/config": {"execution-config": config},
        "/jobs/overview": {"jobs": [entry("a"), {**entry("b"), "jid": details["jid"]}]},
    }
    for vertex in details["vertices"]:
        answers[f"{path}/vertices/{vertex['id']}"] = {"subtasks": []}
    return answers


def document_of(answers: Mapping[str, object], version: str) -> JobGraphDocument:
    with answering(answers) as (address, _):
        return read_job(address, RECORDED[version]["details"]["jid"])


def test_a_task_of_a_strange_id_is_not_asked_for() -> None:
    details = {
        "jid": "0" * 32,
        "state": "FAILING",
        "plan": {},
        "flink-version": "1.20.5",
        "vertices": [{"id": "../../config", "status": "RUNNING"}],
    }
    with (
        listening(sending(body(json.dumps(details)))) as address,
        pytest.raises(ClusterError, match=r"'\.\./\.\./config' is no task's ID"),
    ):
        read_job(read_address(address)[0], "0" * 32)


def test_jobs_that_run_come_first_and_the_latest_of_them() -> None:
    listed = [
        entry("a", start=1),
        entry("b", "FINISHED", 9),
        entry("c", start=5),
        entry("d", "FAILED"),
    ]
    with answering({"/jobs/overview": {"jobs": listed}}) as (address, _):
        found = jobs_of(address)

    assert [(one.name, one.has_ended) for one in found] == [
        ("c", False),
        ("a", False),
        ("b", True),
        ("d", True),
    ]


def test_a_job_without_an_id_is_no_answer_of_flink() -> None:
    bad = {**entry("a"), "jid": "../config"}
    with (
        answering({"/jobs/overview": {"jobs": [bad]}}) as (address, _),
        pytest.raises(ClusterError, match=r"jobs\[0\].jid: '../config' is no job's ID"),
    ):
        jobs_of(address)


def test_more_jobs_than_a_sentence_lists_are_others() -> None:
    listed = [
        JobEntry(id=letter * 2, name=letter, state="RUNNING", start_time=0) for letter in "abc"
    ]

    assert names_of(listed, 2) == "aa 'a', bb 'b' and others"
    assert names_of(listed, 3) == "aa 'a', bb 'b' and cc 'c'"
    assert names_of([], 3) == "none"


@pytest.mark.parametrize("version", RECORDED)
def test_a_job_has_the_tasks_that_were_recorded(version: str) -> None:
    found = document_values(document_of(ended(version), version))["job_graph"]["vertices"]

    recorded = RECORDED[version]["running"]["job_graph"]["vertices"]
    assert [(one["id"], one["name"]) for one in found] == [
        (one["id"], one["name"]) for one in recorded
    ]


@pytest.mark.parametrize("case", [*cases("running_checkpoints")], ids=lambda case: case["flink"])
def test_a_task_has_the_bytes_of_the_latest_checkpoint(case: dict[str, Any]) -> None:
    version, checkpoint = case["flink"], case["checkpoint"]
    path = f"/jobs/{RECORDED[version]['details']['jid']}"
    checkpoints = {
        f"{path}/checkpoints": case["checkpoints"],
        f"{path}/checkpoints/details/{checkpoint['id']}": checkpoint,
    }
    document = document_of({**ended(version), **checkpoints}, version)
    again = load_document(document_values(document))
    sizes = {figures.id: figures.state_bytes for figures in document.job.figures}

    assert sum(size or 0 for size in sizes.values()) == checkpoint["state_size"] > 0
    assert sizes == {id: task["state_size"] for id, task in checkpoint["tasks"].items()}
    assert isinstance(again, JobGraphDocument)
    assert again.job.figures == document.job.figures
    drawing = explorer.compile_graph(document).to_mermaid("job")
    assert drawing.count(" of state") == sum(bool(size) for size in sizes.values())


def test_a_job_without_a_checkpoint_or_a_forgotten_one_has_no_bytes() -> None:
    path = f"/jobs/{RECORDED['2.2.1']['details']['jid']}/checkpoints"
    for latest in ({"completed": None, "savepoint": None}, {"completed": {"id": 7}}, {}):
        document = document_of({**ended("2.2.1"), path: {"latest": latest}}, "2.2.1")

        assert {figures.state_bytes for figures in document.job.figures} == {None}


def test_a_release_that_sends_no_plan_with_the_details_is_asked_for_it() -> None:
    answers, (id, plan) = (
        ended("1.20.5"),
        (RECORDED["1.20.5"]["details"]["jid"], RECORDED["1.20.5"]["plan"]),
    )
    details = {name: one for name, one in answers[f"/jobs/{id}"].items() if name != "plan"}
    parted = {**answers, f"/jobs/{id}": details, f"/jobs/{id}/plan": plan}

    assert document_of(parted, "1.20.5").job.tasks == document_of(answers, "1.20.5").job.tasks


def test_settings_are_texts_by_path_and_secrets_are_stars() -> None:
    settings = {"job-parallelism": 2, "user-config": {"s3.secret-key": "x", "flag": True}}
    answers = ended("1.20.5", **settings)
    checkpoints = f"/jobs/{RECORDED['1.20.5']['details']['jid']}/checkpoints/config"
    found = document_of({**answers, checkpoints: {"interval": 1000, "mode": None}}, "1.20.5").job

    assert dict(found.configuration) == {
        "job-parallelism": "2",
        "user-config.s3.secret-key": "******",
        "user-config.flag": "true",
        "checkpoints.interval": "1000",
    }


def test_a_job_that_is_forgotten_is_named_with_those_that_there_are() -> None:
    with (
        answering(ended("1.20.5")) as (address, _),
        pytest.raises(ClusterError, match=f"has no job {'c' * 32}: it ended .*{'a' * 32} 'a'"),
    ):
        read_job(address, "c" * 32)


def test_an_address_of_a_cluster_captures_its_running_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_SETTLING", 0.0)
    answers = ended("1.20.5")
    details = RECORDED["1.20.5"]["details"]
    answers[f"/jobs/{details['jid']}"] = details
    answers["/jobs/overview"] = {"jobs": [{**entry("b"), "jid": details["jid"]}]}
    with answering(answers) as (address, asked):
        (found,) = jobs_at(str(address))

    assert (found.job.id, found.job.state) == (details["jid"], "RUNNING")
    vertex = details["vertices"][0]["id"]
    assert f"/jobs/{details['jid']}/vertices/{vertex}/backpressure" in asked


def test_a_cluster_without_a_running_job_is_one_sentence() -> None:
    with (
        answering({"/jobs/overview": {"jobs": [entry("a", "FINISHED")]}}) as (address, _),
        pytest.raises(ClusterError, match="no job runs on http"),
    ):
        jobs_at(str(address))
