"""Suggested fixes are made, compiled and checked again."""

from typing import Any

from explorer.documents import load_document
from explorer.explain.suggested_fixes import attempt_change
from explorer.flink.compiler import compile_program
from explorer.model.changes import to_set
from explorer.model.pipeline import Pipeline

DOCUMENT: dict[str, list[dict[str, Any]]] = {
    "transformations": [
        {"id": "s", "type": "legacy_source"},
        {"id": "o", "type": "sink", "inputs": ["s"], "parallelism": 2},
    ]
}


def pipeline() -> Pipeline:
    document = load_document(DOCUMENT)
    assert isinstance(document, Pipeline)
    return document


def test_a_change_is_compiled_before_it_is_suggested() -> None:
    proposal = to_set("o", "parallelism", 1, "Set parallelism of o to 1")
    before = compile_program(pipeline(), "1.20")
    attempt = attempt_change(pipeline(), proposal, flink_version="1.20", before=before)

    assert attempt is not None
    assert attempt.compilation is not None
    assert len(before.job_graph.vertices) == 2
    assert len(attempt.compilation.job_graph.vertices) == 1
    assert len(compile_program(attempt.pipeline, "1.20").job_graph.vertices) == 1


def test_a_change_that_changes_nothing_is_not_suggested() -> None:
    same = to_set("o", "parallelism", 2, "Set parallelism of o to 2")

    assert attempt_change(pipeline(), same) is None


def test_a_change_that_flink_refuses_has_its_message() -> None:
    steps = [{"uid": "same", **DOCUMENT["transformations"][0]}, DOCUMENT["transformations"][1]]
    document = load_document({"transformations": steps})
    assert isinstance(document, Pipeline)
    attempt = attempt_change(document, to_set("o", "uid", "same", "Give o the uid same"))

    assert attempt is not None
    assert attempt.compilation is None
    assert "Hash collision on user-specified ID" in attempt.refusal
