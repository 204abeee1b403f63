"""How the Kubernetes operator replaces a job: its state and its pods."""

from typing import Any

import pytest

from explorer.deployment.upgrades import operator_upgrade
from tests.deployment.operator_jobs import CHECKPOINTED, changed, job


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
