"""A plan's rows about the Kubernetes operator."""

from typing import Any

import pytest

from explorer.deployment import ClusterResources
from explorer.deployment.cluster_options import cluster_options
from explorer.deployment.deploying import compute_resources
from explorer.deployment.upgrades import operator_upgrade
from explorer.plans.kubernetes_operator import (
    derived_rows,
    note_rows,
    pod_rows,
    refusal_rows,
    upgrade_rows,
)
from explorer.plans.plan_case import PlanCase
from explorer.plans.resources import resources_section
from tests.deployment.operator_jobs import CHECKPOINTED, changed, job
from tests.documents.resources import deployment
from tests.plans.plans import COUNT, compared, planned, program

_SMALL = {"resource": {"memory": "2g"}, "replicas": 1}


def case(new: dict[str, Any], old: dict[str, Any] | None = None, *notes: str) -> PlanCase:
    before = None if old is None else job(old)
    upgrade = operator_upgrade(job(new), before, notes)
    return compared(program(COUNT, parallelism=8), program(COUNT, parallelism=8), upgrade=upgrade)


def deployed(found: PlanCase) -> ClusterResources:
    assert found.request.upgrade is not None
    options = found.request.upgrade.new.options
    return compute_resources(found.new, cluster_options(found.document, options, found.new.release))


def test_a_plan_without_a_resource_has_no_rows() -> None:
    bare = compared(None, program(COUNT))

    for rows in (refusal_rows, upgrade_rows, note_rows, derived_rows):
        assert [*rows(bare)] == []


def test_a_refusal_names_the_resource_and_quotes_the_operator() -> None:
    (row,) = refusal_rows(case(deployment(mode="standalone"), deployment()))

    assert (row.subject, row.severity) == ("FlinkDeployment 'basic'", "error")
    assert row.sentence == (
        "The operator refuses: Cannot switch from native kubernetes to standalone kubernetes "
        "cluster"
    )


def test_an_equal_mode_has_no_value_before() -> None:
    (same,) = upgrade_rows(case(deployment(), deployment()))
    other = deployment(job={"jarURI": "local:///j.jar", "upgradeMode": "savepoint"})
    (changed,) = upgrade_rows(case(other, deployment()))

    assert (same.before, same.after) == (None, "stateless")
    assert (changed.before, changed.after) == ("stateless", "savepoint")


def test_a_note_of_something_unknown_is_unchecked() -> None:
    unknown = case(deployment(flinkVersion="v2_9"))
    assert unknown.request.upgrade is not None
    notes = (*unknown.request.upgrade.new.unchecked, "The image is old.")
    rows = [*note_rows(case(deployment(flinkVersion="v2_9"), None, *notes))]

    assert [one.severity for one in rows] == ["unchecked", "warning"]


def test_derived_and_own_options_are_named() -> None:
    own = {"job.autoscaler.enabled": "true", "taskmanager.numberOfTaskSlots": "2"}
    derived, kept = [*derived_rows(case(deployment(flinkConfiguration=own)))][:2]

    assert "pipeline.name=basic" in derived.sentence
    assert kept.sentence == (
        "It reads job.autoscaler.enabled itself and does not hand them on to Flink."
    )


def test_pods_are_compared_and_a_cluster_that_is_too_small_is_refused() -> None:
    found = case(deployment(mode="standalone", taskManager=_SMALL), deployment())
    after = deployed(found)
    (pods,) = pod_rows(found, after, after)
    rows = resources_section(found).changes
    (refused,) = (one for one in rows if one.subject == "slots" and one.after == "refused")

    assert (pods.before, pods.after) == ("5", "2")
    assert refused.severity == "error"
    assert refused.sentence.startswith(
        "The job needs 8 slots, and the cluster has 2 slots for it: the job does not start"
    )


def test_flink_requests_the_pods_of_a_native_cluster() -> None:
    found = case(deployment(), deployment())
    after = deployed(found)

    assert [*pod_rows(found, after, after)] == []
    (pods,) = pod_rows(found, None, after)
    assert (pods.before, pods.after) == (None, "5")


@pytest.mark.parametrize(("mode", "severity"), [("last-state", "error"), ("savepoint", "warning")])
def test_high_availability_ignores_the_allowance_of_non_restored_state(
    mode: str, severity: str
) -> None:
    options = {**CHECKPOINTED, "high-availability.type": "kubernetes"}
    resource = job(changed({"upgradeMode": mode}, flinkConfiguration=options))
    upgrade = operator_upgrade(resource, resource)
    without_count = [*COUNT[:2], {**COUNT[4], "inputs": ["words"]}]

    plan = planned(program(COUNT), program(without_count), upgrade=upgrade, allow_non_restored=True)

    state = plan.section("state")
    assert [one.severity for one in state.changes if one.subject == "count"] == [severity]
    ignored = [one.fix for one in state.changes if "FLINK-39513" in one.sentence]
    assert ignored == (["Set upgradeMode to savepoint"] if severity == "error" else [])
    assert (plan.verdict == "do_not_deploy") == (severity == "error")
    assert not any("--allowNonRestoredState" in fix.lines for fix in plan.fixes)
