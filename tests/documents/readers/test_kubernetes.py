"""Kubernetes resources: what is read of them, and what a bad one is answered with."""

import json
from contextlib import suppress
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from explorer.deployment.operator_rules import operator_job
from explorer.documents import load_document, parse_document
from explorer.documents.limits import MAX_DOCUMENTS
from explorer.documents.readers.kubernetes import chosen_resource, read_resources
from explorer.documents.readers.resource_texts import is_resource_text
from explorer.errors import DocumentError, ExplorerError
from tests.documents.resources import EXAMPLES, JAR, OTHER, deployment, session_job, stream
from tests.many_cases import for_each


@for_each("name", EXAMPLES)
def test_every_example_with_a_job_is_read_and_not_refused(name: str) -> None:
    text = EXAMPLES[name]
    resources = read_resources(text)
    job = operator_job(chosen_resource(resources, None), resources)

    assert is_resource_text(text)
    assert job.refusals == ()
    assert job.resource.unknown_fields == ()
    assert int(job.options["parallelism.default"]) >= 1


def test_a_deployment_is_read_field_by_field() -> None:
    (found,) = read_resources(EXAMPLES["autoscaling"])

    assert found.title == "FlinkDeployment 'basic'"
    assert found.flink_version == "v1_20"
    assert found.configuration["job.autoscaler.enabled"] == "true"
    assert found.configuration["job.autoscaler.metrics.window"] == "3m"
    assert found.configuration["pipeline.max-parallelism"] == "24"
    assert found.task_manager is not None
    assert (found.task_manager.memory, found.task_manager.cpu) == ("2048m", 1.0)
    assert found.job is not None
    assert found.job.args == ("10",)
    assert found.job.upgrade_mode == "last-state"
    assert found.has_pod_template


def test_newer_resources_win_over_the_older_ones_and_requests_over_limits() -> None:
    sizes = {
        "resource": {"memory": "1g", "cpu": 1},
        "resources": {"requests": {"memory": "2Gi"}, "limits": {"memory": "4Gi", "cpu": "1500m"}},
    }
    (found,) = read_resources(stream(deployment(taskManager=sizes)))

    assert found.task_manager is not None
    assert (found.task_manager.memory, found.task_manager.cpu) == ("2Gi", 1.5)


def test_a_list_and_json_are_streams_too() -> None:
    items = {"apiVersion": "v1", "kind": "List", "items": [OTHER, deployment(), session_job()]}

    for text in (stream(items), json.dumps(items)):
        assert is_resource_text(text)
        assert [one.name for one in read_resources(text)] == ["basic", "in-session"]


def test_unknown_fields_are_collected() -> None:
    job = {"jarURI": JAR, "parallelism": 1, "paralelism": 2}
    (found,) = read_resources(stream(deployment(replicas=2, job=job)))

    assert found.unknown_fields == ("spec.replicas", "spec.job.paralelism")
    assert "no such fields" in operator_job(found).notes[0]


@for_each(
    ("spec", "message"),
    [
        ({"job": {"parallelism": "two"}}, "spec.job.parallelism: must be a whole number, but is"),
        ({"job": {"args": "10"}}, "spec.job.args: must be a list of texts"),
        ({"job": {"upgradeMode": "best"}}, "stateless, savepoint or last-state"),
        ({"job": ["a"]}, "spec.job: must be a mapping, but is a list"),
        ({"flinkVersion": "1.20"}, "must be a release as v1_20"),
        ({"taskManager": {"resource": {"cpu": "many"}}}, "a number of cores"),
        ({"image": "{{ .Values.image }}"}, "is a template: render it first"),
        ({"flinkConfiguration": {"a": {"b": "{{ .Values.b }}"}}}, "is a template"),
    ],
)
def test_a_bad_field_is_named_with_its_place(spec: dict[str, Any], message: str) -> None:
    with pytest.raises(DocumentError, match=r"^document 2 \(FlinkDeployment 'basic'\): spec") as e:
        read_resources(stream(OTHER, deployment(**spec)))
    assert message in str(e.value)


@for_each(
    ("members", "message"),
    [
        ({"apiVersion": None}, "apiVersion: is missing; Flink's is flink.apache.org/v1beta1"),
        ({"apiVersion": "flink.apache.org/v1beta2"}, "apiVersion: is 'flink.apache.org/v1beta2'"),
        ({"apiVersion": "apps/v1"}, "apiVersion: is 'apps/v1'; Flink's is flink.apache.org/v1beta"),
        ({"kind": None}, "kind: is missing; Flink's is FlinkDeployment, FlinkSessionJob or Flink"),
        ({"kind": "Flinkdeployment"}, "kind: is 'Flinkdeployment'; did you mean 'FlinkDeployment'"),
        ({"kind": None, "apiVersion": None}, "kind: is missing"),
        ({"kind": "FlinkJob", "apiVersion": None}, "kind: is 'FlinkJob'"),
    ],
)
def test_a_resource_names_kind_and_version_of_its_definition(
    members: dict[str, Any], message: str
) -> None:
    resource = {name: value for name, value in {**deployment(), **members}.items() if value}

    for text in (stream(resource), json.dumps(resource), stream(OTHER, resource)):
        assert is_resource_text(text)
        with pytest.raises(DocumentError) as error:
            read_resources(text)
        assert message in str(error.value)


def test_resources_of_others_are_skipped() -> None:
    others = [
        {"apiVersion": "flink.apache.org/v1beta1", "kind": "FlinkStateSnapshot", "spec": {}},
        {"apiVersion": "flink.k8s.io/v1beta1", "kind": "FlinkApplication", "spec": {}},
    ]

    assert read_resources(stream(*others, OTHER)) == ()


def test_a_template_that_is_no_yaml_is_called_one() -> None:
    text = stream(deployment()).replace("name: basic", "name: {{ .Release.Name }}")

    with pytest.raises(DocumentError, match=r"line \d+: '\{\{ .Release.Name \}\}' is a template"):
        read_resources(text)


def test_which_job_of_a_stream_is_chosen() -> None:
    two = read_resources(stream(deployment("a"), deployment("b")))
    cluster = read_resources(stream(deployment("session", job=None)))

    assert chosen_resource(two, "b").name == "b"
    for resources, name, message in (
        (two, None, "2 jobs: 'a' and 'b'; choose one with --job NAME"),
        (two, "c", "no job 'c'; its jobs are 'a' and 'b'"),
        (cluster, None, "FlinkDeployment 'session' is a session cluster without a job"),
        ((), None, "no FlinkDeployment and no FlinkSessionJob"),
    ):
        with pytest.raises(DocumentError, match=message):
            chosen_resource(resources, name)


def test_a_stream_has_a_limit_of_documents() -> None:
    read_resources("---\n" * MAX_DOCUMENTS)
    with pytest.raises(DocumentError, match="more than 2,000 documents"):
        read_resources("---\n" * (MAX_DOCUMENTS + 1))
    with pytest.raises(DocumentError, match="larger than 5 MB"):
        read_resources(b" " * (5 * 2**20 + 1))
    with pytest.raises(DocumentError, match="not UTF-8"):
        read_resources(b"\xff")


def test_a_resource_in_a_documents_place_is_refused_with_advice() -> None:
    for text in (EXAMPLES["basic"], EXAMPLES["ingress"], json.dumps(deployment())):
        with pytest.raises(DocumentError, match="python -m explorer capture FILE --artifact"):
            parse_document(text)
    with pytest.raises(DocumentError, match="Kubernetes resource"):
        load_document(deployment())


_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(st.data())
def test_whatever_a_field_holds_is_read_or_refused(data: st.DataObject) -> None:
    whole = deployment(job={"jarURI": JAR, "parallelism": 1}, podTemplate={})
    part = data.draw(st.sampled_from([whole, whole["spec"], whole["spec"]["job"]]))
    field = data.draw(st.sampled_from([one for one in part if one not in {"kind", "apiVersion"}]))
    part[field] = data.draw(_VALUES)
    text = yaml.safe_dump(whole, allow_unicode=data.draw(st.booleans()))
    with suppress(ExplorerError):  # what cannot be read is one message, no other exception
        for resource in read_resources(text):
            operator_job(resource)


@given(st.integers(0, 10_000), st.binary(max_size=4))
def test_a_damaged_stream_is_read_or_refused(at: int, piece: bytes) -> None:
    content = EXAMPLES["session-job"].encode()
    place = at % len(content)
    with suppress(ExplorerError):
        for resource in read_resources(content[:place] + piece + content[place + 2 :]):
            operator_job(resource)
