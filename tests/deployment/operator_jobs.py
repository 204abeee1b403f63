"""Jobs as the Kubernetes operator reads them from resources."""

from typing import Any

from explorer.deployment.kubernetes_operator import OperatorJob
from explorer.deployment.operator_rules import operator_job
from explorer.documents.readers.kubernetes import chosen_resource, read_resources
from tests.documents.resources import JAR, deployment, stream

CHECKPOINTED = {"state.checkpoints.dir": "file:///c", "state.savepoints.dir": "file:///s"}


def job(*resources: dict[str, Any], base: dict[str, str] | None = None) -> OperatorJob:
    found = read_resources(stream(*resources))
    return operator_job(chosen_resource(found, None), found, base)


def changed(job_fields: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return deployment(**spec, job={"jarURI": JAR, "parallelism": 2, **job_fields})
