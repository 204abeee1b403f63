"""A field of an operator, in each kind of document."""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.documents import as_document
from explorer.edits import set_operator_field
from explorer.errors import EditError
from explorer.model.stream_graph import NodeId
from tests.analysis.plan.plans import COUNT, program
from tests.golden_files import cases

HASH = "0123456789abcdef" * 2


def test_an_operator_of_a_pipeline_is_its_transformation() -> None:
    changed = set_operator_field(as_document(program(COUNT)), NodeId(4), "count", "uid_hash", HASH)

    assert changed.pipeline is not None
    assert changed.pipeline.transformation("count").uid_hash == HASH


def test_an_operator_of_a_stream_graph_is_its_node() -> None:
    graph = compile_graph(program(COUNT)).to_dict()["stream_graph"]
    captured: dict[str, Any] = {"flink": "2.2", "stream_graph": graph}
    changed = set_operator_field(as_document(captured), NodeId(4), None, "uid_hash", HASH)

    assert changed.operators is not None
    assert changed.operators.stream_graph.node(NodeId(4)).uid_hash == HASH


def test_an_operator_that_no_transformation_declares_has_no_fields() -> None:
    with pytest.raises(EditError, match="operator 9 comes from no transformation"):
        set_operator_field(as_document(program(COUNT)), NodeId(9), None, "uid_hash", HASH)


def test_a_submitted_job_is_not_edited() -> None:
    running = next(cases("running_jobs"))["running"]

    with pytest.raises(EditError, match="a submitted job is what its cluster reports"):
        set_operator_field(as_document(running), NodeId(1), None, "uid_hash", HASH)
