"""The options that the Kubernetes operator derives from a resource."""

from explorer.deployment.operator_rules import operator_job
from explorer.deployment.upgrades import fixed_task_managers, job_manager_pods
from explorer.documents.readers.kubernetes import read_resources
from explorer.flink.releases import LATEST
from tests.deployment.operator_jobs import changed, job
from tests.documents.resources import EXAMPLES, deployment, session_job


def test_the_operator_derives_the_options_of_the_cluster() -> None:
    found = job(deployment(flinkVersion="v1_16"))

    assert found.options["taskmanager.memory.process.size"] == "2gb"
    assert found.options["kubernetes.taskmanager.cpu"] == "1.0"
    assert found.options["parallelism.default"] == "2"
    assert found.options["pipeline.name"] == "basic"
    assert "kubernetes.taskmanager.cpu.amount" in job(deployment()).options
    assert "pipeline.name=basic" in found.derived


def test_options_that_the_operator_reads_itself_are_not_passed_on() -> None:
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

    assert both.release == "1.20"
    assert both.options["taskmanager.numberOfTaskSlots"] == "2"
    assert both.options["parallelism.default"] == "4"
    assert alone.release == LATEST
    assert "is not in the stream" in alone.unchecked[0]


def test_an_unknown_release_is_planned_with_the_newest_known_one() -> None:
    found = job(deployment(flinkVersion="v2_9", image="registry.org/flink:1.19-java17"))

    assert found.release == LATEST
    assert f"v2_9) is not known: the rules of Flink {LATEST}" in found.unchecked[0]
    assert "is of Flink 1.19, and flinkVersion is v2_9" in found.notes[0]
