"""Commands on Kubernetes resources: the jar here, the operator's options, one plan of two."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import explorer
from explorer.capture import cached
from explorer.cli.main import main
from explorer.targets.target_options import TargetOptions
from tests.capture.flinks import jar, lib
from tests.documents.resources import JAR, deployment, session_job, stream
from tests.plans.plans import COUNT, program

CHECKPOINTED = {
    "taskmanager.numberOfTaskSlots": 2,
    "state.checkpoints.dir": "file:///c",
    "state.savepoints.dir": "file:///s",
}


def upgraded(upgrade_mode: str = "savepoint", **job: Any) -> dict[str, Any]:
    whole = {"jarURI": JAR, "parallelism": 2, "upgradeMode": upgrade_mode, **job}
    return deployment(flinkConfiguration=CHECKPOINTED, job=whole)


@pytest.fixture
def artifact(tmp_path: Path) -> list[str]:
    """A document in the jar's place: options, derivations and rules are those of a jar."""
    (tmp_path / "job.json").write_text(json.dumps(program(COUNT)))
    return ["--artifact", f"{JAR}={tmp_path / 'job.json'}"]


def written(folder: Path, name: str, *resources: dict[str, Any]) -> str:
    path = folder / name
    path.write_text(stream(*resources))
    return str(path)


@pytest.mark.slow
def test_every_command_accepts_a_resource(
    artifact: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = written(tmp_path, "old.yaml", upgraded())
    new = written(tmp_path, "new.yaml", upgraded(parallelism=6))
    codes = {
        ("compile", new): 0,
        ("draw", new): 0,
        ("explain", new): 0,
        ("trace", new): 0,
        ("whatis", "count", new): 0,
        ("releases", new): 0,
        ("deploy", new, "--baseline", old): 0,
        ("check", new): 0,
        ("capture", new): 0,
        ("compare", old, new): 0,
        ("restore", old, new): 3,
        ("bridge", old, new): 0,
        ("plan", new, "--from", old): 3,
        ("plan", new): 0,
    }
    for command, code in codes.items():
        found = main([*command, *artifact])
        printed = capsys.readouterr()
        assert (command, found) == (command, code), printed.err
        assert printed.out


def test_resources_are_compared_pod_by_pod(
    artifact: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = written(tmp_path, "old.yaml", upgraded())
    larger = upgraded(parallelism=6)
    larger["spec"]["taskManager"] = {"resource": {"memory": "4Gi", "cpu": 2}}
    new = written(tmp_path, "new.yaml", larger)

    assert main(["plan", new, "--from", old, *artifact, "--format", "json"]) == 3
    sections = json.loads(capsys.readouterr().out)["sections"]
    figures = {
        one["subject"]: (one["before"], one["after"]) for one in sections["resources"]["changes"]
    }
    assert figures["pods"] == ("2", "4")
    assert figures["task managers"] == ("1", "3")
    assert figures["memory of all pods"] == ("4 GiB", "14 GiB")
    assert figures["CPU of all pods"] == ("2.0", "7.0")
    assert figures["slots"] == ("2", "6")
    said = [one["sentence"] for one in sections["state"]["unchanged"]]
    assert "The operator stops the job with a savepoint in file:///s and restores it." in said
    derived = " ".join(one["sentence"] for one in sections["resources"]["unchanged"])
    assert "taskmanager.memory.process.size=4gb" in derived


def test_an_upgrade_without_state_drops_it(artifact: list[str], tmp_path: Path) -> None:
    old = written(tmp_path, "old.yaml", upgraded())
    new = written(tmp_path, "new.yaml", upgraded("stateless"))
    artifacts = dict([artifact[1].split("=")])

    found = explorer.plan(new, old=old, artifacts=artifacts)
    state = found.section("state")
    assert state.verdict == "attention"
    assert {one.after for one in state.changes} == {"dropped"}
    assert found.fixes == ()


def test_a_resource_that_the_operator_refuses_is_not_deployed(
    artifact: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = upgraded()
    refused["spec"]["flinkConfiguration"] = {"kubernetes.cluster-id": "x"}
    new = written(tmp_path, "new.yaml", refused)

    assert main(["plan", new, *artifact]) == 1
    headline = "Do not deploy: The operator refuses: Forbidden Flink config key: kubernetes.cluster"
    assert capsys.readouterr().out.startswith(headline)
    assert main(["explain", new, *artifact]) == 1
    assert "the Kubernetes operator refuses FlinkDeployment 'basic': Forbidden" in (
        capsys.readouterr().err
    )


def test_standard_input_several_jobs_and_a_folder_of_artifacts(
    artifact: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = stream(deployment("session", job=None), session_job("a"), session_job("b"))

    def run(*more: str) -> int:
        given = io.TextIOWrapper(io.BytesIO(text.encode()))
        monkeypatch.setattr(sys, "stdin", given)
        return main(["plan", "-", *more])

    assert run(*artifact) == 1
    assert "the stream has 2 jobs: 'a' and 'b'; choose one with --job NAME" in (
        capsys.readouterr().err
    )
    assert run(*artifact, "--job", "b") == 0
    assert "FlinkSessionJob 'b' of standard input" in capsys.readouterr().out
    assert run("--job", "b") == 1
    assert f"give its path with --artifact {JAR}=PATH" in capsys.readouterr().err
    assert run("--job", "b", "--artifacts", str(tmp_path)) == 1
    assert "there is no file job.jar in the folder" in capsys.readouterr().err
    assert run("--job", "b", "--artifact", f"{JAR}=gone.jar") == 1
    assert "there is no file 'gone.jar', which --artifact names" in capsys.readouterr().err


def test_a_configuration_folder_adds_options_that_the_resource_lacks(
    artifact: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.yaml").write_text("taskmanager: {numberOfTaskSlots: 4}\n")
    new = written(tmp_path, "new.yaml", deployment(flinkConfiguration=None))

    assert main(["deploy", new, *artifact, "--conf", str(tmp_path)]) == 0
    assert "1 task manager of 4 slots" in capsys.readouterr().out
    assert (
        main(["deploy", new, *artifact, "--conf", str(tmp_path), "-D", "parallelism.default=9"])
        == 0
    )
    capsys.readouterr()


def test_an_autoscaled_job_loses_the_overrides_of_ids_that_move(tmp_path: Path) -> None:
    new_program = [
        *COUNT[:1],
        {"id": "extra", "type": "map", "inputs": [COUNT[0]["id"]]},
        *(
            {**one, "inputs": ["extra"]} if one.get("inputs") == [COUNT[0]["id"]] else one
            for one in COUNT[1:]
        ),
    ]
    for name, transformations in (("old.json", COUNT), ("new.json", new_program)):
        (tmp_path / name).write_text(json.dumps(program(transformations)))
    scaled = upgraded()
    scaled["spec"]["flinkConfiguration"] = {**CHECKPOINTED, "job.autoscaler.enabled": "true"}
    resource = written(tmp_path, "both.yaml", scaled)
    found = explorer.plan(
        resource,
        old=resource,
        artifacts={JAR: str(tmp_path / "new.json")},
        old_target=TargetOptions(artifacts={JAR: str(tmp_path / "old.json")}),
    )
    moved = [one.sentence for one in found.section("graph").changes if "ID changed" in one.sentence]
    assert moved
    assert all("autoscaler's overrides are stored by task ID" in one for one in moved)


def test_an_unknown_release_leaves_the_plan_unchecked(
    artifact: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = written(tmp_path, "new.yaml", deployment(flinkVersion="v2_9", image="jobs:1"))

    assert main(["plan", new, *artifact, "--format", "json"]) == 3
    resources = json.loads(capsys.readouterr().out)["sections"]["resources"]
    assert "the newest known release" in resources["changes"][0]["sentence"]
    assert resources["verdict"] == "unchecked"


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_jar_is_captured_with_the_resources_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FLINK_HOME", str(lib("1.20.5").parent))
    monkeypatch.setattr(cached, "cache_folder", lambda: tmp_path / "cache" / "flink")
    built = jar("Orders", "1.20.5", tmp_path)
    resource = written(tmp_path, "new.yaml", upgraded(parallelism=5, entryClass="Orders"))
    out = tmp_path / "job.json"

    artifacts = ["--artifact", f"{JAR}={built}"]
    assert main(["capture", resource, *artifacts, "--out", str(out)]) == 0
    document = json.loads(out.read_text())
    assert document["flink"] == "1.20"
    assert document["options"]["taskmanager.memory.process.size"] == "2gb"
    assert document["options"]["parallelism.default"] == "5"
    assert 5 in {node["parallelism"] for node in document["stream_graph"]["nodes"]}
    words = ["flink", "run", "-d", "-c", "Orders", "-p", "3", "-Dpipeline.object-reuse=true"]
    capsys.readouterr()
    assert main(["plan", "--format", "json", "--", *words, str(built), "a"]) in {0, 3}
    assert json.loads(capsys.readouterr().out)["new"]["release"] == "1.20"
