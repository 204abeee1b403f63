"""The Kubernetes operator: what it derives, what it refuses, how it upgrades."""

from typing import Any

import pytest

from explorer.deployment.operator import OperatorJob
from explorer.deployment.operator_rules import operator_job, refused_change
from explorer.deployment.quantities import memory_bytes, memory_text
from explorer.deployment.upgrades import fixed_task_managers, job_manager_pods, operator_upgrade
from explorer.documents.kubernetes import chosen_resource, read_resources
from explorer.flink.releases import LATEST
from tests.documents.resources import EXAMPLES, JAR, deployment, session_job, stream

CHECKPOINTED = {"state.checkpoints.dir": "file:///c", "state.savepoints.dir": "file:///s"}

_CHECKPOINTS = next(iter(CHECKPOINTED.items()))


def job(*resources: dict[str, Any], base: dict[str, str] | None = None) -> OperatorJob:
    found = read_resources(stream(*resources))
    return operator_job(chosen_resource(found, None), found, base)


def changed(job_fields: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return deployment(**spec, job={"jarURI": JAR, "parallelism": 2, **job_fields})


def test_sizes_are_flinks_units_first_and_quantities_else() -> None:
    sizes = {
        "2048m": 2**31,
        "2g": 2**31,
        "2G": 2**31,
        "2Gi": 2**31,
        "2 gi": 2**31,
        "1.5Gi": 3 * 2**29,
        "2147483648": 2**31,
        "1P": 10**15,
    }
    assert {text: memory_bytes(text) for text in sizes} == sizes
    assert memory_text(3 * 2**29) == "1536mb"
    with pytest.raises(ValueError, match="much"):
        memory_bytes("much")


def test_the_operator_derives_the_options_of_the_cluster() -> None:
    found = job(deployment(flinkVersion="v1_16"))

    assert found.options["taskmanager.memory.process.size"] == "2gb"
    assert found.options["kubernetes.taskmanager.cpu"] == "1.0"
    assert found.options["parallelism.default"] == "2"
    assert found.options["pipeline.name"] == "basic"
    assert "kubernetes.taskmanager.cpu.amount" in job(deployment()).options
    assert "pipeline.name=basic" in found.derived


def test_options_that_the_operator_reads_itself_are_not_handed_on() -> None:
    found = read_resources(EXAMPLES["autoscaling"])
    made = operator_job(found[0])

    assert made.autoscaled
    assert "job.autoscaler.enabled" not in made.options
    assert made.options["execution.checkpointing.interval"] == "5 min"
    assert made.options["execution.submit-failed-job-on-application-error"] == "true"


def test_parallelism_and_task_managers_follow_replicas_overrides_or_the_job() -> None:
    slots = {"taskmanager.numberOfTaskSlots": 2}
    overrides = {**slots, "pipeline.jobvertex-parallelism-overrides": "a:3,b:7"}
    sized = {"resource": {"memory": "2g"}, "replicas": 3}
    standalone = job(deployment(mode="standalone", taskManager=sized))
    derived = job(changed({"parallelism": 5}, mode="standalone"))
    scaled = job(deployment(flinkConfiguration=overrides))

    assert standalone.options["parallelism.default"] == "6"
    assert fixed_task_managers(standalone) == 3
    assert fixed_task_managers(derived) == 3
    assert scaled.options["parallelism.default"] == "7"
    assert fixed_task_managers(scaled) is None
    assert job_manager_pods(scaled) == 1


def test_a_session_job_has_its_clusters_options_and_release() -> None:
    both = job(deployment("session", job=None), session_job())
    alone = job(session_job())

    assert both.flink == "1.20"
    assert both.options["taskmanager.numberOfTaskSlots"] == "2"
    assert both.options["parallelism.default"] == "4"
    assert alone.flink == LATEST
    assert "is not in the stream" in alone.unchecked[0]


def test_an_unknown_release_is_planned_with_the_newest_known_one() -> None:
    found = job(deployment(flinkVersion="v2_9", image="registry.org/flink:1.19-java17"))

    assert found.flink == LATEST
    assert f"v2_9) is not known: the rules of Flink {LATEST}" in found.unchecked[0]
    assert "is of Flink 1.19, and flinkVersion is v2_9" in found.notes[0]


@pytest.mark.parametrize(
    ("resource", "sentence"),
    [
        (deployment("Basic"), "The FlinkDeployment name: Basic is invalid"),
        (deployment("a" * 46), "no more than 45 characters"),
        (deployment(flinkVersion=None), "Flink Version must be defined."),
        (deployment(serviceAccount=None), "spec.serviceAccount must be defined"),
        (
            deployment(flinkConfiguration={"kubernetes.cluster-id": "x"}),
            "Forbidden Flink config key: kubernetes.cluster-id",
        ),
        (deployment(logConfiguration={"a.xml": ""}), "Invalid log config key: a.xml"),
        (changed({"parallelism": 0}), "Job parallelism must be larger than 0"),
        (
            changed({"upgradeMode": "last-state"}),
            "Checkpoint directory[execution.checkpointing.dir] must be defined",
        ),
        (
            changed(
                {"upgradeMode": "savepoint"}, flinkConfiguration={"state.checkpoints.dir": "c"}
            ),
            "Job could not be upgraded with savepoint while config key",
        ),
        (
            changed({"savepointTriggerNonce": 1}),
            "Savepoint could not be manually triggered for the running job",
        ),
        (
            deployment(taskManager={"replicas": 0}),
            "TaskManager replicas must be larger than 0",
        ),
        (
            deployment(jobManager={"resource": {"memory": "2g"}, "replicas": 2}),
            "High availability should be enabled when starting standby JobManagers.",
        ),
        (
            deployment(jobManager=None),
            "JobManager resource memory must be defined using `spec.jobManager.resource.memory`",
        ),
        (
            deployment(taskManager={"resource": {"memory": "two"}}),
            "TaskManager resource memory parse error",
        ),
        (
            deployment(
                flinkConfiguration={
                    "job.autoscaler.enabled": "true",
                    "job.autoscaler.target.utilization": "-1",
                }
            ),
            "The AutoScalerOption job.autoscaler.target.utilization is invalid",
        ),
    ],
)
def test_what_the_operator_refuses_is_refused_in_its_words(
    resource: dict[str, Any], sentence: str
) -> None:
    refusals = job(resource).refusals

    assert any(sentence in one for one in refusals), refusals


def test_default_options_of_the_operator_may_fill_what_a_resource_lacks() -> None:
    resource = changed({"upgradeMode": "last-state"})

    assert job(resource, base={"execution.checkpointing.dir": "s3://c"}).refusals == ()


def test_changes_that_the_operator_refuses() -> None:
    suspended = changed(
        {"state": "suspended", "upgradeMode": "last-state"}, flinkConfiguration=CHECKPOINTED
    )
    newer = {**suspended, "spec": {**suspended["spec"], "flinkVersion": "v2_0"}}
    for old, new, sentence in (
        (suspended, newer, "after last-state suspend"),
        (deployment(), deployment(mode="standalone"), "from native kubernetes to standalone"),
        (deployment(), changed({"savepointRedeployNonce": 2}), "InitialSavepointPath must not be"),
        (session_job(cluster="a"), session_job(cluster="b"), "deploymentName can't be changed"),
    ):
        assert sentence in " ".join(refused_change(job(old), job(new)))
    assert list(refused_change(job(deployment()), job(deployment()))) == []


@pytest.mark.parametrize(
    ("old", "new", "weight", "sentence"),
    [
        ({}, {}, "note", "starts without the old one's state"),
        ({}, {"upgradeMode": "savepoint"}, "note", "with a savepoint in file:///s"),
        ({}, {"upgradeMode": "last-state"}, "warning", "last-state without high availability"),
        (
            {"savepointRedeployNonce": 1},
            {"savepointRedeployNonce": 2, "initialSavepointPath": "s3://sp"},
            "unchecked",
            "savepointRedeployNonce restores the savepoint s3://sp",
        ),
        (
            {},
            {"upgradeMode": "savepoint", "initialSavepointPath": "s3://sp"},
            "note",
            "initialSavepointPath is not read again",
        ),
    ],
)
def test_how_the_operator_brings_state_over(
    old: dict[str, Any], new: dict[str, Any], weight: str, sentence: str
) -> None:
    before, after = (job(changed(one, flinkConfiguration=CHECKPOINTED)) for one in (old, new))
    found = operator_upgrade(after, before)

    assert found.refusals == ()
    assert (found.effects[0].weight, sentence in found.effects[0].sentence) == (weight, True)
    assert found.drops_state == (new == {})


def test_a_first_deployment_reads_its_savepoint_path() -> None:
    found = job(changed({"initialSavepointPath": "s3://sp"}))

    (effect,) = operator_upgrade(found, None, first=True).effects
    assert (effect.weight, "s3://sp" in effect.sentence) == ("unchecked", True)
    (effect,) = operator_upgrade(found, None, first=True, given_savepoint=True).effects
    assert effect.weight == "note"
