"""The rules by which the Kubernetes operator refuses a resource or its change."""

from typing import Any

from explorer.deployment.operator_rules import operator_job, refused_change
from explorer.documents.readers.kubernetes import read_resources
from tests.deployment.operator_jobs import CHECKPOINTED, changed, job
from tests.documents.resources import deployment, session_job, stream
from tests.many_cases import for_each


@for_each(
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
def test_a_resource_that_the_operator_refuses_is_refused_in_its_words(
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


def test_a_session_job_is_refused_on_an_application_cluster() -> None:
    found = read_resources(stream(session_job(cluster="basic"), deployment()))

    assert operator_job(found[0], found).refusals == (
        "Can not submit session job to application cluster",
    )
