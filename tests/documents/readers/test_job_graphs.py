"""Documents of submitted jobs: written, read back, and tried with another release."""

from typing import Any

import pytest

from explorer.documents import JobGraphDocument, document_values, load_document
from explorer.documents.readers.job_graphs import job_document, job_graph_values
from explorer.edits import set_operator_field
from explorer.errors import DocumentError, EditError
from explorer.flink.compiler import compile_program
from explorer.model.stream_graph import NodeId
from tests.documents.reported_jobs import A, B, job, node, read
from tests.golden_files import cases
from tests.many_cases import for_each


def test_assumptions_are_reported() -> None:
    branched = node(A, "Source: in<br/>:- a<br/>+- Sink: b<br/>")
    (ids, heads, leaving, _) = job(branched, node(B, "out", read(A))).warnings
    assert ids.startswith("A cluster reports the IDs of tasks")
    assert heads.startswith("A cluster does not report why")
    assert "'Source: in -> (a, Sink: b)'" in leaving


def test_chaining_and_release_can_be_tried_on_a_submitted_job() -> None:
    one = job(node(A, "Source: in<br/>+- a<br/>"))
    off = one.with_chaining(on=False).under("1.18")
    assert len(compile_program(off).job_graph.vertices) == 2
    assert load_document(document_values(off)) == off
    assert off.with_chaining(on=True).under("1.20") == one.under("1.20")


def test_an_operator_of_a_submitted_job_is_not_edited() -> None:
    with pytest.raises(EditError, match="what its cluster reports"):
        set_operator_field(job(node(A)), NodeId(1), None, "name", "mine")


RECORDED: dict[str, dict[str, Any]] = {case["flink"]: case for case in cases("running_jobs")}


@for_each("state", ["running", "cancelled"])
@for_each("version", RECORDED)
def test_a_recorded_job_is_written_as_it_was_read(version: str, state: str) -> None:
    values = RECORDED[version][state]
    document = load_document(values)

    assert isinstance(document, JobGraphDocument)
    assert load_document(job_graph_values(document)) == document
    assert document.flink == ".".join(version.split(".")[:2])


def test_an_operator_imitates_what_the_cluster_counted() -> None:
    document = load_document(RECORDED["1.20.5"]["running"])
    assert isinstance(document, JobGraphDocument)
    done = compile_program(document)

    costs = [node.synthetic.cost for node in done.stream_graph.nodes if node.synthetic]
    assert any(cost > 0 for cost in costs)


def test_a_job_may_have_as_many_operators_as_the_limit() -> None:
    found = job(node(A, "Source: in<br/>+- a<br/>"))

    assert job_document(found.job, limit=2) == found
    with pytest.raises(DocumentError, match="2 nodes are too many; at most 1"):
        job_document(found.job, limit=1)


def test_an_unknown_release_of_a_cluster_is_left_open() -> None:
    values = {**document_values(job(node(A)))}
    values["job"] = {**values["job"], "version": "9.9.1"}
    document = load_document({name: one for name, one in values.items() if name != "flink"})

    assert isinstance(document, JobGraphDocument)
    assert document.flink is None
