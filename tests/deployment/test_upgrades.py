"""How the Kubernetes operator replaces a job: its state and its pods."""

from typing import Any

from explorer.deployment.upgrades import fixed_task_managers, job_manager_pods, operator_upgrade
from tests.deployment.operator_jobs import CHECKPOINTED, changed, job
from tests.documents.resources import deployment
from tests.many_cases import for_each


@for_each(
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


def test_a_suspended_job_starts_no_new_one() -> None:
    running = job(changed({}))
    stopped = operator_upgrade(job(changed({"state": "suspended"})), running)

    assert [one.after for one in stopped.effects] == ["stateless", "suspended"]
    assert stopped.effects[1].weight == "warning"


def test_a_savepoint_by_hand_restores_what_a_stateless_upgrade_drops() -> None:
    old, new = job(changed({})), job(changed({}))

    assert operator_upgrade(new, old).drops_state
    assert not operator_upgrade(new, old, given_savepoint=True).drops_state
    assert not operator_upgrade(new, None, first=True).drops_state


def test_another_release_of_a_last_state_job_is_restored_from_a_savepoint() -> None:
    fields = {"upgradeMode": "last-state"}
    old, new = (
        job(changed(fields, flinkVersion=version, flinkConfiguration=CHECKPOINTED))
        for version in ("v1_19", "v1_20")
    )

    (effect,) = operator_upgrade(new, old).effects
    assert effect.sentence.startswith("flinkVersion changes: the operator takes a savepoint in ")


def test_a_standalone_cluster_has_as_many_pods_as_it_states() -> None:
    sized = {"resource": {"memory": "2g"}, "replicas": 3}

    assert fixed_task_managers(job(deployment(mode="standalone", taskManager=sized))) == 3
    assert fixed_task_managers(job(deployment())) is None
    assert job_manager_pods(job(deployment())) == 1


AVAILABLE = {**CHECKPOINTED, "high-availability.type": "kubernetes"}
NATIVE = {**CHECKPOINTED, "kubernetes.operator.savepoint.format.type": "NATIVE"}


@for_each(
    ("mode", "options", "version", "origin"),
    [
        ("stateless", CHECKPOINTED, "v1_20", None),
        ("savepoint", CHECKPOINTED, "v1_20", "savepoint"),
        ("savepoint", NATIVE, "v1_20", "native savepoint"),
        ("last-state", AVAILABLE, "v1_20", "high availability"),
        ("last-state", CHECKPOINTED, "v1_20", "checkpoint"),
        ("last-state", AVAILABLE, "v2_0", "savepoint"),
        ("last-state", {**NATIVE, **AVAILABLE}, "v2_0", "native savepoint"),
    ],
)
def test_an_upgrade_names_the_origin_of_its_state(
    mode: str, options: dict[str, str], version: str, origin: str | None
) -> None:
    before = job(changed({"upgradeMode": mode}, flinkConfiguration=options))
    after = job(changed({"upgradeMode": mode}, flinkConfiguration=options, flinkVersion=version))

    assert operator_upgrade(after, before).origin == origin
    assert operator_upgrade(after, before, first=True).origin is None
